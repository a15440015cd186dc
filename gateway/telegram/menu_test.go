package telegram

import (
	"slices"
	"testing"
	"time"
	"unicode/utf8"

	"nacre"
	"nacre/gateway/gatewaytest"
)

func TestEveryCommandIsTranslated(t *testing.T) {
	names := map[string]bool{}
	for _, c := range nacre.Commands {
		names[c.Name] = true
		for _, language := range menuLanguages[1:] {
			help := menuHelp[c.Name][language]
			if n := utf8.RuneCountInString(help); n < 1 || n > 256 {
				t.Errorf("/%s in %s has %d characters, want 1 to 256", c.Name, language, n)
			}
		}
	}
	for name, help := range menuHelp {
		if !names[name] || len(help) != len(menuLanguages)-1 {
			t.Errorf("/%s: a command %v, with %d translations", name, names[name], len(help))
		}
	}
}

func TestMenus(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		r.run()
		r.after(time.Second)
		menus := r.tg.Menus()
		if len(menus) != len(menuLanguages) {
			t.Fatalf("%d menus, want one in each of %q", len(menus), menuLanguages)
		}
		for language, entries := range menus {
			if len(entries) != len(nacre.Commands) {
				t.Errorf("%d commands in %q, want %d", len(entries), language, len(nacre.Commands))
			}
		}
		stop := func(e gatewaytest.MenuEntry) bool { return e.Command == "stop" }
		for language, want := range map[string]string{"": "stop what I am doing", "de": "abbrechen, was ich gerade tue"} {
			i := slices.IndexFunc(menus[language], stop)
			if i < 0 || menus[language][i].Description != want {
				t.Errorf("in %q /stop is at %d of %v", language, i, menus[language])
			}
		}
		r.after(24 * time.Hour)
		if n := len(r.tg.Calls("setMyCommands")); n != len(menuLanguages) {
			t.Errorf("the menus were set %d times, want %d", n, len(menuLanguages))
		}
	})
}

func TestMenusDelayNothing(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		r.tg.Fail("setMyCommands", gatewaytest.Fault{Kind: gatewaytest.Hang, Times: -1})
		r.tg.Text(ann, "hello")
		r.run()
		r.after(time.Second)
		r.wantTexts("hello")
		r.after(24 * time.Hour)
		if n := len(r.tg.Calls("setMyCommands")); n != 1 {
			t.Errorf("a menu that failed was tried %d times", n)
		}
		r.wantState(true, "connected")
	})
}
