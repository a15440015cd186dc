package render

import "nacre/memory"

// Why says to the owner why something was refused, waits or was done: a short
// clause that stands after a colon or in brackets, without a full stop.
func Why(r memory.Reason) string {
	for _, say := range []func(memory.Reason) string{source, content, setting, request, waiting, change} {
		if s := say(r); s != "" {
			return s
		}
	}
	return "the reason is not known to this version of Nacre"
}

// source says what is wrong with the words that a note was to rest on.
func source(r memory.Reason) string {
	switch r {
	case memory.NoQuote:
		return "the words it rests on are not in a message of your own"
	case memory.NoSource:
		return "the message it rests on does not exist"
	case memory.SourceRevoked:
		return "the message it rests on was forgotten, as you asked"
	case memory.CutShort:
		return "you denied it, or were not sure of it"
	case memory.ValueNotQuoted:
		return "it says more than you did"
	case memory.TombExact:
		return "you had this forgotten, or said no to it"
	case memory.TombValue:
		return "you had this forgotten, or said no to it, in another place"
	}
	return ""
}

// content says what is wrong with a note.
func content(r memory.Reason) string {
	switch r {
	case memory.IsSecret:
		return "it looks like a secret, such as a password or a card number, and secrets are never kept"
	case memory.IsSensitive:
		return "it touches a sensitive topic, and those are switched off"
	case memory.NoFlag:
		return "the memory model did not say whether it is sensitive"
	case memory.IsInstruction:
		return "it reads like an instruction, not like a fact"
	case memory.TooLong:
		return "it is too long; notes and the messages they come from may have 4,000 characters"
	case memory.BadSlot:
		return "it needs a name, and one of the areas about, preferences, people, routines and lessons"
	case memory.Taken:
		return "another note stands in that place"
	case memory.NoText:
		return "it has no text"
	}
	return ""
}

// setting says what stands in the way of any note.
func setting(r memory.Reason) string {
	switch r {
	case memory.Full:
		return "memory is full; let go of something first"
	case memory.Paused:
		return "saving is switched off"
	case memory.GroupOff:
		return "memory is switched off in this group"
	case memory.StatedKept:
		return "you said otherwise yourself, and only you may change that"
	}
	return ""
}

// request says what is wrong with the request itself.
func request(r memory.Reason) string {
	switch r {
	case memory.NotAllowed:
		return "whoever wanted it may not do that"
	case memory.NotLegal:
		return "that cannot be done to a note in its state"
	case memory.NoNote:
		return "there is no such note"
	case memory.Stale:
		return "the note has changed since it was shown"
	case memory.Unreadable:
		return "the memory model gave no answer that could be read, twice"
	case memory.TooMany:
		return "the memory model wanted too many notes at once"
	case memory.Untrusted:
		return "nothing in your own words asks for that"
	case memory.NothingToUndo:
		return "there is nothing to take back"
	case memory.NotUndone:
		return "what was forgotten cannot be brought back"
	}
	return ""
}

// waiting says why the owner has to decide.
func waiting(r memory.Reason) string {
	switch r {
	case memory.TombSlot:
		return "something that stood in this place was forgotten"
	case memory.TombStems:
		return "it resembles something that you had forgotten"
	case memory.Forgotten:
		return "you had this forgotten, and now say it anew"
	case memory.Spoken:
		return "it was heard in a voice note, and may have been misheard"
	case memory.Contradicts:
		return "it contradicts another note"
	}
	return ""
}

// change says why something happened to a note.
func change(r memory.Reason) string {
	switch r {
	case memory.Merged:
		return "another note says the same"
	case memory.ByOwner:
		return "you asked for it"
	case memory.Everything:
		return "you had everything forgotten"
	case memory.Expired:
		return "its time was over"
	case memory.Unrepeated:
		return "it was said in passing, and not again for 60 days"
	case memory.Undecided:
		return "it waited for you for 30 days"
	case memory.Trimmed:
		return "the archive was full, and it was among the oldest there"
	case memory.Recalled:
		return "it was recalled on several days"
	case memory.Unused:
		return "it was not recalled for 90 days"
	}
	return ""
}
