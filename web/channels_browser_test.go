package web

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"nacre"
	"nacre/web/webtest"
)

// channelsDesk is a linkDesk with strangers, and with all else that the room asks.
type channelsDesk struct{ *linkDesk }

func (channelsDesk) Me(_ context.Context, h Hand) (Me, error) {
	return Me{Owner: h.Owner, Operator: true}, nil
}

func (channelsDesk) Strangers(context.Context) ([]Stranger, error) { return nil, nil }

// openChannels opens the room of the channels in a browser that is logged in.
func (b *browser) openChannels() {
	b.T.Helper()
	b.logIn()
	b.Do(chromedp.Navigate(b.base + "/channels"))
	b.Until(`document.querySelectorAll("#channels li").length === 3`)
}

// linkCode is as long as those that WhatsApp gives.
func linkCode(n int) string {
	return fmt.Sprintf("https://wa.me/settings/linked_devices#%d@%s", n, strings.Repeat("aB3/", 58))
}

// scanned is what the page's QR code says by the pixels on the screen, module by
// module, with its margin.
func (b *browser) scanned() string {
	b.T.Helper()
	return webtest.Eval[string](b.Browser, `(async () => {
		const img = document.querySelector("#qr");
		await img.decode();
		const side = Number(decodeURIComponent(img.src).match(/viewBox="0 0 (\d+)/)[1]);
		const canvas = new OffscreenCanvas(4 * side, 4 * side), pen = canvas.getContext("2d");
		pen.drawImage(img, 0, 0, 4 * side, 4 * side);
		const { data } = pen.getImageData(0, 0, 4 * side, 4 * side);
		let rows = "";
		for (let y = 0; y < side; y++, rows += "\n")
			for (let x = 0; x < side; x++) {
				const at = 4 * ((4 * y + 2) * 4 * side + 4 * x + 2);
				rows += data[at + 3] < 255 ? "?" : data[at] < 64 ? "#" : data[at] > 192 ? "." : "?";
			}
		return rows;
	})()`)
}

// drawn is what scanned finds for a text.
func drawn(t *testing.T, text string) string {
	t.Helper()
	svg, err := drawSVG(text)
	if err != nil {
		t.Fatal(err)
	}
	dark := modules(t, svg)
	var side int
	if _, err := fmt.Sscanf(svg[strings.Index(svg, "viewBox"):], `viewBox="0 0 %d`, &side); err != nil {
		t.Fatal(err)
	}
	var rows strings.Builder
	for y := range side {
		for x := range side {
			rows.WriteByte(map[bool]byte{true: '#', false: '.'}[dark[[2]int{x, y}]])
		}
		rows.WriteByte('\n')
	}
	return rows.String()
}

// looks takes pictures at both widths and in both colours, and checks what can be
// measured of each. It ends as it began, wide and light.
func (b *browser) looks(name string) {
	b.T.Helper()
	for _, width := range []string{"desktop", "phone"} {
		if width == "phone" {
			b.Size(390, 844)
		}
		for _, scheme := range []string{"dark", "light"} {
			b.Scheme(scheme)
			b.Picture(name + "-" + width + "-" + scheme)
			b.fine()
		}
		b.fits()
	}
	b.Size(1280, 800)
}

