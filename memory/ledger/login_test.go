package ledger_test

import (
	"crypto/sha256"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nacre"
	"nacre/memory"
	"nacre/memory/canon"
	"nacre/memory/ledger"
)

func tagOf(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

// login stores a login under a secret and returns it.
func login(t *testing.T, l *ledger.Ledger, owner nacre.OwnerID, kind nacre.LoginKind, secret string, life time.Duration) nacre.Login {
	t.Helper()
	now := time.Now().Truncate(time.Millisecond)
	g := nacre.Login{ID: nacre.LoginID(nacre.NewID(now)), Kind: kind, Owner: owner, Name: "of " + secret, Made: now, Seen: now}
	if life != 0 {
		g.Expires = now.Add(life)
	}
	if kind == nacre.LoginLink {
		g.Name = ""
	}
	must(t, l.PutLogin(ctx, g, tagOf(secret)))
	return g
}

func TestLogins(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	o := owners(t, l, "1001")[0]
	login(t, l, o, nacre.LoginLink, "old", -time.Second)
	login(t, l, o, nacre.LoginLink, "link", time.Minute)
	session := login(t, l, o, nacre.LoginSession, "session", time.Minute)
	token := login(t, l, o, nacre.LoginToken, "token", 0)
	l.Close()
	l = open(t, dir)
	link := func(secret string) (nacre.Login, error) {
		owner, err := l.UseLink(ctx, tagOf(secret))
		return nacre.Login{Owner: owner}, err
	}
	of := func(kind nacre.LoginKind) func(string) (nacre.Login, error) {
		return func(secret string) (nacre.Login, error) { return l.Login(ctx, kind, tagOf(secret)) }
	}
	for _, c := range []struct {
		name   string
		use    func(string) (nacre.Login, error)
		secret string
		want   nacre.Login
	}{
		{"a link", link, "link", nacre.Login{Owner: o}},
		{"a used link", link, "link", nacre.Login{}},
		{"an old link", link, "old", nacre.Login{}},
		{"a session as a link", link, "session", nacre.Login{}},
		{"a session", of(nacre.LoginSession), "session", session},
		{"a session again", of(nacre.LoginSession), "session", session},
		{"a session as a token", of(nacre.LoginToken), "session", nacre.Login{}},
		{"a token", of(nacre.LoginToken), "token", token},
		{"a token as a session", of(nacre.LoginSession), "token", nacre.Login{}},
		{"a guess", of(nacre.LoginSession), "guess", nacre.Login{}},
	} {
		got, err := c.use(c.secret)
		if got != c.want || (err == nil) != (c.want != nacre.Login{}) || err != nil && nacre.KindOf(err) != nacre.NotFound {
			t.Errorf("%s: %+v, %v; want %+v", c.name, got, err, c.want)
		}
	}
}

func TestLoginsAreListedSeenAndEnded(t *testing.T) { synctest.Test(t, loginsAreListedSeenAndEnded) }

func loginsAreListedSeenAndEnded(t *testing.T) {
	l := open(t, t.TempDir())
	who := owners(t, l, "1001", "1002")
	login(t, l, who[0], nacre.LoginLink, "link", time.Minute)
	login(t, l, who[0], nacre.LoginSession, "old", -time.Second)
	session := login(t, l, who[0], nacre.LoginSession, "session", time.Minute)
	time.Sleep(time.Millisecond) // so that one is the newer
	token := login(t, l, who[0], nacre.LoginToken, "token", 0)
	theirs := login(t, l, who[1], nacre.LoginToken, "theirs", 0)
	want := func(owner nacre.OwnerID, want ...nacre.Login) {
		t.Helper()
		got, err := l.Logins(ctx, owner)
		must(t, err)
		if len(got) != len(want) {
			t.Fatalf("logins %+v, want %+v", got, want)
		}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("login %d is %+v, want %+v", i, got[i], want[i])
			}
		}
	}
	want(who[0], token, session)
	want(who[1], theirs)

	for _, id := range []nacre.LoginID{theirs.ID, "nobody's"} {
		if err := l.DropLogin(ctx, who[0], id); nacre.KindOf(err) != nacre.NotFound {
			t.Errorf("ended %s: %v", id, err)
		}
	}
	must(t, l.DropLogin(ctx, who[0], token.ID))
	if _, err := l.Login(ctx, nacre.LoginToken, tagOf("token")); nacre.KindOf(err) != nacre.NotFound {
		t.Errorf("an ended token: %v", err)
	}
	later := time.Now().Add(time.Hour).Truncate(time.Millisecond)
	must(t, l.SeeLogin(ctx, session.ID, later))
	seen, err := l.Login(ctx, nacre.LoginSession, tagOf("session"))
	must(t, err)
	if seen.Seen.Before(session.Seen) || !seen.Expires.Equal(later) {
		t.Errorf("seen %v, expires %v", seen.Seen, seen.Expires)
	}
	want(who[0], seen)
	want(who[1], theirs)
	must(t, l.SeeLogin(ctx, session.ID, time.Now()))
	want(who[0])
}

