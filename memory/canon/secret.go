package canon

// Reason says, as a code, what kind of secret a text holds. It never holds any
// of the text.
type Reason string

// The reasons.
const (
	Card     Reason = "card"     // the number of a payment card
	IBAN     Reason = "iban"     // the number of a bank account
	Key      Reason = "key"      // an API key, access token or private key
	Password Reason = "password" // a password or PIN that is called so
	Link     Reason = "link"     // a link that logs in whoever has it
	Code     Reason = "code"     // a one-time or access code
	Seed     Reason = "seed"     // the seed phrase of a wallet
	ID       Reason = "id"       // the number of a passport or of social security
	Random   Reason = "random"   // letters and digits too mixed to be words
)

// Secret reports whether a text holds something that may never be remembered,
// and what kind comes first in the order above. Every field of what is to be
// stored passes through it; words that were sent apart are joined by the caller
// and looked at together.
//
// It sees through other digits, invisible characters and the usual separators.
// Where kinds have a checksum it must be right, so that order numbers pass;
// where they have none, doubt counts as a secret only beside words like
// "password". Public links, UUIDs and hexadecimal hashes pass. It takes time in
// proportion to the text, whoever wrote that: less than a millisecond for some
// thousand characters.
func Secret(text string) (Reason, bool) {
	p := plain(text)
	digits := digitsIn(p)
	switch {
	case digits >= minCard && hasCard(p) || hasCard(digitWords(p)):
		return Card, true
	case digits >= minIBANDigits && hasIBAN(p):
		return IBAN, true
	case hasKey(p):
		return Key, true
	case hasLink(p):
		return Link, true
	case hasSeed(p):
		return Seed, true
	}
	if reason, ok := credential(p); ok {
		return reason, true
	}
	if hasRandom(p) {
		return Random, true
	}
	return "", false
}
