package moving

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"
)

// form is one kind of file: how it is told from others, and who reads it.
type form struct {
	source Source // empty where it is nobody's in particular
	stage  stage
	path   *pattern               // of its name in small letters
	beside *pattern               // of another file that is there too; nil where none need be
	head   func(head []byte) bool // of its first maxHead bytes; nil for any. A file that comes alone is told by it, whatever its name
	read   func(p *Parcel, e entry, r *reading) error
	why    string // in the place of read: files of this form are not taken over, which is told once for all of them
}

// kind is how files that are not taken over are told: what says something of the
// assistant by its name, the rest together.
func (f form) kind(e entry) string {
	if f.why == ofCharacter {
		return path.Base(e.name)
	}
	return f.why
}

// stage is when a file is read, in the order of Parcel.Read.
type stage int

const (
	saids stage = iota
	notes
	jobs
	others
)

// pattern matches names by how they end, whatever folders they lie in.
type pattern struct{ end *regexp.Regexp }

// named is the pattern of a regular expression.
func named(end string) *pattern { return &pattern{regexp.MustCompile(`^(?:` + end + `)$`)} }

// maxFolders is how many folders an end is looked for in.
const maxFolders = 8

// MatchString reports whether a name has such an end.
func (p *pattern) MatchString(name string) bool {
	for i, n := len(name), 0; i >= 0 && n <= maxFolders; n++ {
		i = strings.LastIndexByte(name[:i], '/')
		if p.end.MatchString(name[i+1:]) {
			return true
		}
	}
	return false
}

// holds tells a file by something that its first bytes hold.
func holds(all ...string) func([]byte) bool {
	return func(head []byte) bool {
		return !slices.ContainsFunc(all, func(s string) bool { return !bytes.Contains(head, []byte(s)) })
	}
}

// Why files that are known are not taken over.
const (
	ofCharacter = "It says what that assistant is like and how it works. If you want some of it, write it under Memory → Files."
	ofSkills    = "It is made for that assistant's tools, which are not here."
	ofSecrets   = "Keys and passwords are not taken over; enter them anew."
	ofArchive   = "It is what that assistant had let go."
	ofItself    = "It is how that assistant keeps its own state."
	nested      = "It is an archive in the archive; unpack it and import it for itself."
	unknown     = "Nothing is taken over from such files."
)

// noteForms are the kinds of files that hold notes and jobs, and those that lie beside
// them. The first that fits counts.
var noteForms = []form{
	{source: FromNacre, stage: notes, path: named(`[^/]*\.(?:md|txt)`), head: exportedHead, read: texts},

	{source: FromNuggets, stage: notes, path: named(`[^/]*\.nugget\.json`), read: nuggets},
	{source: FromNuggets, stage: notes, path: named(`memory\.md`), beside: named(`[^/]*\.nugget\.json`), read: memoryFile},
	{source: FromNuggets, stage: jobs, path: named(`jobs\.json`), head: holds(`"cron"`, `"prompt"`, `"jid"`), read: cronJobs},
	{source: FromHermes, stage: jobs, path: named(`cron/jobs\.json`), head: holds(`"prompt"`, `"schedule"`), read: cronJobs},
	{source: FromOpenClaw, stage: jobs, path: named(`cron/jobs\.json`), head: holds(`"sessionTarget"`), read: cronJobs},
	{source: FromNanobot, stage: jobs, path: named(`cron/jobs\.json`), read: cronJobs},
	{source: FromNanobot, stage: jobs, path: named(`jobs\.json`), head: holds(`"schedule"`, `"payload"`), read: cronJobs},

	{source: FromNuum, stage: notes, path: named(`memory/profile\.md`), read: memoryFile},
	{source: FromNuum, stage: notes, path: named(`profile\.md`), head: nuumProfile, read: memoryFile},
	{source: FromNuum, stage: notes, path: named(`log/\d{4}-\d\d\.md`), read: nuumLog},
	{source: FromNuum, stage: notes, path: named(`\d{4}-\d\d\.md`), head: nuumMonth.Match, read: nuumLog},
	{path: named(`profile\.json`), read: quietly},

	{source: FromOpenClaw, stage: saids, path: named(`memory/\d{4}-\d\d-\d\d(?:-[^/]*)?\.md`), read: dailyLog},
	{source: FromOpenClaw, stage: saids, path: named(`\d{4}-\d\d-\d\d\.md`), read: dailyLog},
	{source: FromHermes, stage: notes, path: named(`(?:memories/)?(?:memory|user)\.md`), head: sectioned, read: memoryFile},
	{source: FromHermes, stage: notes, path: named(`memories/(?:memory|user)\.md`), read: memoryFile},
	{source: FromNanobot, stage: notes, path: named(`memory/memory\.md`), read: memoryFile},
	{source: FromNanobot, stage: notes, path: named(`user\.md`), beside: named(`memory/memory\.md`), read: memoryFile},
	{source: FromOpenClaw, stage: notes, path: named(`(?:memory|user)\.md`), beside: clawFiles, read: memoryFile},
	{source: FromText, stage: notes, path: named(`(?:memory|user)\.md`), read: memoryFile},
	{source: FromHermes, path: named(`(?:memory_)?archive\.jsonl`), why: ofArchive},

	{source: FromNod, stage: notes, path: named(`nod(?:[-_. ][^/]*)?\.md`), read: texts},

	{stage: others, path: named(`(?:config|openclaw)\.json`), head: holds(`"channels"`), read: admitted},
	{stage: others, path: named(`pairing\.json`), head: holds(`"approved"`), read: paired},
	{path: named(`(?:soul|heartbeat|agents|identity|tools|dreams|bootstrap|boot|persona)\.md|prompts/[^/]*\.md`), why: ofCharacter},
	{path: named(`skills/.*`), why: ofSkills},
	{path: named(`\.env|auth[^/]*\.json|credentials[^/]*|[^/]*\.(?:pem|key)`), why: ofSecrets},
	{path: named(`(?:config|openclaw|settings)\.(?:json|ya?ml|toml)|jobs-state\.json|state\.json|[^/]*\.(?:db|sqlite3?|db-wal|db-shm|lock|bak|log)`), why: ofItself},
	{source: FromOpenClaw, stage: notes, path: named(`memory/[^/]*\.md`), beside: clawFiles, read: memoryFile},
	{path: named(`[^/]*\.(?:zip|tar|t?gz|7z|rar|xz|bz2|zst)`), why: nested},
}

// clawFiles are files of OpenClaw that others do not have.
var clawFiles = named(`memory/\d{4}-\d\d-\d\d[^/]*\.md|dreams\.md|identity\.md|openclaw\.json`)

// exportedHead tells what Nacre exported.
func exportedHead(head []byte) bool { return exported(strings.TrimPrefix(string(head), mark)) }

// sectioned tells a memory of Hermes by what stands between its entries.
func sectioned(head []byte) bool { return separated(strings.Split(string(head), "\n")) }

// forms are all kinds of files that are known, in the order in which they are tried.
var forms = slices.Concat(conversationForms, noteForms)

// quietly passes over files that nobody misses.
func quietly(*Parcel, entry, *reading) error { return nil }
