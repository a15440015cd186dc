// Package gmail reaches an owner's Gmail: the consent that lets it, the mails that
// they sent, and drafts that they want written. It sends nothing.
//
// Consent is OAuth 2.0 for programs without a secret place (RFC 8252): the owner's own
// client, a loopback redirect or a pasted address, PKCE (RFC 7636) and a state that
// works once. Reading has the scope gmail.readonly; drafts need gmail.compose, which
// is asked for apart and only if the owner wants drafts. Tokens are kept by the Store,
// sealed, and nowhere else.
package gmail