func TestBrowserLinksByQRCode(t *testing.T) {
	d := newLinkDesk()
	d.set(&WhatsApp{Own: true}, "not linked yet")
	b := browse(t, channelsDesk{d})
	b.logIn()
	b.Until(`document.querySelector("nav a[href='/channels']").checkVisibility()`)
	b.openChannels()
	b.Until(`document.querySelector("#channels li:nth-child(3)").innerText.trim().split(/\s*\n\s*/).join() === "WhatsApp,not linked yet"`)
	b.looks("channels")

	b.Do(chromedp.Click(chromedp.CSS("#by-qr")))
	if phone := <-d.phones; phone != "" {
		t.Errorf("linking began with the number %q", phone)
	}
	b.Until(`document.querySelector("#news").textContent.includes("Asking WhatsApp") && document.activeElement.id === "stop"`)
	d.steps <- nacre.LinkStep{QR: linkCode(1), Until: time.Now().Add(time.Minute)}
	b.Until(`!document.querySelector("#qr").hidden && /^Good for [1-9][0-9] seconds\.$/.test(document.querySelector("#left").textContent)`)
	left := webtest.Eval[int](b.Browser, `parseInt(document.querySelector("#left").textContent.split(" ")[2])`)
	if left > 60 {
		t.Errorf("the code is said to be good for %d seconds, want 60", left)
	}
	for _, scheme := range []string{"dark", "light"} {
		b.Scheme(scheme)
		if got, want := b.scanned(), drawn(t, linkCode(1)); got != want {
			t.Errorf("%s: the page shows\n%s", scheme, got)
		}
	}
	b.looks("qr")
	b.Until(fmt.Sprintf(`parseInt(document.querySelector("#left").textContent.split(" ")[2]) < %d`, left))

	d.steps <- nacre.LinkStep{QR: linkCode(2), Until: time.Now().Add(300 * time.Millisecond)}
	b.Until(`document.querySelector("#news").textContent === "Here is a new code."`)
	b.Until(`document.querySelector("#left").textContent === "This code is too old. Wait for the next one." && document.querySelector("#linking").classList.contains("old")`)
	if got, want := b.scanned(), drawn(t, linkCode(2)); got != want || got == drawn(t, linkCode(1)) {
		t.Errorf("after the refresh the page shows\n%s", got)
	}
	b.Picture("old")
	d.steps <- nacre.LinkStep{QR: linkCode(3), Until: time.Now().Add(20 * time.Second)}
	b.Until(`!document.querySelector("#linking").classList.contains("old")`)

	d.set(&WhatsApp{Own: true, Linked: true}, "connected as +15550000001")
	d.steps <- nacre.LinkStep{Account: "+15550000001"}
	d.ends <- nil
	b.Until(`document.querySelector("#linking").hidden && !document.querySelector("#unlink").hidden && document.querySelector("#ways").hidden`)
	b.Until(`document.querySelector("#channels li:nth-child(3)").innerText.trim().split(/\s*\n\s*/).join() === "WhatsApp,OK,connected as +15550000001"`)
	if got, want := b.said(), "Linked as +15550000001. Now write to yourself on WhatsApp, and Nacre answers there.|"; got != want {
		t.Errorf("the page says %q, want %q", got, want)
	}
	if got, want := b.meaning(), "Your own number is linked: "; !strings.HasPrefix(got, want) {
		t.Errorf("what is linked is explained with %q, want %q", got, want)
	}
	b.looks("linked")

	d.set(&WhatsApp{Own: true}, "this account was unlinked on the phone; link it again with nacre pair whatsapp, or on the page")
	b.look()
	b.Until(`!document.querySelector("#ways").hidden && document.querySelector("#unlink").hidden && document.activeElement.id === "by-qr"`)
	if got := b.said() + b.meaning(); !strings.HasPrefix(got, "|Link your own number: ") {
		t.Errorf("unlinked, the page says %q", got)
	}
	if got, want := b.row(3), "WhatsApp,Not working,this account was unlinked on the phone; link it again below"; got != want {
		t.Errorf("unlinked, the channel is %q, want %q", got, want)
	}
	b.looks("unlinked")
}

// meaning is how the page explains what is linked, or would be.
func (b *browser) meaning() string {
	return webtest.Eval[string](b.Browser, `document.querySelector("#meaning").innerText`)
}

// row is what the page shows of the n-th channel.
func (b *browser) row(n int) string {
	return webtest.Eval[string](b.Browser, fmt.Sprintf(`document.querySelector("#channels li:nth-child(%d)").innerText.trim().split(/\s*\n\s*/).join()`, n))
}

// look lets the page look at the channels as if somebody came back to it.
func (b *browser) look() {
	b.Do(chromedp.Evaluate[chromedp.Void](`document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))`))
}

// said is what the page says last, and what is wrong.
func (b *browser) said() string {
	return webtest.Eval[string](b.Browser, `document.querySelector("#news").textContent + "|" + document.querySelector("#trouble").textContent`)
}