func TestPasswords(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	who := owners(t, l, "1001", "1002")
	want := func(want ...nacre.Password) {
		t.Helper()
		got, err := l.Passwords(ctx)
		must(t, err)
		if len(got) != len(want) || len(got) > 0 && got[0] != want[0] || len(got) > 1 && got[1] != want[1] {
			t.Errorf("passwords %+v, want %+v", got, want)
		}
	}
	want()
	must(t, l.PutPassword(ctx, nacre.Password{Owner: who[0], Name: "ada", Hash: "1"}))
	if err := l.PutPassword(ctx, nacre.Password{Owner: who[1], Name: "ADA", Hash: "2"}); nacre.KindOf(err) != nacre.Conflict {
		t.Errorf("another's name: %v", err)
	}
	must(t, l.PutPassword(ctx, nacre.Password{Owner: who[0], Name: "Ada", Hash: "3"}))
	for _, names := range [][2]string{{"iris", "İris"}, {"iris", "ıris"}, {"ıris", "İRIS"}, {"ΣΟΦΟΣ", "σοφος"}, {"σοφοσ", "σοφος"}} {
		must(t, l.PutPassword(ctx, nacre.Password{Owner: who[0], Name: names[0], Hash: "3"}))
		if err := l.PutPassword(ctx, nacre.Password{Owner: who[1], Name: names[1], Hash: "2"}); nacre.KindOf(err) != nacre.Conflict {
			t.Errorf("%s is taken beside %s: %v", names[1], names[0], err)
		}
	}
	must(t, l.PutPassword(ctx, nacre.Password{Owner: who[0], Name: "Ada", Hash: "3"}))
	l.Close()
	l = open(t, dir)
	want(nacre.Password{Owner: who[0], Name: "Ada", Hash: "3"})
	must(t, l.DropPassword(ctx, who[1]))
	want(nacre.Password{Owner: who[0], Name: "Ada", Hash: "3"})
	must(t, l.DropPassword(ctx, who[0]))
	want()
}

// Who is taken off the list comes in by nothing that they have, though it is all kept
// with their data. The operator has this machine's own page, listed or not.
func TestOnlyWhoIsListedComesIn(t *testing.T) {
	l := open(t, t.TempDir())
	who := owners(t, l, "1001", "1002")
	for i, name := range []string{"ann", "bob"} {
		login(t, l, who[i], nacre.LoginSession, name+" session", time.Hour)
		login(t, l, who[i], nacre.LoginToken, name+" token", 0)
		login(t, l, who[i], nacre.LoginLink, name+" link", time.Hour)
		must(t, l.PutPassword(ctx, nacre.Password{Owner: who[i], Name: name, Hash: "1"}))
	}
	ways := func(name string) (in []string) {
		t.Helper()
		for _, kind := range []nacre.LoginKind{nacre.LoginSession, nacre.LoginToken} {
			if _, err := l.Login(ctx, kind, tagOf(name+" "+string(kind))); err == nil {
				in = append(in, string(kind))
			}
		}
		if _, err := l.UseLink(ctx, tagOf(name+" link")); err == nil {
			in = append(in, "link")
		}
		all, err := l.Passwords(ctx)
		must(t, err)
		if slices.ContainsFunc(all, func(p nacre.Password) bool { return p.Name == name }) {
			in = append(in, "password")
		}
		return in
	}
	owners(t, l, "1001")
	if in := ways("bob"); in != nil {
		t.Errorf("who was taken off the list comes in by %q", in)
	}
	if list, err := l.Logins(ctx, who[1]); err != nil || len(list) != 2 {
		t.Errorf("of their logins there are %+v, %v", list, err)
	}
	if err := l.PutPassword(ctx, nacre.Password{Owner: who[0], Name: "Bob", Hash: "2"}); nacre.KindOf(err) != nacre.Conflict {
		t.Errorf("their name is free: %v", err)
	}
	owners(t, l)
	if in := ways("ann"); len(in) != 4 {
		t.Errorf("with an empty list the operator comes in only by %q", in)
	}
}

