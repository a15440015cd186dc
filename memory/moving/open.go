package moving

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"path"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"nacre"
)

// entry is one file of a Parcel.
type entry struct {
	name string // clean, slash-separated, as it stands in the archive; of a single file its name, if it has one
	lone bool   // the Parcel is this one file, so that places do not name it
	size int64  // bytes, unpacked, as it says
	zip  *zip.File
}

// place is a line of the entry; 0 for all of it.
func (e entry) place(line int) Place {
	if e.lone {
		return Place{Line: line}
	}
	return Place{File: e.name, Line: line}
}

// Limits of an archive beside those of a Parcel.
const (
	maxHead      = 64 << 10 // bytes by which is told what a file is
	maxDirectory = 8 << 20  // bytes of an archive's list of files
	maxPath      = 1024     // bytes of a file's name
	bombSize     = 4 << 20  // bytes, unpacked, from which on it matters how much a file grows
	bombRatio    = 300      // times that it may grow; what people write grows by 3 to 30
)

// faults is the bytes of a Parcel. It keeps the first error of reading them, so that a
// failing disk can be told from a damaged archive, and reads no more than its allowance.
type faults struct {
	at        io.ReaderAt
	allowance int64
	err       error
}

// errAllowance ends the reading of a list of files that has no end.
var errAllowance = errors.New("more than was allowed is read")

// ReadAt implements io.ReaderAt. A damaged archive may point to before its beginning.
func (f *faults) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 {
		return 0, io.ErrUnexpectedEOF
	}
	if f.allowance -= int64(len(p)); f.allowance < 0 {
		return 0, errAllowance
	}
	n, err := f.at.ReadAt(p, off)
	if err != nil && !errors.Is(err, io.EOF) && f.err == nil {
		f.err = err
	}
	return n, err
}

// headOf is how a file begins.
func headOf(at io.ReaderAt, size int64) ([]byte, error) {
	head := make([]byte, min(size, maxHead))
	n, err := at.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return head[:n], nil
}

// head is how an entry begins, unpacked, its lines ended by "\n"; empty where it cannot
// be.
func (p *Parcel) head(e entry) ([]byte, error) {
	if e.zip == nil {
		head, err := headOf(p.at, e.size)
		return endings(head), err
	}
	from, err := e.zip.Open()
	if err != nil {
		return nil, p.at.err
	}
	defer from.Close()
	head, _ := io.ReadAll(io.LimitReader(from, maxHead))
	return endings(head), p.at.err
}

// endings is a text with the ends of its lines made one.
func endings(text []byte) []byte { return []byte(lineEnds.Replace(string(text))) }

func zipped(head []byte) bool {
	return bytes.HasPrefix(head, []byte("PK\x03\x04")) || bytes.HasPrefix(head, []byte("PK\x05\x06"))
}

