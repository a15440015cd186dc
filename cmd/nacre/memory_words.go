package main

import (
	"strings"

	"nacre"
	"nacre/memory"
	"nacre/memory/render"
	"nacre/web"
)

// statusWords says how far a note is trusted, and why it is not.
func statusWords(n web.Note) string {
	s := render.Status(n.Status)
	switch n.Status {
	case memory.Candidate:
		return s + ": " + render.Why(n.Waits)
	case memory.Archived:
		return s + ": it is in the archive"
	case memory.Rejected:
		return s + ": you said no"
	}
	return s
}

func scopeWords(s memory.Scope) string {
	if s == memory.Private {
		return "your private chats"
	}
	channel, chat, _ := strings.Cut(string(s), ":")
	return "the group " + chat + " on " + channel + " alone"
}

// writerWords says who did something, and over what.
func writerWords(e web.Entry) string {
	switch e.Writer {
	case memory.ByChat:
		return over("assistant", e.Via)
	case memory.ByCommand:
		return over("you", e.Via)
	case memory.ByPage:
		return "you, page"
	case memory.ByFile:
		return "you, MEMORY.md"
	case memory.ByShell:
		return "you, command line"
	case memory.ByReflect:
		return "reading back"
	case memory.ByRepair:
		return "tidying up"
	case memory.ByStyle:
		return "sent mail"
	}
	return string(e.Writer) // import and restore are words
}

func over(who string, via nacre.ChannelName) string {
	if via == "" {
		return who
	}
	return who + ", " + string(via)
}

// entryWords says what was done.
func entryWords(e web.Entry) string {
	switch e.Kind {
	case memory.Add:
		return "added"
	case memory.Revise:
		return "corrected"
	case memory.Support:
		return "heard again"
	case memory.Settle:
		return settledWords(e.Status)
	case memory.Erase:
		if e.Reason == memory.Undecided || e.Reason == memory.Trimmed {
			return "erased"
		}
		return "forgotten"
	case memory.Lift:
		return "allowed again"
	case memory.Pin:
		return "pinned"
	case memory.Unpin:
		return "unpinned"
	case memory.Switch:
		return settingWords(e)
	case memory.Undo:
		return "taken back"
	case memory.Intend:
		return "forgetting begun"
	case memory.Finish:
		return "forgetting done"
	}
	return "refused"
}

func settledWords(to memory.Status) string {
	switch to {
	case memory.Stated:
		return "confirmed"
	case memory.Archived, memory.Rejected:
		return string(to)
	}
	return "changed" // what exactly was forgotten with the note
}

func settingWords(e web.Entry) string {
	name := "memory of a group"
	switch e.Setting {
	case memory.Saving:
		name = "remembering"
	case memory.Sensitive:
		name = "sensitive topics"
	case memory.Checkpoints:
		name = "daily checkpoints"
	}
	if e.On {
		return name + " on"
	}
	return name + " off"
}

// whyWords says why, where the entry does not say it itself.
func whyWords(e web.Entry) string {
	if e.Reason == "" || e.Reason == memory.ByOwner {
		return ""
	}
	if e.Kind == memory.Add || e.Kind == memory.Revise {
		return "waits: " + render.Why(e.Reason)
	}
	return render.Why(e.Reason)
}
