// Package webtest drives a real browser in tests of the page: headless Chromium,
// which clicks, types and looks.
package webtest

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// chromium is where Debian puts it.
const chromium = "/usr/bin/chromium"

// patience bounds how long a test waits for something to be so on the page.
const patience = 20 * time.Second

// Browser is a browser with one window. Its methods end the test where something
// cannot be done.
type Browser struct {
	T   *testing.T
	Ctx context.Context // of its window; ends with the test

	// Asked counts how often the window asked whether to leave the page. The answer is
	// always yes.
	Asked atomic.Int32
}

// New starts a browser with a window of 1280 by 800. Where there is none the test is
// skipped, and fails where the project's checks run.
func New(t *testing.T) *Browser {
	t.Helper()
	if _, err := os.Stat(chromium); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("the checks need a browser: %v", err)
		}
		t.Skipf("no browser to test with (.ci/run says how it is installed): %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx, chromedp.WithAllocatorOptions(chromedp.ExecPath(chromium), chromedp.NoSandbox,
		chromedp.Env("FONTCONFIG_FILE="+fonts(t)), chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("lang", "en-US")))
	t.Cleanup(cancel)
	return window(t, ctx)
}

func window(t *testing.T, ctx context.Context) *Browser {
	t.Helper()
	if err := chromedp.Do(ctx); err != nil { // which starts it, for as long as ctx lasts
		t.Fatal(err)
	}
	b := &Browser{T: t, Ctx: ctx}
	b.Size(1280, 800)
	dialogs := chromedp.Events(ctx, page.JavascriptDialogOpening)
	go func() {
		for _, err := range dialogs {
			if err != nil {
				return // the window is closed
			}
			b.Asked.Add(1)
			chromedp.Call(ctx, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: true})
		}
	}()
	return b
}

// Window opens one more window of the same browser, which is logged in where this
// one is.
func (b *Browser) Window() *Browser {
	b.T.Helper()
	ctx, cancel := chromedp.NewContext(b.Ctx)
	b.T.Cleanup(cancel)
	return window(b.T, ctx)
}

// Do carries out steps.
func (b *Browser) Do(steps ...chromedp.Action[chromedp.Void]) {
	b.T.Helper()
	ctx, cancel := context.WithTimeout(b.Ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.T.Fatalf("%v; the page shows %q", err, Eval[string](b, `document.body?.innerText ?? ""`))
	}
}

// Open goes to an address.
func (b *Browser) Open(url string) {
	b.T.Helper()
	b.Do(chromedp.Navigate(url))
}

// Until waits for an expression of JavaScript to be true, also over changes of the
// page, in which it cannot be evaluated.
func (b *Browser) Until(js string) {
	b.T.Helper()
	deadline := time.Now().Add(patience)
	for {
		_, err := chromedp.Run(b.Ctx, chromedp.Poll[bool](`(() => { try { return `+js+`; } catch { return false; } })()`, chromedp.WithPollingTimeout(time.Until(deadline))))
		if err == nil {
			return
		}
		if time.Now().After(deadline) || b.Ctx.Err() != nil {
			b.T.Fatalf("%s: %v; the page shows %q", js, err, Eval[string](b, `document.body?.innerText ?? ""`))
		}
	}
}

// Sees waits for words to be read on the page, or in a part of it that a selector
// names.
func (b *Browser) Sees(selector, words string) {
	b.T.Helper()
	b.Until(fmt.Sprintf(`[...document.querySelectorAll(%s)].some((e) => e.checkVisibility() && e.innerText.includes(%s))`, quoted(selector), quoted(words)))
}

// SeesNot waits for words to be nowhere in what a selector names.
func (b *Browser) SeesNot(selector, words string) {
	b.T.Helper()
	b.Until(fmt.Sprintf(`![...document.querySelectorAll(%s)].some((e) => e.checkVisibility() && e.innerText.includes(%s))`, quoted(selector), quoted(words)))
}

// Press waits for the first button, link or tab with just this name that can be
// seen, and clicks it as a mouse does.
func (b *Browser) Press(name string) {
	b.T.Helper()
	b.PressIn("body", name)
}

// PressIn is Press inside what a selector names.
func (b *Browser) PressIn(selector, name string) {
	b.T.Helper()
	const mark = "data-press-here"
	b.Until(fmt.Sprintf(`(() => {
		const open = document.querySelector("dialog[open]");
		for (const room of document.querySelectorAll(%s)) {
			for (const e of room.querySelectorAll("button, a[href], [role=tab], summary, label, [role=option]")) {
				const name = (e.getAttribute("aria-label") ?? e.innerText).trim();
				if (name !== %s || !e.checkVisibility() || e.disabled || (open && !open.contains(e))) continue;
				for (const old of document.querySelectorAll("[%s]")) old.removeAttribute("%s");
				e.setAttribute("%s", "");
				e.scrollIntoView({ block: "center" });
				return true;
			}
		}
		return false;
	})()`, quoted(selector), quoted(name), mark, mark, mark))
	b.Do(chromedp.Click(chromedp.CSS("[" + mark + "]")))
}

