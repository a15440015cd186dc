package main

import (
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"fmt"
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"nacre"
	"nacre/agent/llm"
	"nacre/memory"
	"nacre/memory/canon"
	"nacre/web"
)

// gatewayNegatives are about the one way by which memory changes, and the log of
// what went through it.
func gatewayNegatives() []negative {
	return []negative{
		{id: "N47", what: "what is erased can still be proved, and is not told", langs: everyTongue, notices: []string{oldIndex, noteOnly, nightJob, quotingLog}, run: provable},
		{id: "N48", what: "no writer goes around the gateway", langs: everyTongue, notices: []string{rawSecrets}, run: noBypass},
	}
}

func provable(c *trial) {
	p := c.pets(ann)
	m := c.app.Memory(web.Hand{By: memory.ByPage})
	dog := c.note("people/" + p.dog.slug)
	better := strings.ReplaceAll(p.dog.text, theDog, "zqx-Fido")
	if out, err := m.Propose(c.t.Context(), web.Change{Do: memory.Edit, Note: dog.Note.ID, Text: better, Hash: dog.Note.Hash}); err != nil || out.Refused != "" {
		c.t.Fatalf("%+v, %v", out, err)
	}
	c.forget(ann, p.forget, "people/"+p.dog.slug)
	c.settle()

	r, err := c.app.ledger.VerifyMemory(c.t.Context())
	c.must(err == nil && r.OK() && r.Size == int64(c.leaves()), "all %d leaves are proved: %+v, %v", c.leaves(), r, err)
	log := memoryLog(c, ann)
	for _, line := range []string{"assistant, telegram", "you, page", "you, telegram", "added", "corrected", "forgot"} {
		c.must(strings.Contains(log, line), "the log says %q:\n%s", line, log)
	}
	dump := c.dump()
	for _, word := range []string{theDog, "zqx-Fido"} {
		c.never(holdsWord(strings.Join(dump, "\n"), word), "%s is in a column", word)
	}
	key, err := c.app.ledger.TombKey(c.owner(ann))
	if err != nil {
		c.t.Fatal(err)
	}
	wanted := []string{p.dog.text, p.dog.quote, better, theDog, "zqx-Fido", "people/" + p.dog.slug}
	c.control(guesses(dump, wanted, memory.Body{Slot: memory.Slot{Area: memory.People, Slug: p.dog.slug}}, key), "with the key the value can be found in the dump")
	for _, key := range []memory.Hash{{}, sha256.Sum256([]byte(c.owner(ann))), sha256.Sum256([]byte("nacre"))} {
		c.never(guesses(dump, append(wanted, dictionary()...), memory.Body{Slot: memory.Slot{Area: memory.People, Slug: p.dog.slug}}, key), "a value can be guessed without the key")
	}
	c.gone(ann, slices.DeleteFunc(slices.Clone(everywhere), func(s string) bool { return s == onDisk }), theBike, theDog, "zqx-Fido")
}

// dictionary is other values that somebody may guess.
func dictionary() []string {
	list := make([]string, 2000)
	for i := range list {
		list[i] = fmt.Sprintf("The dog is called %s%d.", []string{"Rex", "Asthma", "Brno", "京都"}[i%4], i/4)
	}
	return list
}

// guesses reports whether a dump holds a hash of any of some values, plain or
// under a key, as memory makes them or as anybody would.
func guesses(dump, values []string, place memory.Body, key memory.Hash) bool {
	columns := map[string]bool{}
	for _, d := range dump {
		columns[d] = true
	}
	for _, v := range values {
		place.Text = v
		tomb := memory.Entomb(key, place, true)
		tags := append([]memory.Hash{tomb.Exact, tomb.Value, tomb.Look, tomb.Slot, canon.SlotTag(key, v)}, tomb.Stems...)
		for _, t := range tags {
			if columns[string(t[:])] {
				return true
			}
		}
		for _, form := range []string{v, strings.ToLower(v), canon.Form(v)} {
			mac := hmac.New(sha256.New, key[:])
			mac.Write([]byte(form))
			s256, s1, m5 := sha256.Sum256([]byte(form)), sha1.Sum([]byte(form)), md5.Sum([]byte(form))
			for _, h := range [][]byte{mac.Sum(nil), s256[:], s1[:], m5[:]} {
				if columns[string(h)] || columns[hex.EncodeToString(h)] {
					return true
				}
			}
		}
	}
	return false
}

