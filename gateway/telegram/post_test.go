package telegram

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"nacre"
	"nacre/gateway"
	"nacre/gateway/gatewaytest"
)

var refusedMarkup = gatewaytest.Fault{Kind: gatewaytest.Refuse, Code: 400, Words: "Bad Request: can't parse entities: Unexpected end tag at byte offset 7"}

func TestMarkupArrives(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		text := "**From:** Ann Example <ann@example.org>, 3 < 5 && x > y"
		r.answer(nacre.Reply{Text: text})
		p := r.tg.Calls("sendMessage")
		if len(p) != 1 || p[0].Params["parse_mode"] != "HTML" {
			t.Errorf("asked %+v", p)
		}
		r.wantShown(ann, "From: Ann Example <ann@example.org>, 3 < 5 && x > y")
	})
}

// essay is an answer of many messages, with all that has to be closed and
// opened again at their borders.
func essay() string {
	var b strings.Builder
	for i := range 4 {
		b.WriteString(strings.Repeat("Some **bold** and _italic_ words, 3 < 5 & so on. ", 60))
		fmt.Fprintf(&b, "\n\n```go\n%s```\n\n", strings.Repeat("if a < b && c > d {}\n", 60))
		fmt.Fprintf(&b, "> part %d\n\n", i)
	}
	return b.String()
}

// TestRefusedPartArrivesPlain has a server that refuses the third part.
func TestRefusedPartArrivesPlain(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		parts := r.c.Render(nacre.Reply{Text: essay()})
		if len(parts) < 4 {
			t.Fatalf("only %d parts", len(parts))
		}
		for i, part := range parts {
			if i == 2 {
				r.tg.Fail("sendMessage", refusedMarkup)
			}
			if id, err := r.c.Send(t.Context(), nacre.Delivery{Chat: annsChat, Part: part}, false); err != nil || id == "" {
				t.Errorf("part %d: %q, %v", i, id, err)
			}
		}
		sent := r.tg.Sent()
		if len(sent) != len(parts) {
			t.Fatalf("%d messages for %d parts", len(sent), len(parts))
		}
		if sent[2].Text != strings.TrimSpace(parts[2].Plain) || strings.Contains(sent[2].Text, "<b>") || strings.Contains(sent[2].Text, "&lt;") {
			t.Errorf("the refused part is shown as %.200q", sent[2].Text)
		}
		calls := r.tg.Calls("sendMessage")
		if len(calls) != len(parts)+1 || calls[3].Params["parse_mode"] != "" {
			t.Errorf("%d calls for %d parts", len(calls), len(parts))
		}
	})
}

func TestRefusedPlainTextIsGivenUp(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		r.tg.Fail("sendMessage", refusedMarkup, refusedMarkup, refusedMarkup)
		part := nacre.Part{Text: "<b>a</b>", Plain: "a"}
		if _, err := r.c.Send(t.Context(), nacre.Delivery{Chat: annsChat, Part: part}, false); nacre.KindOf(err) != nacre.Invalid {
			t.Errorf("Send = %v", err)
		}
		if n := len(r.tg.Calls("sendMessage")); n != 2 {
			t.Errorf("it was asked for %d times, want once with markup and once without", n)
		}
	})
}

func TestLostAnswersToPlainTextAreUnsure(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		r.tg.Fail("sendMessage", refusedMarkup, gatewaytest.Fault{Kind: gatewaytest.DropAfter})
		part := nacre.Part{Text: "<b>a</b>", Plain: "a"}
		if _, err := r.c.Send(t.Context(), nacre.Delivery{Chat: annsChat, Part: part}, false); !errors.Is(err, gateway.ErrUnsure) {
			t.Errorf("Send = %v", err)
		}
		r.wantShown(ann, "a")
	})
}

