package whatsapp

import (
	"fmt"
	"math/rand/v2"
	"time"

	"go.mau.fi/whatsmeow/types/events"
)

// ending is why a connection ended, or could not be made, and what follows from it.
// Its text is for the operator. The zero value of each field is what a network does
// that was lost: we come back as soon as the back-off lets us.
type ending struct {
	words string

	final bool          // waits for a person; told to them
	quiet bool          // with final: waits, but nothing is wrong and nobody must be told
	told  bool          // was told before this start
	away  time.Duration // stay away so long, then try once
	gone  bool          // the account is linked no longer, and its keys are worth nothing
	stale bool          // the version of WhatsApp Web under which we logged in is too old
}

func (e *ending) Error() string { return e.words }

const linkAgain = "link it again with nacre pair whatsapp, or on the page"

var (
	unlinked = &ending{words: "no account is linked; run nacre pair whatsapp, or open the page", final: true, quiet: true, gone: true} // what a kill left of one, too
	claimed  = &ending{words: "an account is being linked or unlinked", final: true, quiet: true}

	lost     = &ending{words: "the connection to WhatsApp was lost; trying again"}
	silent   = &ending{words: "WhatsApp does not answer; trying again"}
	unstored = &ending{words: "a message could not be stored; WhatsApp is asked to bring it again"}

	replaced = &ending{words: "another program uses this account's keys, perhaps a second Nacre on a copy of the data; stop that one, then restart this one", final: true}
	outdated = &ending{words: "WhatsApp accepts this version of Nacre no longer; upgrade Nacre", final: true, stale: true}
)

// misused is the end of an account that was linked for another purpose, or of which
// that is not known. To go on would be to write to the friends of its owner, or to keep
// silent to everybody.
func misused(as whose) *ending {
	var words string
	switch as {
	case assistants:
		words = "this account was linked as a number of the assistant's own, and now NACRE_WHATSAPP says own; set it back to separate, or unlink this account and link another"
	case operators:
		words = "this account was linked as your own number, and now NACRE_WHATSAPP says separate, so that your friends would be answered in your name; set it back to own, or unlink this account and link another"
	default:
		words = "it is not known for which purpose this account was linked, and NACRE_WHATSAPP says separate, so that friends could be answered in the owner's name; unlink it and link it again, or set NACRE_WHATSAPP to own"
	}
	return &ending{words: words, final: true}
}

// endingOf is what an event of the library says about its connection; nil if that
// goes on.
func endingOf(event any) *ending {
	switch e := event.(type) {
	case *events.Disconnected, *events.StreamError, *events.ManualLoginReconnect:
		return lost
	case *events.LoggedOut:
		return loggedOut(e.Reason)
	case *events.StreamReplaced:
		return replaced
	case *events.ClientOutdated:
		return outdated
	case *events.TemporaryBan:
		return banned(e)
	case *events.ConnectFailure:
		return refused(e.Reason)
	case *events.CATRefreshError:
		return refused(events.ConnectFailureCATInvalid)
	}
	return nil
}

func loggedOut(reason events.ConnectFailureReason) *ending {
	e := &ending{final: true, gone: true}
	switch reason {
	case events.ConnectFailureMainDeviceGone:
		e.words = "WhatsApp has locked this account or signed its phone out (403); open WhatsApp on the phone, and when all is well there " + linkAgain
	case events.ConnectFailureUnknownLogout:
		e.words = "WhatsApp has banned this account (406); ask for a review in WhatsApp on the phone, and when it is granted " + linkAgain
	default:
		e.words = "this account was unlinked on the phone, or by WhatsApp because the phone was away for too long; " + linkAgain
	}
	return e
}

// refused is a login that was refused. Too many logins, and what is wrong with the
// server, pass by themselves.
func refused(reason events.ConnectFailureReason) *ending {
	if reason == tooMuch || reason >= 500 {
		return &ending{words: fmt.Sprintf("WhatsApp takes no login now (code %d); trying again", int(reason))}
	}
	return &ending{
		words: fmt.Sprintf("WhatsApp refuses the login (code %d); upgrade Nacre, or restart it later to try once more", int(reason)),
		final: true,
	}
}

// banned stays away until a ban is over and a little longer. One of unknown length
// waits for the person.
func banned(ban *events.TemporaryBan) *ending {
	words := fmt.Sprintf("WhatsApp has banned this account for a time, because %s (code %d); ", banReason(ban.Code), int(ban.Code))
	if ban.Expire <= 0 {
		return &ending{words: words + "look in WhatsApp on the phone how long it lasts, and restart Nacre after that", final: true}
	}
	away := ban.Expire + time.Minute + rand.N(4*time.Minute)
	back := time.Now().Add(away).UTC().Format("15:04 on 2 January 2006 MST")
	return &ending{words: words + "Nacre stays away until " + back + " and then tries once", away: away}
}

func banReason(code events.TempBanReason) string {
	switch code {
	case events.TempBanSentToTooManyPeople:
		return "it wrote to too many people who do not know it"
	case events.TempBanBlockedByUsers:
		return "too many people blocked it"
	case events.TempBanCreatedTooManyGroups:
		return "it made too many groups with people who do not know it"
	case events.TempBanSentTooManySameMessage:
		return "it sent the same message to too many people"
	case events.TempBanBroadcastList:
		return "it sent too many messages to a broadcast list"
	}
	return "it may have broken the terms of service"
}