// dump is every value of every table.
func (c *trial) dump() (values []string) {
	c.t.Helper()
	db := c.database("?mode=ro")
	defer db.Close()
	for _, table := range c.tables(db) {
		rows, err := db.Query("SELECT * FROM " + table)
		if err != nil {
			c.t.Fatal(err)
		}
		names, _ := rows.Columns()
		for rows.Next() {
			row, into := make([]any, len(names)), make([]any, len(names))
			for i := range row {
				into[i] = &row[i]
			}
			if err := rows.Scan(into...); err != nil {
				c.t.Fatal(err)
			}
			for _, v := range row {
				if b, ok := v.([]byte); ok {
					v = string(b)
				}
				values = append(values, fmt.Sprint(v))
			}
		}
		rows.Close()
	}
	return values
}

func (c *trial) tables(db *sql.DB) (names []string) {
	c.t.Helper()
	rows, err := db.Query("SELECT name FROM sqlite_master WHERE type = 'table'")
	if err != nil {
		c.t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			c.t.Fatal(err)
		}
		names = append(names, name)
	}
	return names
}

func (c *trial) leaves() (n int) {
	c.ask("SELECT count(*) FROM leaves", nil, &n)
	return n
}

// everyWriter is who can change memory, as far as this suite attacks: a new one
// has to come here too.
var everyWriter = []memory.Writer{memory.ByChat, memory.ByCommand, memory.ByPage, memory.ByFile, memory.ByShell,
	memory.ByImport, memory.ByReflect, memory.ByRepair, memory.ByStyle, memory.ByRestore}

// wallet is what a writer may not store, in words of a language.
var wallet = map[string]struct{ card, plain string }{
	"en": {"My card is 4111 1111 1111 1111 zqx-Visa.", "My boat is called zqx-Boat."},
	"cs": {"Moje karta je 4111 1111 1111 1111 zqx-Visa.", "Moje loď se jmenuje zqx-Boat."},
	"ja": {"私のカードは4111 1111 1111 1111 zqx-Visa", "私の船はzqx-Boat"},
}

func noBypass(c *trial) {
	c.control(slices.Equal(memory.Writers, everyWriter), "the suite attacks every writer: %q", memory.Writers)
	p := c.pets(ann)
	w := wallet[c.lang]
	c.wish(ann, w.plain)
	boat := c.message(ann, "zqx-Boat")
	dog := c.note("people/" + p.dog.slug).Note
	out, err := c.app.Memory(web.Hand{By: memory.ByPage}).Propose(c.t.Context(), web.Change{Do: memory.Reject, Note: dog.ID, Hash: dog.Hash})
	c.control(err == nil && out.Refused == "" && !c.live(ann, theDog), "a note is rejected: %+v, %v", out, err)
	c.wish(ann, w.card, append(c.everySave(w.card), c.call("memory_learn", `{}`))...)
	card := c.message(ann, "4111 1111")

	for _, by := range everyWriter {
		before, ops, card, boat := c.version(ann), c.leaves(), card, boat
		if by == memory.ByImport {
			card, boat = "", "" // no message is behind a file
		}
		c.violate(by, card, claim{area: memory.About, slug: "card", text: w.card})
		c.violate(by, boat, claim{area: memory.About, slug: "boat", text: w.plain, names: []string{"4111-1111-1111-1111"}})
		c.violate(by, boat, claim{area: memory.About, slug: "4111 1111 1111 1111", text: w.plain})
		if !by.Owner() {
			c.violate(by, boat, p.dog)
		}
		c.must(c.leaves() == ops+c.violations(by), "%s: each refusal has its leaf", by)
		c.never(c.version(ann) != before, "%s changed memory", by)
	}
	c.never(c.known(ann, theDog) || c.anywhere(ann, "zqx-Visa") || c.anywhere(ann, "4111"), "a violating write is stored")
	c.comply(boat, w.plain)
	c.sealedDoors()
	if c.lang == "en" { // it is about the program's own text
		c.otherDoors()
	}
	c.must(c.oneLeafEach(), "every change and refusal has its leaf, and every leaf its change or refusal")
	c.settle()
	c.gone(ann, []string{inRows, inReview, inSection, inTools, inSummaries, onPage, inExport, inAudit, inLog, onDisk}, theBike, "zqx-Visa", "4111111111111111")
}

