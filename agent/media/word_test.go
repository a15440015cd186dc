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
