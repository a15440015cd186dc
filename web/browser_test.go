package web

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"log/slog"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"nacre"
	"nacre/gateway"
	"nacre/gateway/gatewaytest"
)

const chromium = "/usr/bin/chromium"

// browser is a real one before a real server on loopback.
type browser struct {
	t      *testing.T
	ctx    context.Context
	base   string
	host   *gatewaytest.Host
	chat   *Chat
	logins *keptLogins
	site   Site
}

// newBrowser starts one, or skips the test where there is none; where the
// checks of the project run there must be one.
func newBrowser(t *testing.T) *browser {
	t.Helper()
	return browse(t, plainDesk{})
}

// browse is newBrowser before a desk.
func browse(t *testing.T, desk Desk) *browser {
	t.Helper()
	if _, err := os.Stat(chromium); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("the checks need a browser: %v", err)
		}
		t.Skipf("no browser to test with: %v", err)
	}
	b := &browser{t: t, host: gatewaytest.NewHost(), logins: newLogins(), chat: NewChat(slog.New(slog.DiscardHandler))}
	server := httptest.NewUnstartedServer(nil)
	b.base = "http://" + server.Listener.Addr().String()
	var err error
	if b.site, err = NewSite(server.Listener.Addr().String(), ""); err != nil {
		t.Fatal(err)
	}
	server.Config.Handler = Public(Options{Desk: desk, Chat: b.chat, Logins: b.logins, Operator: func() nacre.OwnerID { return ann }, Site: b.site, Log: slog.New(slog.DiscardHandler)})
	server.Start()
	t.Cleanup(server.Close)
	running, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); b.chat.Run(running, b.host) }()
	t.Cleanup(func() { stop(); <-ended })

	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(cancel)
	b.ctx, cancel = chromedp.NewContext(ctx, chromedp.WithAllocatorOptions(chromedp.ExecPath(chromium), chromedp.NoSandbox,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true)))
	t.Cleanup(cancel)
	b.do(chromedp.EmulateViewport(1280, 800))
	return b
}

func (b *browser) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, steps...); err != nil {
		b.t.Fatal(err)
	}
}

// logIn opens a fresh link and waits until the page is attached.
func (b *browser) logIn() {
	b.t.Helper()
	link, err := Link(b.t.Context(), b.logins, b.site, ann)
	if err != nil {
		b.t.Fatal(err)
	}
	b.do(chromedp.Navigate(link), chromedp.WaitVisible(chromedp.CSS("#words")))
	b.until(`document.querySelector("#banner").hidden && location.pathname === "/"`)
	b.attached()
}

// attached waits until the one page is.
func (b *browser) attached() {
	for ok := false; !ok; { // the gateway would wait for Flush
		_, words := b.chat.State()
		ok = words == "1 page is open"
	}
}

// until waits for an expression to be true in the page, also over changes of
// the page, in which it cannot be evaluated.
func (b *browser) until(js string) {
	b.t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for {
		_, err := chromedp.Run(b.ctx, chromedp.Poll[bool](`(() => { try { return `+js+`; } catch { return false; } })()`, chromedp.WithPollingTimeout(time.Until(deadline))))
		if err == nil {
			return
		}
		if time.Now().After(deadline) || b.ctx.Err() != nil {
			b.t.Fatalf("%s: %v; the page shows %q", js, err, eval[string](b, `document.body?.innerText ?? ""`))
		}
	}
}

// eval evaluates an expression in the page, also a promise.
func eval[T any](b *browser, js string) T {
	b.t.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](js, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%s: %v", js, err)
	}
	return v
}

// typeIn types words and then Enter.
func (b *browser) typeIn(words string) {
	b.t.Helper()
	b.do(chromedp.SendKeys(chromedp.CSS("#words"), words))
	b.enter(0)
}

// enter presses Enter as a keyboard does: the character belongs to the key, so
// that a page which takes the key gets no character.
func (b *browser) enter(m chromedp.Modifier) {
	b.t.Helper()
	down := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Key: "Enter", Code: "Enter", Text: "\r", WindowsVirtualKeyCode: 13, Modifiers: int64(m)}
	up := down
	up.Type, up.Text = input.DispatchKeyEventTypeKeyUp, ""
	for _, e := range []input.DispatchKeyEventParams{down, up} {
		if _, err := chromedp.Call(b.ctx, input.DispatchKeyEvent, e); err != nil {
			b.t.Fatal(err)
		}
	}
}