func TestBrowserLinksByPhoneNumber(t *testing.T) {
	d := newLinkDesk()
	b := browse(t, channelsDesk{d})
	b.openChannels()
	b.Until(`document.querySelector("#spare").checkVisibility()`)
	if got, want := b.meaning(), "Link a number that is Nacre’s alone, "; !strings.HasPrefix(got, want) {
		t.Errorf("what would be linked is explained with %q, want %q", got, want)
	}
	begin := func() {
		b.Do(chromedp.SendKeys(chromedp.CSS("#phone"), "+1 555 000 0001"))
		b.Key("Enter")
		if phone := <-d.phones; phone != "+1 555 000 0001" {
			t.Errorf("linking began with the number %q", phone)
		}
	}
	begin()
	d.ends <- nacre.Errorf(nacre.Invalid, "this is not a phone number with its country code")
	b.Until(`document.querySelector("#trouble").textContent === "This is not a phone number with its country code." && document.activeElement.id === "phone"`)
	b.Picture("refused")

	b.Do(chromedp.Evaluate[chromedp.Void](`document.querySelector("#phone").value = ""`))
	begin()
	d.steps <- nacre.LinkStep{Code: "ABCD-EFGH", Until: time.Now().Add(160 * time.Second)}
	b.Until(`document.querySelector("#code strong").innerText === "ABCD-EFGH" && document.querySelector("#trouble").textContent === ""`)
	if got, want := b.said(), "Type the code on the phone. It is A B C D - E F G H.|"; got != want {
		t.Errorf("the page says %q, want %q", got, want)
	}
	b.Do(chromedp.Click(chromedp.CSS("#code button")))
	b.Until(`document.querySelector("#notice").innerText.includes("Copied.")`)
	b.looks("code")
	d.ends <- nacre.Errorf(nacre.Transient, "nobody typed the code in time; try again")
	b.Until(`document.querySelector("#trouble").textContent === "Nobody typed the code in time; try again."`)

	b.Do(chromedp.Click(chromedp.CSS("#by-qr")))
	<-d.phones
	d.steps <- nacre.LinkStep{QR: linkCode(1), Until: time.Now().Add(time.Minute)}
	b.Until(`!document.querySelector("#qr").hidden`)
	b.Do(chromedp.Click(chromedp.CSS("#stop")))
	<-d.dropped
	b.Until(`document.querySelector("#news").textContent.startsWith("You stopped") && document.querySelector("#linking").hidden && document.activeElement.id === "by-qr"`)
}

func TestBrowserUnlinks(t *testing.T) {
	d := newLinkDesk()
	d.set(&WhatsApp{Linked: true}, "this account was unlinked on the phone")
	b := browse(t, channelsDesk{d})
	b.openChannels()
	b.Until(`document.querySelector("#channels .mark.bad")?.textContent === "Not working" && document.querySelector("#ways").hidden && !document.querySelector("#spare")`)
	if got, want := b.meaning(), "A number that is Nacre’s alone is linked. "; !strings.HasPrefix(got, want) {
		t.Errorf("what is linked is explained with %q, want %q", got, want)
	}
	b.Do(chromedp.Click(chromedp.CSS("#unlink")))
	b.Until(`document.querySelector("dialog[open]") !== null`)
	b.Picture("sure")
	b.Do(chromedp.Click(chromedp.CSS("dialog .plain")))
	b.Until(`!document.querySelector("dialog[open]")`)
	if !d.linked() {
		t.Error("it was unlinked, although the person said no")
	}
	d.refuse(nacre.Errorf(nacre.Transient, "WhatsApp does not answer"))
	unlink := func() {
		b.Do(chromedp.Click(chromedp.CSS("#unlink")), chromedp.Click(chromedp.CSS("dialog .danger")))
	}
	unlink()
	b.Until(`document.querySelector("#trouble").textContent === "WhatsApp does not answer."`)
	d.refuse(nil)
	b.Do(chromedp.Click(chromedp.CSS("#unlink")), chromedp.KeyEvent("\x1b"))
	b.Until(`!document.querySelector("dialog[open]")`)
	if !d.linked() {
		t.Error("it was unlinked, although the person pressed Escape")
	}
	unlink()
	b.Until(`document.querySelector("#news").textContent === "WhatsApp is unlinked." && !document.querySelector("#ways").hidden && document.querySelector("#unlink").hidden`)
	b.Until(`document.querySelector("#trouble").textContent === "" && document.activeElement.id === "by-qr"`)
}

