package render

import "nacre/memory"

// Status is a status in plain words, as it is shown everywhere to people.
func Status(s memory.Status) string {
	switch s {
	case memory.Stated:
		return "Confirmed"
	case memory.Observed:
		return "Learned"
	case memory.Tentative:
		return "Mentioned once"
	case memory.Candidate:
		return "Waiting for you"
	}
	return "Let go"
}

// Origin says in plain words where a note came from.
func Origin(o memory.Origin) string {
	switch o {
	case memory.FromWords:
		return "you asked to remember it"
	case memory.FromInference:
		return "taken from what you said"
	case memory.FromEmail:
		return "learned from your sent email"
	case memory.FromImport:
		return "imported"
	case memory.FromHand:
		return "written by you"
	}
	return ""
}