func TestRepeatsAreLabelled(t *testing.T) {
	const label = "(This may be a repeat.)"
	long := strings.Repeat("x", textLimit)
	tests := []struct {
		name string
		part nacre.Part
		want string
	}{
		{"plain", nacre.Part{Text: "a < b"}, label + " a < b"},
		{"markup", nacre.Part{Text: "<b>a</b> &lt; b", Plain: "a < b"}, label + " a < b"},
		{"no room", nacre.Part{Text: long}, label + "|" + long},
		{"no room, with markup", nacre.Part{Text: "<b>" + long + "</b>", Plain: long}, label + "|" + long},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, r *rig) {
				id, err := r.c.Send(t.Context(), nacre.Delivery{Chat: annsChat, Part: test.part}, true)
				sent := r.tg.Sent()
				if err != nil || string(id) != itoa(sent[len(sent)-1].ID) {
					t.Errorf("Send = %q, %v", id, err)
				}
				r.wantShown(ann, strings.Split(test.want, "|")...)
			})
		})
	}
}

// layout is the buttons under a message, rows separated by "|".
func layout(rows [][]gatewaytest.Button) string {
	var all []string
	for _, row := range rows {
		var texts []string
		for _, b := range row {
			texts = append(texts, b.Text)
		}
		all = append(all, strings.Join(texts, ","))
	}
	return strings.Join(all, "|")
}

func TestButtons(t *testing.T) {
	long := strings.Repeat("é", 70)
	tests := []struct {
		name    string
		options []string
		want    string
	}{
		{"short", []string{"yes", "no", "later"}, "yes,no|later"},
		{"long", []string{"yes", "rather not this year"}, "yes|rather not this year"},
		{"too long", []string{long}, strings.Repeat("é", 63) + "…"},
		{"blank", []string{"yes", " \n"}, "yes,2"},
		{"lines", []string{"a\nb"}, "a b"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, r *rig) {
				r.answer(nacre.Reply{ID: "0191-question", Text: "**Which?**", Options: test.options})
				sent := r.tg.Sent()
				if len(sent) != 1 || layout(sent[0].Buttons) != test.want {
					t.Fatalf("sent %+v, want the buttons %q", sent, test.want)
				}
				if got, want := sent[0].Buttons[0][0].Data, callbackData("0191-question", 0); got != want {
					t.Errorf("the first carries %q, want %q", got, want)
				}
			})
		})
	}
}

func TestBubblesBecomeAnswers(t *testing.T) {
	options := nacre.Part{Text: "one", Question: "q", Options: []string{"yes"}}
	refuse := func(words string) gatewaytest.Fault {
		return gatewaytest.Fault{Kind: gatewaytest.Refuse, Code: 400, Words: "Bad Request: " + words}
	}
	tests := []struct {
		name   string
		fault  gatewaytest.Fault // of the edit
		part   nacre.Part
		repeat bool
		want   string
		anew   bool // as a message of its own
	}{
		{"longer", gatewaytest.Fault{}, nacre.Part{Text: "one two"}, false, "one two", false},
		{"markup", gatewaytest.Fault{}, nacre.Part{Text: "<b>one</b>", Plain: "one"}, false, "one", false},
		{"refused markup", refusedMarkup, nacre.Part{Text: "<b>two</b>", Plain: "two"}, false, "two", false},
		{"the same", gatewaytest.Fault{}, nacre.Part{Text: "one"}, false, "one", false},
		{"the same with buttons", gatewaytest.Fault{}, options, false, "one", false},
		{"never labelled", gatewaytest.Fault{}, nacre.Part{Text: "two"}, true, "two", false},
		{"not found", refuse("message to edit not found"), nacre.Part{Text: "two"}, false, "one|two", true},
		{"refused in new words", refuse("MESSAGE_EDIT_TIME_EXPIRED"), nacre.Part{Text: "two"}, false, "one|two", true},
		{"too old", refuse("message can't be edited"), nacre.Part{Text: "two"}, false, "one|two", true},
		{"not found, perhaps a repeat", refuse("message to edit not found"), nacre.Part{Text: "two"}, true, "one|(This may be a repeat.) two", true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, r *rig) {
				bubble, err := r.send("one")
				if err != nil {
					t.Fatal(err)
				}
				if test.fault.Kind != 0 {
					r.tg.Fail("editMessageText", test.fault)
				}
				id, err := r.c.Send(t.Context(), nacre.Delivery{Chat: annsChat, Part: test.part, Bubble: bubble}, test.repeat)
				if err != nil || (id != bubble) != test.anew {
					t.Errorf("Send = %q, %v; the bubble was %q", id, err, bubble)
				}
				r.wantShown(ann, strings.Split(test.want, "|")...)
				if got := layout(r.tg.Sent()[0].Buttons); got != strings.Join(test.part.Options, "") {
					t.Errorf("the bubble has the buttons %q", got)
				}
			})
		})
	}
}