// Names of tokens and of people who log in go with what is forgotten; what they name
// is good as before, but for a password, which nobody could type a name for.
func TestForgettingTakesNamesOfLogins(t *testing.T) {
	for _, size := range []memory.Size{memory.SizeAbout, memory.SizeAll} {
		l := open(t, t.TempDir())
		o := owners(t, l, "1001")[0]
		login(t, l, o, nacre.LoginToken, "zqxkiko", 0)
		login(t, l, o, nacre.LoginToken, "other", 0)
		dropped := login(t, l, o, nacre.LoginToken, "zqxkiko's", 0)
		must(t, l.PutPassword(ctx, nacre.Password{Owner: o, Name: "zqxkiko", Hash: "1"}))
		old, err := l.Copy(o)
		must(t, err)
		must(t, l.DropLogin(ctx, o, dropped.ID))
		e := memory.Erasure{ID: nacre.NewID(time.Now()), Size: size, Writer: memory.ByPage,
			Needle: &memory.Needle{Quotes: []string{canon.Form("zqxkiko")}, Marks: []string{"zqxkiko"}, All: size == memory.SizeAll}}
		setting(t, l, o, map[string]string{"name": "zqxkiko", "zone": "Asia/Tokyo"})
		planned, err := l.Count(ctx, o, e.Needle)
		must(t, err)
		went, _, err := l.Erase(ctx, o, e)
		must(t, err)
		want := map[memory.Size]map[string]int{memory.SizeAbout: {"settings": 1, "logins": 1, "passwords": 1},
			memory.SizeAll: {"notes": 0, "settings": 2, "logins": 2, "passwords": 1}}[size]
		if !maps.Equal(went, want) || size == memory.SizeAbout && !maps.Equal(planned, want) {
			t.Errorf("%s: planned %v, went %v; want %v", size, planned, went, want)
		}
		swept, err := l.Sweep(ctx, o, e)
		must(t, err)
		if swept.Left > 0 || len(swept.Pending) > 0 {
			t.Errorf("%s: swept %+v", size, swept)
		}
		for _, c := range old {
			if opens := l.Opens(o, c); opens != (size == memory.SizeAbout && strings.Contains(c.Plain, "other")) {
				t.Errorf("%s: an old copy of %s opens: %v", size, c.Plain, opens)
			}
		}
		if len(old) != 4 {
			t.Errorf("%s: there were %d rows", size, len(old))
		}
		for secret, name := range map[string]string{"zqxkiko": "", "other": map[memory.Size]string{memory.SizeAbout: "of other"}[size]} {
			if g, err := l.Login(ctx, nacre.LoginToken, tagOf(secret)); err != nil || g.Name != name {
				t.Errorf("%s: the token %s is called %q, want %q; %v", size, secret, g.Name, name, err)
			}
		}
		if list, err := l.Passwords(ctx); err != nil || len(list) > 0 {
			t.Errorf("%s: passwords %+v, %v", size, list, err)
		}
	}
}

// Who was logged in under the schema without tokens stays so.
func TestSchemaWithoutTokensIsUpgraded(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	d := keep(t, l, "1001")
	login(t, l, d.owner, nacre.LoginLink, "link", time.Minute)
	session := login(t, l, d.owner, nacre.LoginSession, "session", time.Hour)
	login(t, l, d.owner, nacre.LoginSession, "old", -time.Hour)
	before := d.said(t, l)
	l.Close()
	older(t, dir, 5)
	if _, err := database(t, dir).Exec("SELECT seen_ms FROM logins"); err == nil {
		t.Fatal("the schema without tokens knows when logins were seen")
	}

	l = open(t, dir)
	if got := d.said(t, l); got != before {
		t.Errorf("it says %s, want %s", got, before)
	}
	got, err := l.Login(ctx, nacre.LoginSession, tagOf("session"))
	if err != nil || got.ID == "" || got.Owner != d.owner || !got.Seen.Equal(session.Made) || !got.Expires.Equal(session.Expires) {
		t.Errorf("the session is %+v, %v", got, err)
	}
	if owner, err := l.UseLink(ctx, tagOf("link")); owner != d.owner || err != nil {
		t.Errorf("the link is %q's, %v", owner, err)
	}
	token := login(t, l, d.owner, nacre.LoginToken, "token", 0)
	if list, err := l.Logins(ctx, d.owner); err != nil || len(list) != 2 || list[0] != token || list[1] != got {
		t.Errorf("logins %+v, %v", list, err)
	}
	must(t, l.DropLogin(ctx, d.owner, got.ID))
	wantSettings(t, l, d.owner, map[string]string{})
	d.forget(t, l)
}
