package media

import (
	"archive/zip"
	"bytes"
	"io"
	"strings"
	"testing"

	"nacre"
)

// zipOf makes an archive of files that are given as name, content, name, …
func zipOf(t testing.TB, files ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for i := 0; i < len(files); i += 2 {
		f, err := w.Create(files[i])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(f, files[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// docx makes a Word file with a body.
func docx(t testing.TB, body string) []byte {
	t.Helper()
	return zipOf(t, "[Content_Types].xml", "<Types/>", wordPart, `<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>`+body+`</w:body></w:document>`)
}

func para(text string) string { return "<w:p><w:r><w:t>" + text + "</w:t></w:r></w:p>" }

func TestWord(t *testing.T) {
	long := strings.Repeat("x", 1000)
	tests := []struct {
		name, body, want string
	}{
		{"paragraphs", para("Grüße &amp; more") + para("Two"), "Grüße & more\nTwo"},
		{"runs", `<w:p><w:pPr><w:tabs><w:tab w:val="left"/></w:tabs></w:pPr><w:r><w:t>One</w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:tab/><w:t xml:space="preserve"> two</w:t><w:br/><w:t>three</w:t></w:r></w:p>`, "One\t two\nthree"},
		{"table", "<w:tbl><w:tr><w:tc>" + para("Tea") + "</w:tc><w:tc>" + para("3.50") + "</w:tc></w:tr></w:tbl>" + para("End"), "Tea \t3.50 \t\nEnd"},
		{"a hyphen that breaks no line", `<w:p><w:r><w:t>2019</w:t><w:noBreakHyphen/><w:t>2020</w:t></w:r></w:p>`, "2019-2020"},
		{"a text box and its fallback", `<w:p><w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:txbxContent>` + para("Total 100") + `</w:txbxContent></mc:Choice><mc:Fallback><w:pict><w:txbxContent>` + para("Total 100") + `</w:txbxContent></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>` + para("End"), "Total 100\n\nEnd"},
		{"moved text", `<w:p><w:moveFromRangeStart w:id="1"/><w:moveFrom><w:r><w:t>moved </w:t></w:r></w:moveFrom></w:p><w:p><w:moveTo><w:r><w:t>moved</w:t></w:r></w:moveTo></w:p>`, "moved"},
		{"moved text without end", para("One") + `<w:p><w:moveFrom><w:r><w:t>Two</w:t></w:r></w:p>`, "One\n[the rest cannot be read]"},
		{"deleted text and codes", `<w:p><w:r><w:delText>gone</w:delText><w:instrText>PAGE</w:instrText><w:t>kept</w:t></w:r></w:p>`, "kept"},
		{"cut", strings.Repeat(para(long), 20), strings.TrimSuffix(strings.Repeat(long+"\n", 16), "\n")[:maxText] + "\n[cut after 16000 characters]"},
		{"broken", para("One") + "<w:p", "One\n[the rest cannot be read]"},
		{"inflates", para("One") + "<w:p>" + strings.Repeat(" ", maxWordText), "One\n[the rest cannot be read]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, s, err := newReader(t).read(t.Context(), nacre.Document, docx(t, tt.body))
			if err != nil || s.Text != tt.want || s.Provenance != nacre.InFile {
				t.Errorf("got %.80q (%d bytes), %v; want %.80q", s.Text, len(s.Text), err, tt.want)
			}
		})
	}
}

// The relationships of the archive name the part with the text.
func TestWordMainPart(t *testing.T) {
	rels := func(target string) string {
		return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="1" Type="http://x/core-properties" Target="docProps/core.xml"/><Relationship Id="2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="` + target + `"/></Relationships>`
	}
	one, two := "<document><body>"+para("One")+"</body></document>", "<document><body>"+para("Two")+"</body></document>"
	for name, data := range map[string][]byte{
		"relative":      zipOf(t, "_rels/.rels", rels("word/document2.xml"), wordPart, two, "word/document2.xml", one),
		"absolute":      zipOf(t, "_rels/.rels", rels("/word/document2.xml"), "word/document2.xml", one),
		"the usual one": zipOf(t, "_rels/.rels", rels(wordPart), wordPart, one, "word/document2.xml", two),
		"no list":       zipOf(t, wordPart, one, "word/document2.xml", two),
		"a broken list": zipOf(t, "_rels/.rels", "<<", wordPart, one),
	} {
		if _, s, err := newReader(t).read(t.Context(), nacre.Document, data); err != nil || s.Text != "One" {
			t.Errorf("%s: %q, %v", name, s.Text, err)
		}
	}
	_, _, err := newReader(t).read(t.Context(), nacre.Document, zipOf(t, "_rels/.rels", rels("../../word/document"), wordPart, one))
	refused(t, err, nacre.Invalid, "damaged")
}

func TestWordRefuses(t *testing.T) {
	whole := docx(t, para("One"))
	crowd := []string{wordPart, "<a/>"}
	for range maxWordParts {
		crowd = append(crowd, "x", "")
	}
	tests := []struct {
		name  string
		data  []byte
		words string
	}{
		{"other archive", zipOf(t, "xl/workbook.xml", "<a/>"), "archives"},
		{"truncated", whole[:len(whole)-30], "damaged"},
		{"no XML", zipOf(t, wordPart, "<<<"), "damaged"},
		{"only named", append(zipOf(t, "a", "b"), wordPart...), "damaged"},
		{"crowded", zipOf(t, crowd...), "damaged"},
		{"no words", docx(t, ""), "no text"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, _, err := newReader(t).read(t.Context(), nacre.Document, tt.data)
			refused(t, err, nacre.Invalid, tt.words)
		})
	}
}

// FuzzWord: whatever the archive and its markup, the text is fit for a prompt.
func FuzzWord(f *testing.F) {
	f.Add(docx(f, para("One")))
	f.Add(docx(f, "<w:tbl><w:tr><w:tc>"+para("Tea")+"</w:tc></w:tr></w:tbl>"))
	f.Fuzz(func(t *testing.T, data []byte) {
		text, err := readWord(data)
		if err != nil {
			refused(t, err, nacre.Invalid, "Word")
			return
		}
		if text == "" || len(text) > 4*maxText+100 || text != clean(text) {
			t.Fatalf("%d bytes: %.80q", len(text), text)
		}
	})
}
