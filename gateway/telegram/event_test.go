package telegram

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"nacre"
	"nacre/gateway/gatewaytest"
)

var errSilly = errors.New("something silly")

func TestGroupMoves(t *testing.T) {
	from, to := chatOf(-900001), chatOf(street)
	for _, name := range []string{"group_migrates_to", "group_migrates_from"} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, r *rig) {
				r.run()
				r.tg.Text(ann, "before")
				r.tg.Inject(string(payloads(t)["testdata/"+name]))
				r.tg.Text(ann, "after")
				r.after(time.Second)
				if got := r.host.Moves(); len(got) != 1 || got[0] != [2]nacre.Chat{from, to} {
					t.Errorf("moved %v, want once from %v to %v", got, from, to)
				}
				r.wantTexts("before", "after")
				if n := r.tg.Pending(); n != 0 {
					t.Errorf("%d updates are not confirmed", n)
				}
			})
		})
	}
}

// failingHost is a Host that moves no chats.
type failingHost struct {
	*gatewaytest.Host
	err error
}

func (h failingHost) Move(context.Context, nacre.Chat, nacre.Chat) error { return h.err }

func TestMoveThatFails(t *testing.T) {
	m := move{chatOf(-1), chatOf(-2)}
	for _, test := range []struct {
		err  error
		want bool // to be offered again
	}{
		{nacre.Errorf(nacre.Transient, "the disk is full"), true},
		{errSilly, false},
		{nil, false},
	} {
		r := &receiver{Channel: New(Options{}), host: failingHost{gatewaytest.NewHost(), test.err}}
		left, err := r.deliver(t.Context(), []event{{move: &m}})
		if again := err != nil; again != test.want || (len(left) == 1) != test.want {
			t.Errorf("%v: offered again %v with %d events left, want %v", test.err, again, len(left), test.want)
		}
	}
}

func TestQuietMessagesAreStored(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		r.run()
		all := payloads(t)
		for _, name := range []string{"private_text", "edited_message", "reaction_two", "reaction_two", "edited_message"} {
			r.tg.Inject(string(all["testdata/"+name]))
			r.after(time.Second)
		}
		var got []string
		for _, m := range r.host.Messages() {
			got = append(got, fmt.Sprint(m.External, " ", m.Revision, " ", m.Quiet))
		}
		want := []string{"123456/41 0 false", "123456/93 1767009999 true", "123456/44/reaction/1767200000 0 true"}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("stored %q, want %q", got, want)
		}
	})
}
