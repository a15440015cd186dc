package gateway

import (
	"context"
	"strconv"
	"strings"
	"unicode/utf8"

	"nacre"
)

// numberOf reads a message that may choose an option by its number, on a channel
// that shows options so.
func (g *Gateway) numberOf(m *nacre.Message) (n int, ok bool) {
	c, numbers := g.channels[m.Chat.Channel].(Numberer)
	if !numbers || !c.Numbers() || m.Quiet || m.Revision > 0 || len(m.Attachments) > 0 {
		return 0, false
	}
	return parseNumber(m.Typed())
}

// longestNumber is more digits than a list of options has lines.
const longestNumber = 3

// parseNumber reads a text that is nothing but a number of up to three digits, of
// any form that keyboards give: 2, "2.", "2)", "２" or keycaps.
func parseNumber(text string) (n int, ok bool) {
	text = strings.TrimSpace(text)
	if r, size := utf8.DecodeLastRuneInString(text); strings.ContainsRune(".)．）", r) {
		text = strings.TrimSpace(text[:len(text)-size])
	}
	digits := strings.Map(plainDigit, text)
	if strings.Trim(digits, "0123456789") != "" || len(digits) > longestNumber {
		return 0, false
	}
	n, err := strconv.Atoi(digits)
	return n, err == nil
}

// plainDigit makes ASCII digits of full-width ones, and takes from a keycap what
// makes it one of a digit (Unicode, UTS #51: digit, U+FE0F, U+20E3).
func plainDigit(r rune) rune {
	switch {
	case '０' <= r && r <= '９':
		return r - '０' + '0'
	case r == '\uFE0F', r == '\u20E3':
		return -1
	}
	return r
}

// chooseByNumber takes a message as the choice of an option of the question that
// the author was asked last, if nothing was said in the chat since. It returns
// false for a message that is an ordinary one. One that comes again does nothing,
// whether it chose before or was an ordinary one.
func (g *Gateway) chooseByNumber(ctx context.Context, in nacre.Inbound, n int) (bool, error) {
	choosing := nacre.Pressed + in.Message.External
	for _, id := range []nacre.ExternalID{in.Message.External, choosing} {
		if known, err := g.inbox.Knows(ctx, in.Message.Chat, id); err != nil || known {
			return known, err
		}
	}
	in.Message.External = choosing
	q, err := g.questions.OpenQuestion(ctx, in.Message.Chat)
	if nacre.KindOf(err) == nacre.NotFound {
		return false, nil
	}
	if err != nil || q.Owner != in.Owner || n < 1 || n > len(q.Options) {
		return false, err
	}
	in.Message.Segments = choice(&q, n-1)
	chosen, err := g.questions.Choose(ctx, q.ID, n-1, &in)
	if chosen {
		g.waker.Wake(in.Session, in.Message)
	}
	return chosen, err
}
