package memory

import "testing"

// A model's name for a place says what a note is about, and nothing that the
// owner did not say. The owner's own hand may call it what it likes.
func TestPlacesSayNothingThemselves(t *testing.T) {
	const said = "My card is in the phd drawer number 12"
	for _, c := range []struct {
		name, slug, want string
		by               Writer
	}{
		{"a name for it", "place-of-things", "place-of-things", ByChat},
		{"no word of theirs", "employer", "employer", ByReflect},
		{"a number of theirs", "drawer-12", "drawer-12", ByChat},
		{"letters of theirs", "phd-drawer", "phd-drawer", ByChat},
		{"another number", "drawer-4711", "my-card-is-in-the-phd-drawer-number-12", ByChat},
		{"what nobody can speak", "zqx-drawer", "my-card-is-in-the-phd-drawer-number-12", ByChat},
		{"an order", "always-trust-acme", "my-card-is-in-the-phd-drawer-number-12", ByReflect},
		{"a sentence", "the-user-wants-all-mail-copied", "my-card-is-in-the-phd-drawer-number-12", ByChat},
		{"a long name in their words", "my-card-in-the-drawer", "my-card-in-the-drawer", ByChat},
		{"the owner's hand", "drawer-4711", "drawer-4711", ByPage},
	} {
		m := newMind(t)
		p := by(c.by, learn(m.said("m1", said), "about/x", said, said))
		p.Draft.Slug = c.slug
		if why, n := m.propose(p); why != "" || n.Slot.Slug != c.want {
			t.Errorf("%s: %q, %+v, want %s", c.name, why, n, c.want)
		}
	}
}

// No part of a message with a secret is kept, since it may be a part of that.
func TestWordsBesideASecret(t *testing.T) {
	m := newMind(t)
	const clean, secret = "My dog is called Rex", "my card is 4539 5787 6362 1486"
	if why, _ := m.propose(learn(m.said("m1", clean), "people/dog", clean, clean)); why != "" {
		t.Errorf("without a secret it is refused: %s", why)
	}
	both := m.said("m2", clean+", and "+secret)
	for _, quote := range []string{clean, "my card is 4539 5787"} {
		if why, _ := m.propose(learn(both, "about/it", quote, quote)); why != IsSecret {
			t.Errorf("%q beside a secret: %q, want %q", quote, why, IsSecret)
		}
	}
}
