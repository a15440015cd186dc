package media

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"nacre"
)

// pdfFile collects the objects of a PDF file, the first of which is the root.
type pdfFile struct {
	objects []string
	trailer string // more entries
}

func (f *pdfFile) add(format string, args ...any) (id int) {
	f.objects = append(f.objects, fmt.Sprintf(format, args...))
	return len(f.objects)
}

func (f *pdfFile) stream(entries, data string) (id int) {
	return f.add("<< /Length %d %s >>\nstream\n%s\nendstream", len(data), entries, data)
}

// bytes writes the file with its table of objects.
func (f *pdfFile) bytes() []byte {
	var out bytes.Buffer
	out.WriteString("%PDF-1.4\n")
	var table strings.Builder
	for i, o := range f.objects {
		fmt.Fprintf(&table, "%010d 00000 n \n", out.Len())
		fmt.Fprintf(&out, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	start := out.Len()
	fmt.Fprintf(&out, "xref\n0 %d\n0000000000 65535 f \n%s", len(f.objects)+1, &table)
	fmt.Fprintf(&out, "trailer\n<< /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF\n", len(f.objects)+1, f.trailer, start)
	return out.Bytes()
}

// pdfOf makes a file with a page for each content, whose font F has glyphs half
// as wide as high, or T, which is typeset with two bytes a glyph.
func pdfOf(contents ...string) *pdfFile {
	f := &pdfFile{}
	f.add("<< /Type /Catalog /Pages 2 0 R >>")
	kids := make([]string, len(contents))
	for i := range kids {
		kids[i] = fmt.Sprintf("%d 0 R", 6+2*i)
	}
	f.add("<< /Type /Pages /Count %d /Kids [%s] /Resources << /Font << /F 3 0 R /T 4 0 R >> >> >>", len(contents), strings.Join(kids, " "))
	f.add("<< /Type /Font /Subtype /Type1 /BaseFont /X /Encoding /WinAnsiEncoding /FirstChar 32 /LastChar 126 /Widths [%s] >>", strings.Repeat("500 ", 95))
	f.add("<< /Type /Font /Subtype /Type0 /Encoding /Identity-H /ToUnicode 5 0 R /DescendantFonts [<< /DW 2000 /W [1 [500 500] 3 9 500] >>] >>")
	f.stream("", "1 begincodespacerange <0000> <FFFF> endcodespacerange 1 beginbfrange <0001> <0009> <0041> endbfrange")
	for _, c := range contents {
		f.add("<< /Type /Page /Parent 2 0 R /Contents %d 0 R >>", len(f.objects)+2)
		f.stream("", c)
	}
	return f
}

// line draws one line of text on a page of its own.
func line(text string) string { return "BT /F 10 Tf 50 700 Td (" + text + ") Tj ET" }

func readPDF(t *testing.T, data []byte) (string, error) {
	t.Helper()
	_, s, err := newReader(t).read(t.Context(), nacre.Document, data)
	return s.Text, err
}

func TestPDF(t *testing.T) {
	packed := pdfOf("")
	packed.objects = packed.objects[:len(packed.objects)-1]
	packed.stream("/Filter /FlateDecode", string(deflate(t, line("packed"))))
	plain := string(pdfOf(line("Hello")).bytes())
	tests := []struct {
		name string
		data []byte
		want string
	}{
		{"one page", []byte(plain), "Hello\n[end of the file; pages: 1]"},
		{"three pages", pdfOf(line("One"), line("Two"), line("Three")).bytes(), "One\n\nTwo\n\nThree\n[end of the file; pages: 3]"},
		{"deflated", packed.bytes(), "packed\n[end of the file; pages: 1]"},
		{"accents", pdfOf(line("Gr\xFC\xDFe \x80")).bytes(), "Grüße €\n[end of the file; pages: 1]"},
		{"version 2", []byte(strings.Replace(plain, "%PDF-1.4", "%PDF-2.0", 1)), "Hello\n[end of the file; pages: 1]"},
		{"bytes around it", []byte("Content-Type: application/pdf\n\n" + plain + strings.Repeat("\x00", 300)), "Hello\n[end of the file; pages: 1]"},
		{"a broken page", pdfOf(line("One"), line("Two")+" << (", line("Three")).bytes(), "One\n\nTwo\n\nThree\n[end of the file; pages: 3]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, err := readPDF(t, tt.data); err != nil || got != tt.want {
				t.Errorf("got %q, %v; want %q", got, err, tt.want)
			}
		})
	}
}

func deflate(t testing.TB, s string) []byte {
	t.Helper()
	return compress(t, strings.NewReader(s))
}