// send delivers a part and waits until the page has shown it.
func (b *browser) send(id string, p nacre.Part) {
	b.t.Helper()
	d := nacre.Delivery{ID: nacre.DeliveryID(id), Chat: chatOf(ann), Part: p}
	if _, err := b.chat.Send(b.t.Context(), d, false); err != nil {
		b.t.Fatalf("part %s: %v", id, err)
	}
}

func (b *browser) scheme(s string) {
	b.t.Helper()
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: s}}})
	if err != nil {
		b.t.Fatal(err)
	}
}

// contrast is the least ratio of luminance (WCAG 2.2) between a text on the
// page and what is behind it.
func (b *browser) contrast() float64 {
	b.t.Helper()
	return eval[float64](b, `(() => {
		const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
		const rgba = (c) => { pen.clearRect(0, 0, 1, 1); pen.fillStyle = c; pen.fillRect(0, 0, 1, 1); return pen.getImageData(0, 0, 1, 1).data; };
		const light = (c) => [...rgba(c)].slice(0, 3).map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
		const behind = (e) => { const c = getComputedStyle(e).backgroundColor; return rgba(c)[3] ? c : behind(e.parentElement); };
		let least = 21;
		for (const e of document.body.querySelectorAll("*")) {
			if (![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) || !e.checkVisibility()) continue;
			const [a, b] = [light(getComputedStyle(e).color), light(behind(e))];
			least = Math.min(least, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05));
		}
		return least;
	})()`)
}

// picture writes a screenshot for people to look at, and returns the colour of
// its corner.
func (b *browser) picture(name string) color.Color {
	b.t.Helper()
	b.until(`document.getAnimations().every((a) => a.playState !== "running" || a.effect.getTiming().iterations === Infinity)`)
	shot, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		b.t.Fatal(err)
	}
	path := filepath.Join(b.t.ArtifactDir(), name+".png")
	if err := os.WriteFile(path, shot, 0o600); err != nil {
		b.t.Fatal(err)
	}
	b.t.Log("look at", path)
	img, err := png.Decode(bytes.NewReader(shot))
	if err != nil {
		b.t.Fatal(err)
	}
	return img.At(1, 1)
}

// firstPaint is when the page showed anything, in milliseconds since it was
// asked for: now, and the best of a few loads, since the machine may be busy.
func (b *browser) firstPaint() (first, best float64) {
	b.t.Helper()
	const painted = `performance.getEntriesByName("first-contentful-paint").length === 1`
	for i := range 4 {
		b.until(painted)
		took := eval[float64](b, `performance.getEntriesByName("first-contentful-paint")[0].startTime`)
		if i == 0 {
			first, best = took, took
		}
		best = min(best, took)
		b.do(chromedp.Reload())
	}
	b.until(`document.querySelector("#banner").hidden`)
	return first, best
}

const letter = "## Plan for Saturday\n\nHere is a **short** plan with *three* steps, ~~four~~, and `code`:\n\n" +
	"1. Take the train at 9:05\n2. Meet Ann\n   - bring the *map*\n   - and [the tickets](https://example.org/t)\n3. Lunch\n\n" +
	"- [x] call the restaurant\n- [ ] water the plants\n\n> Remember the umbrella.\n> It may rain.\n\n" +
	"| Train | From | Price |\n|:--|:-:|--:|\n| RE 5 | 9:05 | 12.40 |\n| IC 17 | 10:12 | 29.00 |\n\n" +
	"```go\nfunc main() {\n\tfmt.Println(\"a rather long line of code which does not fit on a phone and must be scrolled\")\n}\n```"