// As long as nothing is linked there is a way on, whoever links elsewhere.
func TestBrowserWhileOthersLink(t *testing.T) {
	const others = "an account is being linked or unlinked"
	d := newLinkDesk()
	d.set(&WhatsApp{Own: true}, others)
	b := browse(t, channelsDesk{d})
	b.openChannels()
	b.Until(`!document.querySelector("#ways").hidden && document.querySelector("#unlink").hidden`)
	if got, want := b.row(3), "WhatsApp,"+others; got != want {
		t.Errorf("the channel is %q, want %q", got, want)
	}
	b.Do(chromedp.Click(chromedp.CSS("#by-qr")))
	<-d.phones
	d.ends <- nacre.Errorf(nacre.Conflict, "%s already; wait until that is done", others)
	b.Until(`document.querySelector("#trouble").textContent === "An account is being linked or unlinked already; wait until that is done." && document.activeElement.id === "by-qr"`)
	b.looks("others")
}

// The server is done with a linking a little after the person stopped it, and the
// page does not wait for its next look to show so.
func TestBrowserLooksAgainAfterStop(t *testing.T) {
	d := newLinkDesk()
	d.set(&WhatsApp{Own: true}, "an account is being linked or unlinked")
	b := browse(t, channelsDesk{d})
	b.openChannels()
	b.Do(chromedp.Click(chromedp.CSS("#by-qr")))
	<-d.phones
	d.steps <- nacre.LinkStep{QR: linkCode(1), Until: time.Now().Add(time.Minute)}
	b.Until(`!document.querySelector("#qr").hidden`)
	b.Do(chromedp.Evaluate[chromedp.Void](`for (let id = setTimeout(() => {}); id > 0; id--) clearTimeout(id)`)) // the looks by the clock
	b.Do(chromedp.Click(chromedp.CSS("#stop")))
	<-d.dropped
	b.Until(`document.querySelector("#news").textContent.startsWith("You stopped") && document.activeElement.id === "by-qr"`)
	d.set(&WhatsApp{Own: true}, "no account is linked; run nacre pair whatsapp, or open the page")
	b.Until(`document.querySelector("#channels li:nth-child(3) p").textContent === "no account is linked; link one below"`)
	if got, want := b.said(), "You stopped the linking. Nothing was linked.|"; got != want {
		t.Errorf("the page says %q, want %q", got, want)
	}
	b.looks("stopped")
}

// Where the keyboard is goes to what can be done, not to the top of the page.
func TestBrowserKeepsTheFocusWhenTheFirstLoginFails(t *testing.T) {
	d := newLinkDesk()
	b := browse(t, channelsDesk{d})
	b.openChannels()
	b.Do(chromedp.Click(chromedp.CSS("#by-qr")))
	<-d.phones
	d.set(&WhatsApp{Linked: true}, "not connected yet")
	d.ends <- nacre.Errorf(nacre.Transient, "the account is linked, but its first login failed")
	b.Until(`document.querySelector("#trouble").textContent === "The account is linked, but its first login failed." && document.querySelector("#ways").hidden`)
	if got := webtest.Eval[string](b.Browser, `document.activeElement.id`); got != "unlink" {
		t.Errorf("the focus is on %q, want the way on", got)
	}
	b.looks("login-failed")
}

// The page shows what changes while it is open.
func TestBrowserFollowsTheChannels(t *testing.T) {
	d := newLinkDesk()
	b := browse(t, channelsDesk{d})
	b.openChannels()
	d.set(nil, "")
	b.look()
	b.Until(`document.querySelector("#off") !== null && !document.querySelector("#whatsapp") && document.querySelectorAll("#channels li").length === 2`)
	b.Picture("off")
	b.logins.mu.Lock()
	clear(b.logins.kept)
	b.logins.mu.Unlock()
	b.look()
	b.Until(`document.querySelector("main .problem p").textContent.startsWith("You are not logged in.")`)
}