// Fill replaces what stands in the field that the first line of a label, or a
// selector, names by words, typed on the keyboard.
func (b *Browser) Fill(field, words string) {
	b.T.Helper()
	mark := b.take(field)
	b.Key("Backspace")
	if words != "" {
		b.Do(chromedp.SendKeys(chromedp.CSS(mark), words))
	}
}

// Choose chooses an option, by what it says, in the list that the first line of a
// label, or a selector, names.
func (b *Browser) Choose(field, option string) {
	b.T.Helper()
	mark := b.take(field)
	b.Until(fmt.Sprintf(`(() => {
		const list = document.querySelector(%s);
		const at = [...list.options].findIndex((o) => o.text.trim() === %s);
		if (at < 0) return false;
		list.selectedIndex = at;
		for (const kind of ["input", "change"]) list.dispatchEvent(new Event(kind, { bubbles: true }));
		return true;
	})()`, quoted(mark), quoted(option)))
}

// take waits for a field, puts the focus there with all its words marked, and returns
// a selector that names it.
func (b *Browser) take(field string) string {
	b.T.Helper()
	const mark = "data-fill-here"
	b.Until(fmt.Sprintf(`(() => {
		const named = [...document.querySelectorAll("input, textarea, select")].filter((e) => e.checkVisibility() &&
			((e.getAttribute("aria-label") ?? [...(e.labels ?? [])].map((l) => l.innerText.trim().split("\n")[0]).join(" ")).trim() === %[1]s));
		let e = named[0];
		if (!e) try { e = document.querySelector(%[1]s); } catch {}
		if (!e?.checkVisibility()) return false;
		for (const old of document.querySelectorAll("[%[2]s]")) old.removeAttribute("%[2]s");
		e.setAttribute("%[2]s", "");
		e.focus();
		e.select?.();
		return true;
	})()`, quoted(field), mark))
	return "[" + mark + "]"
}

// Key presses one key as a keyboard does, by its name, such as Enter, Escape or Tab.
func (b *Browser) Key(name string, modifiers ...chromedp.Modifier) {
	b.T.Helper()
	codes := map[string]int64{"Backspace": 8, "Tab": 9, "Enter": 13, "Escape": 27, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Delete": 46}
	down := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Key: name, Code: name, WindowsVirtualKeyCode: codes[name]}
	if name == "Enter" {
		down.Text = "\r"
	}
	for _, m := range modifiers {
		down.Modifiers |= int64(m)
	}
	up := down
	up.Type, up.Text = input.DispatchKeyEventTypeKeyUp, ""
	for _, e := range []input.DispatchKeyEventParams{down, up} {
		if _, err := chromedp.Call(b.Ctx, input.DispatchKeyEvent, e); err != nil {
			b.T.Fatal(err)
		}
	}
}

// Eval evaluates an expression in the page, also a promise.
func Eval[T any](b *Browser, js string) T {
	b.T.Helper()
	v, err := chromedp.Run(b.Ctx, chromedp.Evaluate[T](js, chromedp.EvalAwaitPromise))
	if err != nil {
		b.T.Fatalf("%s: %v", js, err)
	}
	return v
}

// Size makes the window as large, in CSS pixels; up to 480 wide it is a phone.
func (b *Browser) Size(width, height int64) {
	b.T.Helper()
	if width > 480 {
		b.Do(chromedp.EmulateViewport(width, height))
		return
	}
	b.Do(chromedp.EmulateViewport(width, height, chromedp.EmulateMobile, chromedp.EmulateTouch))
}

// Paint loads the window's page anew a few times and returns how long it took, at best,
// until something could be seen: the best, since the machine may be busy.
func (b *Browser) Paint() (best time.Duration) {
	b.T.Helper()
	for range 4 {
		b.Do(chromedp.Reload())
		b.Until(`performance.getEntriesByName("first-contentful-paint").length === 1`)
		took := time.Duration(Eval[float64](b, `performance.getEntriesByName("first-contentful-paint")[0].startTime`) * float64(time.Millisecond))
		if best == 0 || took < best {
			best = took
		}
	}
	return best
}

// Scheme makes the system's colours "light" or "dark", and its motion still.
func (b *Browser) Scheme(s string) {
	b.T.Helper()
	_, err := chromedp.Call(b.Ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: s}, {Name: "prefers-reduced-motion", Value: "reduce"}}})
	if err != nil {
		b.T.Fatal(err)
	}
}

// Picture takes a screenshot, as PNG, and keeps it for people to look at.
func (b *Browser) Picture(name string) []byte {
	b.T.Helper()
	b.still()
	shot, err := chromedp.Run(b.Ctx, chromedp.CaptureScreenshot())
	if err != nil {
		b.T.Fatal(err)
	}
	path := filepath.Join(b.T.ArtifactDir(), name+".png")
	if err := os.WriteFile(path, shot, 0o600); err != nil {
		b.T.Fatal(err)
	}
	b.T.Log("look at", path)
	return shot
}

// still waits until nothing on the page moves, but for what moves without an end.
func (b *Browser) still() {
	b.T.Helper()
	b.Until(`document.getAnimations().every((a) => a.playState !== "running" || a.effect.getTiming().iterations === Infinity)`)
}

// quoted is a text as JavaScript writes it.
func quoted(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err) // texts can be marshalled
	}
	return string(b)
}