// Words and lines are told from where glyphs stand.
func TestPDFLayout(t *testing.T) {
	tests := []struct{ name, content, want string }{
		{"typeset gaps", "BT /F 10 Tf [(Gl)20(ued)-333(w)-30(ords)-250( apart)] TJ ET", "Glued words apart"},
		{"lines by Td", "BT /F 10 Tf 50 700 Td (One) Tj 0 -12 Td (Two) Tj ET", "One\nTwo"},
		{"paragraphs", "BT /F 10 Tf 50 700 Td (One) Tj 0 -30 Td (Two) Tj ET", "One\n\nTwo"},
		{"lines by T*", "BT /F 10 Tf 12 TL 50 700 Td (One) Tj T* (Two) Tj ET", "One\nTwo"},
		{"lines by TD", "BT /F 10 Tf 50 700 Td (One) Tj 0 -12 TD (Two) Tj T* (Three) Tj ET", "One\nTwo\nThree"},
		{"lines by quotes", "BT /F 10 Tf 12 TL 50 700 Td (One) Tj (Two) ' 1 0 (Three) \" ET", "One\nTwo\nThree"},
		{"glyph by glyph", "BT /F 10 Tf 1 0 0 1 50 700 Tm (O) Tj 1 0 0 1 55 700 Tm (n) Tj 1 0 0 1 60 700 Tm (e) Tj ET", "One"},
		{"columns", "BT /F 10 Tf 50 700 Td (Tea) Tj 200 0 Td (3.50) Tj ET", "Tea 3.50"},
		{"apart by matrices", "q 2 0 0 2 0 0 cm BT /F 10 Tf 50 100 Td (One) Tj ET Q BT /F 20 Tf 140 200 Td (two) Tj ET", "One two"},
		{"together by matrices", "q 2 0 0 2 0 0 cm BT /F 10 Tf 50 100 Td (One) Tj ET Q BT /F 20 Tf 130 200 Td (two) Tj ET", "Onetwo"},
		{"raised", "BT /F 10 Tf 50 700 Td (x) Tj 3 Ts (2) Tj ET", "x2"},
		{"spaced out", "BT /F 10 Tf 1 Tc 50 700 Td (One) Tj 18 0 Td (two) Tj ET", "Onetwo"},
		{"wide words", "BT /F 10 Tf 9 Tw 50 700 Td (One two) Tj 44 0 Td (three) Tj ET", "One twothree"},
		{"stretched", "BT /F 10 Tf 200 Tz 50 700 Td (One) Tj 30 0 Td (two) Tj ET", "Onetwo"},
		{"two bytes a glyph", "BT /T 10 Tf 50 700 Td <000100020003> Tj 15 0 Td <0004> Tj ET", "ABCD"},
		{"two bytes apart", "BT /T 10 Tf 50 700 Td <000100020003> Tj 20 0 Td <0004> Tj ET", "ABC D"},
		{"unknown font", "BT /Nobody 10 Tf 50 700 Td (One) Tj ET", "One"},
		{"no operands", "BT Tf Td TJ Tj Tm Q Q cm /F 10 Tf 1 0 0 1 5 5 Tm (One) Tj ET", "One"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := readPDF(t, pdfOf(tt.content).bytes())
			if text, _, _ := strings.Cut(got, "\n["); err != nil || text != tt.want {
				t.Errorf("got %q, %v; want %q", text, err, tt.want)
			}
		})
	}
}

// withForm makes a page that may draw a form called X.
func withForm(content, entries, form string) *pdfFile {
	f := pdfOf(content)
	f.objects[1] = strings.Replace(f.objects[1], "/Resources <<", "/Resources << /XObject << /X 8 0 R >>", 1)
	f.stream("/Type /XObject /Subtype /Form "+entries, form)
	return f
}