func TestBrowserChats(t *testing.T) {
	b := newBrowser(t)
	b.logIn()
	if first, best := b.firstPaint(); best > 200 {
		t.Errorf("the first paint of the page took %.0f ms at best, want at most 200", best)
	} else {
		t.Logf("the first paint of the page took %.0f ms in a cold browser, then %.0f ms", first, best)
	}
	b.picture("empty-desktop")

	b.typeIn("Can you plan my Saturday?")
	m, err := b.host.Wait(b.ctx, 1)
	if err != nil || m[0].Text() != "Can you plan my Saturday?" {
		t.Fatalf("stored %v, %v", m, err)
	}
	b.until(`document.querySelectorAll(".mine:not(.waiting)").length === 1`)

	b.chat.Typing(t.Context(), chatOf(ann))
	b.until(`document.querySelector("#typing").textContent === "Nacre is writing…"`)
	for _, end := range []int{40, 120, 300} {
		b.chat.Stream(t.Context(), gateway.Bubble{Chat: chatOf(ann), Turn: "t-1"}, letter[:end])
		b.until(fmt.Sprintf(`document.querySelector("#draft").innerText.length > %d`, end/2))
	}
	b.until(`document.querySelector("#typing").textContent === ""`)
	b.picture("streaming-desktop")
	b.send("d-1", nacre.Part{Text: letter})
	b.until(`document.querySelector("#draft").hidden && document.querySelectorAll(".theirs .body table").length === 1`)

	dot := new(bytes.Buffer)
	if err := png.Encode(dot, image.NewGray(image.Rect(0, 0, 200, 80))); err != nil {
		t.Fatal(err)
	}
	b.send("d-2", nacre.Part{File: &nacre.File{Name: "map.png", MIME: "image/png", Data: dot.Bytes()}})
	b.send("d-3", nacre.Part{Text: "Shall I book it?", Question: "q-1", Options: []string{"Yes, please", "No", "Ask me tomorrow"}})
	b.until(`document.querySelector("figure img").naturalWidth === 200`)
	if got := eval[string](b, `fetch(document.querySelector("figure a").href).then((r) => r.text(), () => "blocked")`); got != "blocked" {
		t.Errorf("a script of the page could read %d bytes from outside of its policy", len(got))
	}

	light := b.picture("desktop-light")
	b.scheme("dark")
	if dark := b.picture("desktop-dark"); dark == light {
		t.Errorf("dark and light are the same colour, %v", dark)
	}
	b.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile, chromedp.EmulateTouch))
	b.picture("phone-dark")
	for _, scheme := range []string{"dark", "light"} {
		b.scheme(scheme)
		if got := b.contrast(); got < 4.5 || got > 20 {
			t.Errorf("%s: the least contrast of a text is %.1f, want 4.5 and not none found", scheme, got)
		}
	}
	b.picture("phone-light")
	if wide := eval[bool](b, `document.documentElement.scrollWidth > innerWidth`); wide {
		t.Error("the page is wider than the phone")
	}
	for i := range 12 {
		b.send(fmt.Sprint("e-", i), nacre.Part{Text: "one more"})
	}
	if tall := eval[bool](b, `document.documentElement.scrollHeight > innerHeight`); tall {
		t.Error("the page scrolls away as a whole; only the messages may")
	}
	if scrolls := eval[bool](b, `(({scrollHeight, clientHeight}) => scrollHeight > clientHeight)(document.querySelector("#words"))`); scrolls {
		t.Error("the empty field scrolls")
	}
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("#scroll").scrollTop = 0`))
	b.picture("phone-light-top")

	b.host.Answer("No", nil)
	b.do(chromedp.Click(chromedp.CSS(`.options button:nth-child(2)`)))
	b.until(`document.querySelector(".options button[aria-pressed=true]").textContent === "No"`)
	if p := b.host.Presses(); len(p) != 1 || p[0].Question != "q-1" || p[0].Option != 1 {
		t.Errorf("pressed %+v", p)
	}
	b.picture("phone-chosen")
}

// TestBrowserAsksWhy shows that the newest answer, and no other and none to a
// command, can be asked what it rests on.
func TestBrowserAsksWhy(t *testing.T) {
	b := newBrowser(t)
	b.logIn()
	b.typeIn("When does my train leave?")
	if _, err := b.host.Wait(b.ctx, 1); err != nil {
		t.Fatal(err)
	}
	b.send("d-1", nacre.Part{Text: "At 9:05,"})
	b.send("d-2", nacre.Part{Text: "from platform 3."})
	b.until(`document.querySelectorAll("#log .theirs").length === 2 && document.querySelectorAll(".why").length === 1 && document.querySelector("#log .theirs:last-child .why") !== null`)
	b.picture("why-desktop")
	b.do(chromedp.Click(chromedp.CSS(".why")))
	m, err := b.host.Wait(b.ctx, 2)
	if err != nil || m[1].Text() != "/why" {
		t.Fatalf("stored %v, %v, want /why", m, err)
	}
	b.send("d-3", nacre.Part{Text: "Nothing was in front of me."})
	b.until(`document.querySelectorAll("#log .theirs").length === 3`)
	if n := eval[int](b, `document.querySelectorAll(".why").length`); n != 0 {
		t.Errorf("%d buttons ask why a command was answered", n)
	}
}

// sessions are the logins of the browsers, as pages know them.
func (b *browser) sessions() (logins []string) {
	b.logins.mu.Lock()
	defer b.logins.mu.Unlock()
	for key := range b.logins.kept {
		if tag, ok := strings.CutPrefix(key, string(nacre.LoginSession)); ok {
			logins = append(logins, tag)
		}
	}
	return logins
}

// drop cuts the connections of all pages of some logins.
func (b *browser) drop(logins []string) {
	for _, login := range logins {
		b.chat.logout(login)
	}
}

func TestBrowserKeepsWhatIsSaidWhileAway(t *testing.T) {
	b := newBrowser(t)
	b.logIn()
	b.host.Fail(nacre.Errorf(nacre.Transient, "the disk is full"))
	b.do(chromedp.SendKeys(chromedp.CSS("#words"), "one"))
	b.enter(chromedp.ModifierShift)
	b.typeIn("two")
	b.until(`document.querySelectorAll(".waiting").length === 1`)
	b.drop(b.sessions())
	b.until(`!document.querySelector("#banner").hidden`)
	b.picture("away")
	b.host.Fail(nil)
	b.until(`document.querySelector("#banner").hidden && document.querySelectorAll(".mine:not(.waiting)").length === 1`)
	if m, err := b.host.Wait(b.ctx, 1); err != nil || len(m) != 1 || m[0].Text() != "one\ntwo" {
		t.Errorf("stored %v, %v", m, err)
	}
	b.send("d-1", nacre.Part{Text: "first"})
	b.send("d-1", nacre.Part{Text: "first"})
	b.send("d-2", nacre.Part{Text: "second"})
	b.until(`document.querySelectorAll(".theirs.message .foot").length === 2`)

	field := func(js string) {
		b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("#words").value = ` + js))
	}
	field(fmt.Sprintf(`"x".repeat(%d)`, maxRequest))
	b.enter(0)
	b.until(`document.querySelector(".notice").textContent.includes("too long")`)
	field(`""`)
	b.host.Fail(nacre.Errorf(nacre.Denied, "Not today."))
	b.typeIn("three")
	b.until(`document.querySelector(".refused .state").textContent === "Not sent: Not today."`)
}