// everySave is calls of every tool that a store offers beside those of memory,
// to save a text.
func (c *trial) everySave(text string) (list []llm.ToolCall) {
	for _, name := range c.leak.offers() {
		list = append(list, c.call(name, asJSON(map[string]string{"text": text})))
	}
	return list
}

// anywhere reports whether an owner has a note of any status that says a word, in
// whatever part of it. Ids are left out: some hold any four digits.
func (c *trial) anywhere(user int64, word string) bool {
	return slices.ContainsFunc(everything(c.state(user)), func(n *memory.Note) bool { return holdsWord(asJSON(n.Body), word) })
}

// violate has a writer propose what it may not, which has to be refused.
func (c *trial) violate(by memory.Writer, cite nacre.MessageID, k claim) {
	out := c.behind(ann, by, cite, k)
	c.must(len(out) == 1 && out[0].Refused != "" && out[0].Note == nil, "%s is refused: %+v", by, out)
}

// violations is how often a writer tried.
func (c *trial) violations(by memory.Writer) int {
	if by.Owner() {
		return 3
	}
	return 4
}

// comply has each writer propose what it may, and looks how that is audited.
func (c *trial) comply(source nacre.MessageID, text string) {
	c.t.Helper()
	plain := false
	var guess nacre.NoteID // the note of a model
	for i, by := range everyWriter {
		said := fmt.Sprintf("%s %d", strings.TrimSuffix(text, "."), 70_000+i)
		p := memory.Proposal{Writer: by, Via: nacre.Telegram, Do: memory.Learn, Sensitive: &plain, Draft: memory.Draft{Area: memory.Lessons, Slug: fmt.Sprint("boat ", i), Text: said}}
		switch by {
		case memory.ByChat, memory.ByReflect, memory.ByCommand:
			c.wish(ann, said)
			p.Cites = []memory.Cite{{Message: c.message(ann, said), Quote: said}}
		case memory.ByStyle:
			p.Draft = memory.Draft{Area: memory.Preferences, Slug: "writing-style", Text: "Short sentences."}
		case memory.ByRepair:
			p.Do, p.Note = memory.Archive, guess
		}
		out, err := c.book(ann).Propose(c.t.Context(), p)
		ops := c.ops(ann)
		last := ops[len(ops)-1]
		done := err == nil && out[0].Refused == "" && out[0].Note != nil
		c.control(done, "%s does what it may: %+v, %v", by, out, err)
		if done && by == memory.ByChat {
			guess = out[0].Note.ID
		}
		c.must(last.Writer == by && last.Via == nacre.Telegram && last.Changes(), "%s is named in the log: %s, %s", by, last.Writer, last.Via)
	}
}