// Text is read from forms, too, each with its own place and fonts.
func TestPDFForms(t *testing.T) {
	// T of the form is F of the page.
	const fonts = "/Resources << /Font << /T 3 0 R >> >>"
	const torn = "\n[a part of this page cannot be read]"
	form := "BT /T 10 Tf 50 700 Td (form) Tj ET"
	again := withForm("q /X Do Q", "/Resources << /Font << /F 3 0 R >> /XObject << /X 8 0 R >> >>", line("In")+" /X Do")
	tests := []struct {
		name string
		file *pdfFile
		want string
	}{
		{"its own fonts", withForm("BT /T 10 Tf 50 740 Td <0001> Tj ET /X Do BT /T 10 Tf 50 660 Td <0002> Tj ET", fonts, form), "A\n\nform\n\nB"},
		{"fonts of the page", withForm("/X Do", "", line("form")), "form"},
		{"its place", withForm("BT /F 10 Tf 50 700 Td (up) Tj ET 1 0 0 1 0 -6 cm /X Do", "/Matrix [1 0 0 1 0 -6]"+fonts, form), "up\nform"},
		{"its state ends", withForm("q 1 0 0 1 0 -12 cm /X Do Q "+line("after"), fonts, "Q Q q 5 0 0 5 9 9 cm "+form), "form\n\nafter"},
		{"drawn twice", withForm("/X Do 1 0 0 1 0 -12 cm /X Do", fonts, form), "form\nform"},
		{"broken", withForm("/X Do "+line("after"), fonts, form+" <zz"), "form after" + torn},
		{"unknown", withForm("/Y Do "+line("after"), fonts, form), "after"},
		{"a picture", withForm("/X Do "+line("after"), "/Subtype /Image", form), "after"},
		{"inside itself", again, strings.Repeat("In", maxForms) + torn},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := readPDF(t, tt.file.bytes())
			if want := tt.want + "\n[end of the file; pages: 1]"; err != nil || got != want {
				t.Errorf("got %q, %v; want %q", got, err, want)
			}
		})
	}
}

// The bytes of an image inside a page may hide what stands behind it, and then
// that is said.
func TestPDFInlineImages(t *testing.T) {
	for name, tt := range map[string]struct{ bytes, want string }{
		"harmless":           {"abcdefghijklmnop ", "One Two"},
		"not parted":         {"abc", "One Two"},
		"an open string":     {"\x00(\x01 ", "One\n[a part of this page cannot be read]"},
		"a wrong hex string": {"\x80<zz ", "One\n[a part of this page cannot be read]"},
		"all kinds":          {"\x00\x01<<([>>)]{\x80\xff<zz ", "One\n[a part of this page cannot be read]"},
	} {
		got, err := readPDF(t, pdfOf(line("One")+" q BI /W 8 /H 8 /BPC 8 /CS /G ID "+tt.bytes+"EI Q "+line("Two"), line("Three")).bytes())
		if want := tt.want + "\n\nThree\n[end of the file; pages: 2]"; err != nil || got != want {
			t.Errorf("%s: got %q, %v; want %q", name, got, err, want)
		}
	}
}

func TestPDFIsCut(t *testing.T) {
	var pages []string
	for i := range 40 {
		pages = append(pages, line(fmt.Sprintf("%03d", i)+strings.Repeat("x", 997)))
	}
	got, err := readPDF(t, pdfOf(pages...).bytes())
	if err != nil {
		t.Fatal(err)
	}
	text, notice, _ := strings.Cut(got, "\n[")
	if n := utf8.RuneCountInString(text); n != maxText || notice != "cut after 16000 characters, on page 16 of 40]" {
		t.Errorf("%d characters and %q", n, notice)
	}
}

func TestPDFRefuses(t *testing.T) {
	locked := pdfOf(line("secret"))
	locked.trailer = "/Encrypt << /Filter /Standard /V 5 /R 6 /Length 256 >> /ID [(a) (a)]"
	tests := []struct {
		name  string
		data  []byte
		words string
	}{
		{"locked", locked.bytes(), "locked with a password"},
		{"scanned", pdfOf("q 100 0 0 100 0 0 cm /Image Do Q", "").bytes(), "no text, as scans do"},
		{"truncated", pdfOf(line("Hello")).bytes()[:300], "damaged"},
		{"head alone", []byte("%PDF-1.4\n"), "damaged"},
		{"nested without end", pdfOf(strings.Repeat("[", 4<<20)).bytes(), "no text"},
		{"no pages", (&pdfFile{objects: []string{"<< /Type /Catalog >>"}}).bytes(), "no text"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := readPDF(t, tt.data)
			refused(t, err, nacre.Invalid, tt.words)
		})
	}
	_, err := New(Options{}).pdf(t.Context(), pdfOf(line("Hello")).bytes())
	refused(t, err, nacre.Invalid, "cannot read PDF files here")
}

// A table of objects that follows itself is read for ever.
func TestPDFLoopEnds(t *testing.T) {
	f := pdfOf(line("Hello"))
	start := bytes.LastIndex(f.bytes(), []byte("xref\n0"))
	f.trailer = fmt.Sprintf("/Prev %d", start)
	r := newReader(t)
	r.pdfTime = 300 * time.Millisecond
	_, err := r.pdf(t.Context(), f.bytes())
	refused(t, err, nacre.Invalid, "too much time or memory")

	f.trailer = ""
	if got, err := newReader(t).pdf(t.Context(), f.bytes()); err != nil || !strings.HasPrefix(got, "Hello") {
		t.Errorf("without the loop: %q, %v", got, err)
	}
}