func TestLostEditsAreRepeated(t *testing.T) {
	for name, fault := range map[string]gatewaytest.Fault{
		"lost after it was taken":  {Kind: gatewaytest.DropAfter},
		"lost before it was taken": {Kind: gatewaytest.DropBefore},
		"cut answer":               {Kind: gatewaytest.Truncated},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, r *rig) {
				bubble, _ := r.send("one")
				d := nacre.Delivery{Chat: annsChat, Part: nacre.Part{Text: "one two"}, Bubble: bubble}
				r.tg.Fail("editMessageText", fault)
				if _, err := r.c.Send(t.Context(), d, false); nacre.KindOf(err) != nacre.Transient || errors.Is(err, gateway.ErrUnsure) {
					t.Errorf("Send = %v, of kind %v", err, nacre.KindOf(err))
				}
				if id, err := r.c.Send(t.Context(), d, false); err != nil || id != bubble {
					t.Errorf("once more Send = %q, %v", id, err)
				}
				r.wantShown(ann, "one two")
			})
		})
	}
}

func TestFilesTakeTheBubbleAway(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		bubble, _ := r.send("Here it")
		d := nacre.Delivery{Chat: annsChat, Part: nacre.Part{Text: "Here it is", File: &parcel}, Bubble: bubble}
		if id, err := r.c.Send(t.Context(), d, false); err != nil || id == bubble {
			t.Errorf("Send = %q, %v", id, err)
		}
		r.wantShown(ann, "Here it is")
	})
}

const clan = -1004001 // the supergroup that a group becomes

func TestGroupsBecomeSupergroups(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		r.tg.Upgrade(family, clan)
		d := nacre.Delivery{Chat: familyChat, Part: nacre.Part{Text: "one"}}
		if _, err := r.c.Send(t.Context(), d, false); nacre.KindOf(err) != nacre.Transient || len(r.tg.Sent()) != 0 {
			t.Errorf("before it runs, Send = %v", err)
		}
		r.run()
		r.after(0)
		if _, err := r.c.Send(t.Context(), d, false); err != nil {
			t.Errorf("Send = %v", err)
		}
		r.wantShown(clan, "one")
		want := [2]nacre.Chat{familyChat, {Channel: nacre.Telegram, ID: "-1004001"}}
		if got := r.host.Moves(); len(got) != 1 || got[0] != want {
			t.Errorf("moved %v, want %v", got, want)
		}
		if _, err := r.c.Send(t.Context(), nacre.Delivery{Chat: familyChat, Part: nacre.Part{Text: "two", File: &parcel}}, false); err != nil {
			t.Errorf("with a file, Send = %v", err)
		}
		d.Bubble, d.Part.Text = "77", "three"
		if _, err := r.c.Send(t.Context(), d, true); err != nil {
			t.Errorf("with a bubble in the old group, Send = %v", err)
		}
		r.wantShown(clan, "one", "two", "(This may be a repeat.) three")
	})
}