// single takes a Parcel that is one file.
func (p *Parcel) single(name string, head []byte, size int64) error {
	if len(bytes.TrimSpace(head)) == 0 && size <= maxHead {
		return nacre.Errorf(nacre.Invalid, "There is nothing in it.")
	}
	name = path.Base(strings.ReplaceAll(name, `\`, "/"))
	if name == "." || name == "/" {
		name = ""
	}
	p.entries = []entry{{name: name, lone: true, size: size}}
	return nil
}

// unpack reads an archive's list of files.
func (p *Parcel) unpack(size int64) error {
	if err := p.counted(size); err != nil {
		return err
	}
	p.at.allowance = maxDirectory
	r, err := zip.NewReader(p.at, size)
	switch {
	case p.at.err != nil:
		return p.at.err
	case p.at.allowance < 0:
		return errManyFiles
	case err != nil && !errors.Is(err, zip.ErrInsecurePath):
		return nacre.Errorf(nacre.Invalid, "The archive is damaged; pack it or download it again.")
	}
	p.at.allowance = 1<<63 - 1
	p.take(r.File)
	return nil
}

// errManyFiles is the answer to an archive whose list alone is too long.
var errManyFiles = nacre.Errorf(nacre.Invalid, "The archive holds too many files; pack only the folder of the assistant.")

// counted refuses an archive that says it has more files than anybody could list,
// before room is made for them. How many there are beyond 65,535 stands in a record
// near the end, to which the locators there point; all of those are looked at, whichever
// is the true one.
func (p *Parcel) counted(size int64) error {
	const most = 65_535 + 22 + 20 // bytes: a comment, the end and a locator before it
	from := max(0, size-most)
	tail := make([]byte, size-from)
	if _, err := p.at.ReadAt(tail, from); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	record := make([]byte, 40)
	for {
		i := bytes.Index(tail, []byte("PK\x06\x07"))
		if i < 0 || i+16 > len(tail) {
			return nil
		}
		at := int64(binary.LittleEndian.Uint64(tail[i+8:]))
		tail = tail[i+4:]
		if at < 0 || at > size-int64(len(record)) {
			continue
		}
		if _, err := p.at.ReadAt(record, at); err != nil {
			return err
		}
		if binary.LittleEndian.Uint64(record[32:]) > maxDirectory/46 { // bytes of the shortest file's line
			return errManyFiles
		}
	}
}

// take takes the files of an archive that may be read, and tells of the others.
func (p *Parcel) take(files []*zip.File) {
	seen := map[string]bool{}
	for i, f := range files {
		if len(p.entries) == MaxFiles {
			p.leave("", plural(len(files)-i, "other file"), "The archive holds more than 20,000 files; pack only the folder of the assistant.")
			return
		}
		name, why := nameOf(f)
		switch {
		case junk(name) || why == "" && f.Mode().IsDir():
		case why != "":
			p.leave(shown(f.Name), "the file", why)
		case seen[name]:
			p.leave(name, "the file", "It is there twice; the first one counts.")
		default:
			seen[name] = true
			p.entries = append(p.entries, entry{name: name, size: int64(min(f.UncompressedSize64, 1<<62)), zip: f})
		}
	}
}

// leave tells of a file that is not read.
func (p *Parcel) leave(name, what, why string) {
	p.left = append(p.left, Left{Place{File: name}, what, why})
}

var drive = regexp.MustCompile(`^[A-Za-z]:`)

// nameOf is the clean name of a file, or why it is not read.
func nameOf(f *zip.File) (name, why string) {
	name = f.Name
	switch mode := f.Mode(); {
	case len(name) > maxPath:
		return name, "Its name is too long."
	case !utf8.ValidString(name) || name != shown(name):
		return name, "Its name holds signs that names do not have."
	case strings.HasPrefix(name, "/") || drive.MatchString(name) || strings.Contains(name, `\`):
		return name, "Its name is a path of another computer."
	case path.Clean("/"+name) != "/"+path.Clean(name):
		return name, "Its name leads out of the archive."
	case !mode.IsRegular() && !mode.IsDir():
		return name, "It is no file but points to another one."
	case mode.IsDir():
		return path.Clean(name), ""
	}
	return path.Clean(name), packing(f)
}

// packing is why a file cannot be unpacked; empty if it can.
func packing(f *zip.File) string {
	packed, unpacked := f.CompressedSize64, f.UncompressedSize64
	switch {
	case f.Flags&1 != 0:
		return "It is locked with a password; pack it without one."
	case f.Method != zip.Store && f.Method != zip.Deflate:
		return "It is packed in a way that Nacre does not read; pack it as a usual zip."
	case unpacked > MaxUnpacked:
		return tooMuch
	case unpacked > bombSize && unpacked/bombRatio > packed:
		return "It would unpack to far more than anybody writes."
	}
	return ""
}

// tooMuch is why files are not read behind MaxUnpacked bytes.
const tooMuch = "The archive unpacks to more than 8 GB; import it in parts."

// systems are folders of programs, in which nothing is anybody's.
var systems = regexp.MustCompile(`(?:^|/)(?:__MACOSX|\.git|node_modules|__pycache__)/`)

// junk reports whether a file is what a program adds, and nobody means.
func junk(name string) bool {
	base := path.Base(name)
	return systems.MatchString(name) || base == ".DS_Store" || base == "Thumbs.db" || base == "desktop.ini"
}

// shown is a name as people can be shown it: without what has no shape, at most
// maxPath bytes.
func shown(name string) string {
	name = strings.ToValidUTF8(name, "\uFFFD")
	for len(name) > maxPath {
		_, n := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-n]
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) && r != '\u200d' || unicode.In(r, unicode.Zl, unicode.Zp) {
			return '\uFFFD'
		}
		return r
	}, name)
}

// plural counts things: "1 file", "3 files".
func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}