// Forms that draw themselves ten times over are drawn 10^10 times.
func TestPDFFormBombEnds(t *testing.T) {
	form := func(times int) []byte {
		return withForm("/X Do "+line("Hello"), "/Resources << /XObject << /X 8 0 R >> >>", strings.Repeat("/X Do ", times)).bytes()
	}
	r := newReader(t)
	r.pdfTime = 300 * time.Millisecond
	_, err := r.pdf(t.Context(), form(10))
	refused(t, err, nacre.Invalid, "too much time or memory")
	if got, err := newReader(t).pdf(t.Context(), form(1)); err != nil || !strings.HasPrefix(got, "Hello") {
		t.Errorf("drawn %d times: %q, %v", maxForms, got, err)
	}
}

// FuzzPDFContent: whatever a page and a form on it draw, the page is read to
// some end, and its text is whole characters.
func FuzzPDFContent(f *testing.F) {
	for _, seed := range []string{line("Hello"), "q BI ID \x00<zz( EI Q", "/X Do [(a)-500(b)] TJ", "BT /T 10 Tf <0001> Tj ET", "<< (", "Q Q Q 1 0 0 cm"} {
		f.Add("/X Do "+seed, seed)
		f.Add(seed+" /X Do", "")
	}
	f.Fuzz(func(t *testing.T, content, form string) {
		if len(content)+len(form) > 4000 {
			return // a form may be drawn by each five bytes
		}
		for _, s := range []string{content, form} {
			if strings.LastIndex(s, "<") > strings.LastIndex(s, ">") {
				return // the library may wait for ever for the end of a hex string; the child is killed then
			}
		}
		var out bytes.Buffer
		x := &extractor{out: json.NewEncoder(&out)}
		if err := x.run(withForm(content, "/Resources << /Font << /F 3 0 R >> >>", form).bytes()); err != nil {
			t.Fatal(err)
		}
		var first, last page
		lines := json.NewDecoder(&out)
		if lines.Decode(&first) != nil || lines.Decode(&last) != nil || last.Pages != 1 || last.End != endDone && last.End != endEnough {
			t.Fatalf("got %.200q", out.String())
		}
		if !utf8.ValidString(first.Text) || len(first.Text) > 6*maxText || first.Text != clean(first.Text) {
			t.Fatalf("%d bytes: %.200q", len(first.Text), first.Text)
		}
	})
}

func TestPDFHonoursContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := newReader(t).pdf(ctx, pdfOf(line("Hello")).bytes()); !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v; want that of the context", err)
	}
}

func TestPDFWithoutItsCommand(t *testing.T) {
	r := New(Options{PDF: []string{"/nonexistent/reader"}})
	_, err := r.pdf(t.Context(), pdfOf(line("Hello")).bytes())
	refused(t, err, nacre.Transient, "send it again")
	r = New(Options{PDF: []string{"/bin/cat"}}) // says nothing that makes sense
	_, err = r.pdf(t.Context(), pdfOf(line("Hello")).bytes())
	refused(t, err, nacre.Invalid, "too much time or memory")
}

// The secrets of this process are not in reach of its child.
func TestPDFChildHasNoEnvironment(t *testing.T) {
	t.Setenv("NACRE_SECRET", "leak")
	shell := func(script string) []string { return []string{"/bin/sh", "-c", script} }
	for script, want := range map[string]string{
		`echo "{\"text\":\"$NACRE_SECRET.\",\"pages\":1}{\"end\":\"done\"}"`: ".",
		`echo "{\"text\":\"$GOMAXPROCS.\",\"pages\":1}{\"end\":\"done\"}"`:   "1.",
	} {
		texts, _, err := readChild(t.Context(), shell(script), nil)
		if err != nil || len(texts) != 1 || texts[0] != want {
			t.Errorf("%s: %q, %v; want %q", script, texts, err, want)
		}
	}
}

func BenchmarkPDF200Pages(b *testing.B) {
	var pages []string
	for i := range 200 {
		pages = append(pages, line(fmt.Sprintf("Page %d has a short line of text on it.", i+1)))
	}
	data := pdfOf(pages...).bytes()
	r := newReader(b)
	for b.Loop() {
		if _, err := r.pdf(b.Context(), data); err != nil {
			b.Fatal(err)
		}
	}
}