func TestBrowserIsLoggedOut(t *testing.T) {
	b := newBrowser(t)
	b.logIn()
	if got := eval[string](b, `document.cookie`); got != "" {
		t.Errorf("scripts can read the cookie %q", got)
	}
	b.do(chromedp.Navigate(b.base + "/login"))
	b.until(`location.pathname === "/" && document.querySelector("#banner").hidden`)
	b.typeIn("hello") // answered only when the page is connected
	b.until(`document.querySelectorAll(".mine:not(.waiting)").length === 1`)
	open := b.sessions()
	b.logins.forget()
	b.drop(open)
	b.until(`document.querySelector("#banner a").pathname === "/login"`)
	b.do(chromedp.Navigate(b.base + "/"))
	b.until(`location.pathname === "/login"`)
	b.picture("login")
	b.do(chromedp.Evaluate[chromedp.Void](`location.hash = "#used-up"`))
	b.until(`document.querySelector("#state").textContent.includes("used up") && location.hash === ""`)
	b.picture("login-refused")
	b.logIn()
	b.do(chromedp.Click(chromedp.CSS("header button")))
	b.until(`location.pathname === "/login"`)
}

func TestBrowserShowsMarkdown(t *testing.T) {
	b := newBrowser(t)
	b.logIn()
	const link = `<a href="https://x.example/" title="https://x.example/" rel="noopener noreferrer" target="_blank">`
	const bare = `<a href="https://x.example/a" rel="noopener noreferrer" target="_blank">https://x.example/a</a>`
	for _, c := range []struct{ name, in, want string }{
		{"paragraphs", "a\nb\n\nc", "<p>a<br>b</p><p>c</p>"},
		{"emphasis", "**a** *b* __c__ _d_ ~~e~~", "<p><strong>a</strong> <em>b</em> <strong>c</strong> <em>d</em> <s>e</s></p>"},
		{"nested emphasis", "**a *b* c**", "<p><strong>a <em>b</em> c</strong></p>"},
		{"unclosed", "**a *b", "<p>**a *b</p>"},
		{"crossing", "*a **b* c**", "<p><em>a **b</em> c**</p>"},
		{"no emphasis", "2 * 3 * 4, snake_case_name, \\*x\\*", "<p>2 * 3 * 4, snake_case_name, *x*</p>"},
		{"code", "`a*b*` ``x`y`` `open", "<p><code>a*b*</code> <code>x`y</code> `open</p>"},
		{"fence", "```go\n<b>\n\n*a*\n```\nb", `<pre tabindex="0" role="region" aria-label="Code: go"><code>&lt;b&gt;` + "\n\n*a*</code></pre><p>b</p>"},
		{"open fence", "~~~\na", `<pre tabindex="0" role="region" aria-label="Code"><code>a</code></pre>`},
		{"headings", "# a\n###### b #", "<h3>a</h3><h6>b</h6>"},
		{"quote", "> a\n>> b\n\nc", "<blockquote><p>a</p><blockquote><p>b</p></blockquote></blockquote><p>c</p>"},
		{"lists", "- a\n  - b\n- c\n\n3. d\n4. e", "<ul><li><p>a</p><ul><li><p>b</p></li></ul></li><li><p>c</p></li></ul><ol start=\"3\"><li><p>d</p></li><li><p>e</p></li></ol>"},
		{"loose list", "- a\n\n- b\n\n  c", "<ul><li><p>a</p></li><li><p>b</p><p>c</p></li></ul>"},
		{"rule", "a\n\n---", "<p>a</p><hr>"},
		{"link", "[**a**](https://x.example)", "<p>" + link + "<strong>a</strong></a></p>"},
		{"picture", "![a](https://x.example)", "<p>" + link + "a</a></p>"},
		{"bare link", "see https://x.example/a.", "<p>see " + bare + ".</p>"},
		{"bare link in brackets", "(<https://x.example/a>)", "<p>(" + bare + ")</p>"},
		{"script link", "[a](javascript:alert(1)) [b](data:text/html,x) [c](/logout)", "<p>[a](javascript:alert(1)) [b](data:text/html,x) [c](/logout)</p>"},
		{"HTML", `<img src=x onerror=alert(1)><script>1</script>`, "<p>&lt;img src=x onerror=alert(1)&gt;&lt;script&gt;1&lt;/script&gt;</p>"},
		{"table", "|a|b|\n|-|-:|\n|`c`|d\\|e|", `<div class="table" tabindex="0" role="region" aria-label="Table"><table><thead><tr><th>a</th><th class="right">b</th></tr></thead><tbody><tr><td><code>c</code></td><td class="right">d|e</td></tr></tbody></table></div>`},
		{"no table", "a | b\nc", "<p>a | b<br>c</p>"},
		{"task", "- [x] a", `<ul><li class="task"><input type="checkbox" disabled="" aria-label="done"><p>a</p></li></ul>`},
	} {
		if got := eval[string](b, markdown(c.in)+`.then((d) => d.innerHTML)`); got != c.want {
			t.Errorf("%s: %q became\n%s, want\n%s", c.name, c.in, got, c.want)
		}
	}
}