// sealedDoors tries the database itself, and what happens when the log fails.
func (c *trial) sealedDoors() {
	c.t.Helper()
	db := c.database("?_txlock=immediate&_pragma=busy_timeout(5000)")
	defer db.Close()
	insert := func(seq, tag string) string {
		return `INSERT INTO ops (seq, id, owner, version, at_ms, writer, channel, kind, note, reason, tag, record, sealed)
			SELECT ` + seq + `, 'forged', owner, 1 << 40, 0, 'page', '', 'add', 'forged', '', ` + tag + `, 1 << 40, x'00' FROM tombstones LIMIT 1`
	}
	leaf := "INSERT INTO leaves (n, leaf) SELECT max(n) + 1, x'00' FROM leaves; "
	newest := "(SELECT max(n) FROM leaves)"
	for what, query := range map[string]string{
		"a change without a leaf":      insert("1 << 40", "x'01'"),
		"a note without a tag":         leaf + insert(newest, "NULL"),
		"a note that was forgotten":    leaf + insert(newest, "exact"),
		"a tombstone that is deleted":  "DELETE FROM tombstones",
		"a tombstone that is changed":  "UPDATE tombstones SET exact = x'00'",
		"a change that is deleted":     "DELETE FROM ops",
		"a change that is rewritten":   "UPDATE ops SET writer = 'page' WHERE writer = 'chat'",
		"a content that is put back":   "UPDATE ops SET sealed = x'00'",
		"a leaf that is deleted":       "DELETE FROM leaves",
		"a leaf that is rewritten":     "UPDATE leaves SET leaf = x'00'",
		"a hash of the log, rewritten": "UPDATE hashes SET hash = x'00'",
	} {
		tx, err := db.Begin()
		if err != nil {
			c.t.Fatal(err)
		}
		_, err = tx.Exec(query)
		tx.Rollback()
		c.never(err == nil, "the database takes %s", what)
	}
	tx, err := db.Begin()
	if err == nil {
		_, err = tx.Exec(leaf + insert(newest, "x'02'"))
		tx.Rollback()
	}
	c.control(err == nil, "the same statement without the fault passes: %v", err)
	c.failingLog(db)
}

// failingLog has the log refuse a leaf.
func (c *trial) failingLog(db *sql.DB) {
	c.t.Helper()
	write := func(text string) error {
		_, err := c.app.Memory(web.Hand{By: memory.ByPage}).Propose(c.t.Context(), web.Change{Do: memory.Learn, Path: "lessons/log", Text: text})
		return err
	}
	if _, err := db.Exec("CREATE TRIGGER fails BEFORE INSERT ON leaves BEGIN SELECT RAISE(ABORT, 'no'); END"); err != nil {
		c.t.Fatal(err)
	}
	version := c.version(ann)
	c.never(write("zqx-Lost") == nil || c.version(ann) != version || c.known(ann, "zqx-Lost"), "memory changes without the log")
	if _, err := db.Exec("DROP TRIGGER fails"); err != nil {
		c.t.Fatal(err)
	}
	c.control(write("zqx-Found") == nil && c.known(ann, "zqx-Found"), "with the log it does")
}

func (c *trial) oneLeafEach() bool {
	var apart int
	c.ask("SELECT (SELECT count(*) FROM ops WHERE seq NOT IN (SELECT n FROM leaves)) + (SELECT count(*) FROM leaves WHERE n NOT IN (SELECT seq FROM ops))", nil, &apart)
	return apart == 0
}

// memoryTables are the tables that make up memory.
var memoryTables = regexp.MustCompile(`(?i)\b(from|into|update|join)\s+(ops|leaves|hashes|tombstones|erasures|doomed|hits|asks|files)\b`)

// otherDoors looks for a writer that this suite does not know, in the text of
// the program: nobody but the ledger names its tables, and nobody but the Book
// writes to it or makes an Op.
func (c *trial) otherDoors() {
	c.t.Helper()
	seen := 0
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(gotoken.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		path = strings.TrimPrefix(filepath.ToSlash(path), "../../")
		inLedger := strings.HasPrefix(path, "memory/ledger/")
		inMemory := inLedger || path == "memory/"+filepath.Base(path)
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BasicLit:
				if n.Kind == gotoken.STRING && memoryTables.MatchString(n.Value) {
					seen++
					c.never(!inLedger, "%s names tables of memory", path)
				}
			case *ast.CallExpr:
				if door, ok := n.Fun.(*ast.SelectorExpr); ok && (door.Sel.Name == "Append" && len(n.Args) == 4 || door.Sel.Name == "Erase" && len(n.Args) == 3) {
					seen++
					c.never(path != "memory/book.go" && path != "memory/forget.go", "%s writes to the ledger", path)
				}
			case *ast.CompositeLit:
				if made, ok := n.Type.(*ast.SelectorExpr); ok && made.Sel.Name == "Op" {
					seen++
					c.never(!inMemory, "%s makes an Op", path)
				}
			}
			return true
		})
		return nil
	})
	c.control(err == nil && seen > 20, "the doors that there are were seen: %d, %v", seen, err)
}