// markdown is a script which gives a promise of an element with a text in it.
func markdown(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err) // strings can be marshalled
	}
	return `import("/markdown.js").then((m) => { const d = document.createElement("div"); d.append(m.render(` + string(quoted) + `)); return d; })`
}

// Whatever a text is, it makes only the elements that are known, only safe
// addresses, and ends soon.
func TestBrowserTrustsNoMarkdown(t *testing.T) {
	b := newBrowser(t)
	b.logIn()
	const check = `.then((d) => { const ok = new Set("p br strong em s code pre h3 h4 h5 h6 blockquote ul ol li hr a div table thead tbody tr th td input".split(" "));
		for (const e of d.querySelectorAll("*")) {
			if (!ok.has(e.localName)) return e.outerHTML;
			if (e.localName === "a" && !/^(https?|mailto):/.test(e.href)) return e.outerHTML;
			for (const a of e.attributes) if (/^on|style|src/.test(a.name)) return e.outerHTML;
		}
		return ""; })`
	pieces := []string{"<script>", "</p>", "[a](", "javascript:x", ")", "![", "](data:text/html,1)", "**", "*", "_", "~~", "`", "```", "\n", "\n\n", "> ", "- ", "1. ", "    ", "|", "|-|\n",
		"https://x.example", "<https://", "\\", "\x00", "\u202e", "é", "a", " ", "# ", "<img src=x onerror=y>", "[x](java\tscript:y)", "[x](//evil.example)"}
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var text strings.Builder
		for range random.IntN(60) {
			text.WriteString(pieces[random.IntN(len(pieces))])
		}
		if bad := eval[string](b, markdown(text.String())+check); bad != "" {
			t.Fatalf("%q made %s", text.String(), bad)
		}
	}
	if eval[string](b, `Promise.resolve(document.createElement("div")).then((d) => { d.innerHTML = "<img>"; return d; })`+check) == "" {
		t.Error("the check finds nothing where there is something")
	}
	for _, piece := range append(pieces, "*a ", "**a *b ", "[a](b", "`a``", "- a\n  ", "> > ", "|a|b|\n|-|-|\n", "((((") {
		long := markdown(strings.Repeat(piece, 20_000/len(piece)))
		took := eval[float64](b, `(async () => { await import("/markdown.js"); const t = performance.now(); await `+long+`; return performance.now() - t; })()`)
		if took > 1000 {
			t.Errorf("20,000 bytes of %q took %.0f ms", piece, took)
		}
	}
}
