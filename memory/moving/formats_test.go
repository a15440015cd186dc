package moving

import (
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"nacre"
	"nacre/memory"
)

func TestNuggets(t *testing.T) {
	_, f := opened(t, "x.zip", zipOf(t,
		".nuggets/user.nugget.json", `{"version":3,"name":"user","D":16384,"facts":[
			{"key":"pref:editor","value":"vim","hits":3,"last_hit_session":"s"},
			{"key":"learn:use-pnpm-for","value":"use pnpm for all","hits":"4"},
			{"key":"Dog","value":"Kiko","hits":1},
			{"key":"dog","value":"Kiko the second","hits":2},
			{"key":"favorite_color","value":"blue"},
			{"key":"age","value":42,"hits":2.5},
			{"key":"_task","value":"x"},{"key":"file:a.go","value":"x"},{"key":"edited:a.go","value":"x"},
			{"key":"","value":"x"},{"key":"k"},7,{"key":["a"],"value":{}},
			{"key":"late","value":"x","hits":null}
		],"config":{"sharpen_p":1}}`,
		".nuggets/agent.nugget.json", `{"facts":[{"key":"deploy","value":"on Fridays"}]}`,
		".nuggets/memory.nugget.json", `{"version":1,"facts":[{"key":"home","value":"Bern"}, {"key":"cut`,
		".gateway/cron/jobs.json", `[
			{"id":"1","jid":"a","cron":"0 9 * * 1","prompt":"Plan the week.","enabled":true,"oneShot":false,"createdAt":1767225600000},
			{"id":"2","jid":"a","cron":"30 15 5 2 *","prompt":"Call Ann.","enabled":true,"oneShot":true,"createdAt":"2026-01-01T00:00:00Z"},
			{"id":"3","jid":"a","cron":"0 7 * * *","prompt":"Wake me.","enabled":true,"oneShot":true,"createdAt":1767225600000},
			{"id":"4","jid":"a","cron":"* * * * *","prompt":"Off.","enabled":false},
			{"id":"5","jid":"a","cron":"0 9 1 * 1","prompt":"Both."},
			{"id":"6","jid":"a","cron":"nonsense","prompt":"When?"},
			{"id":"7","jid":"a","cron":"0 9 * * *"},
			{"id":"8","jid":"a","cron":"*/5 * * * *","prompt":"Once?","oneShot":true,"createdAt":1},
			{"id":"9","jid":"a","cron":"61 25 31 2 *","prompt":"Never.","oneShot":true,"createdAt":1767225600000},
			"x"
		]`,
		"memory/MEMORY.md", "## Preferences\n- **pref:editor**: vim\n- **tea**: green\n",
	))
	expect(t, "nuggets", f.lines, []string{
		"left .nuggets/user.nugget.json:10 a fact: It has no key or no value.",
		"left .nuggets/user.nugget.json:11 a fact: It has no key or no value.",
		"left .nuggets/user.nugget.json:12 a fact: " + malformed,
		"left .nuggets/user.nugget.json:13 a fact: It has no key or no value.",
		"left .nuggets/user.nugget.json:0 3 facts: It is about files and work in hand, which mean nothing here.",
		"note .nuggets/user.nugget.json:1 preferences/editor editor: vim pinned",
		"note .nuggets/user.nugget.json:2 lessons/use-pnpm-for use pnpm for all pinned",
		"note .nuggets/user.nugget.json:4 about/dog dog: Kiko the second",
		"note .nuggets/user.nugget.json:5 about/favorite-color favorite color: blue",
		"note .nuggets/user.nugget.json:6 about/age age: 42",
		"note .nuggets/user.nugget.json:14 about/late late: x",
		"note .nuggets/agent.nugget.json:1 lessons/deploy deploy: on Fridays",
		"left .nuggets/memory.nugget.json:2 a fact: " + cutOff,
		"note .nuggets/memory.nugget.json:1 about/home home: Bern",
		"note memory/MEMORY.md:2 preferences/editor editor: vim",
		"note memory/MEMORY.md:3 preferences/tea tea: green",
		"job .gateway/cron/jobs.json:1 task cron 0 9 * * 1 Plan the week. ()",
		"job .gateway/cron/jobs.json:2 task once 0s 2026-02-05 15:30 home Call Ann. ()",
		"job .gateway/cron/jobs.json:3 task once 0s 2026-01-01 07:00 home Wake me. ()",
		"job .gateway/cron/jobs.json:4 task cron * * * * * Off. (It was switched off.)",
		"job .gateway/cron/jobs.json:5 task cron 0 9 1 * 1 Both. (" + bothDays + ")",
		"job .gateway/cron/jobs.json:6 task cron nonsense When? (" + noMoment + ")",
		"job .gateway/cron/jobs.json:7 task cron 0 9 * * *  (It does not say what to do.)",
		"job .gateway/cron/jobs.json:8 task cron */5 * * * * Once? (" + onceCron + ")",
		"job .gateway/cron/jobs.json:9 task once 0s Never. (" + noMoment + ")",
		"left .gateway/cron/jobs.json:10 a job: " + malformed,
	})
}

const emptyProfile = `# User Profile

Information about the user to help personalize interactions.

## Basic Information

- **Name**: (your name)
- **Language**: (preferred language)

## Preferences

### Communication Style

- [ ] Casual
- [ ] Professional

## Topics of Interest

- 
- 

## Special Instructions

(Any specific instructions for how the assistant should behave)

---

*Edit this file to customize nanobot's behavior for your needs.*
`

func TestNanobot(t *testing.T) {
	filled := strings.NewReplacer("(your name)", "Ann", "[ ] Casual", "[x] Casual", "- \n- ", "- Tea <!-- or not -->").Replace(emptyProfile)
	_, f := opened(t, "x.zip", zipOf(t,
		".nanobot/workspace/USER.md", filled,
		".nanobot/workspace/memory/MEMORY.md", "# Long-term Memory\n\nThis file stores important information that should persist across sessions.\n\n## User Information\n\n(Important facts about the user)\n\nLives in Bern.\n\n- Rows.\n",
		".nanobot/workspace/SOUL.md", "I am kind.",
		".nanobot/workspace/prompts/dream.md", "Dream.",
		".nanobot/config.json", `{"channels":{"telegram":{"token":"1:secret","allowFrom":["1","2"]},"whatsapp":{"allowFrom":["3"]},"\u001b[31m":{"allowFrom":["4"]},"email":{"allowFrom":[]},"x":7}}`,
		".nanobot/pairing.json", `{"approved":{"telegram":["1"]},"pending":{"CODE":{}}}`,
		".nanobot/workspace/cron/jobs.json", `{"version":1,"jobs":[
			{"id":"a","name":"news","enabled":true,"schedule":{"kind":"cron","expr":"0 9 * * *","tz":"Europe/Vienna"},"payload":{"kind":"agent_turn","message":"Read the news."}},
			{"id":"b","name":"water","schedule":{"kind":"every","every_ms":"60000"},"payload":{"message":"Drink."},"state":{"next_run_at_ms":"1767225600000"}},
			{"id":"c","name":"once","schedule":{"kind":"at","atMs":1767225600000.5},"payload":{"kind":"agent_turn","message":"Now."}},
			{"id":"d","name":"naive","schedule":{"kind":"at","at":"2026-05-01T09:30"},"payload":{"message":"Later."}},
			{"id":"e","name":"z","schedule":{"kind":"cron","expr":"0 9 * * *","tz":"America/Vancovuer"},"payload":{"message":"Where?"}},
			{"id":"f","name":"z","schedule":{"kind":"cron","expr":"0 9 * * *","tz":"Local"},"payload":{"message":"Where?"}},
			{"id":"g","name":"event","schedule":{"kind":"every","everyMs":3600000},"payload":{"kind":"system_event","message":"x"},"createdAtMs":1767225600000},
			{"id":"h","name":"huge","schedule":{"kind":"every","everyMs":1e300},"payload":{"message":"x"}},
			{"id":"i","name":"odd","schedule":{"kind":"every","everyMs":[1]},"payload":"x"},
			{"id":"j","name":"no","schedule":7,"payload":{"message":"x"}},
			{"id":"dream","name":"dream"},{"id":"k","name":"heartbeat"}
		]}`,
	))
	expect(t, "nanobot", f.lines, []string{
		"left .nanobot/workspace/SOUL.md:0 the file: " + ofCharacter,
		"left .nanobot/workspace/prompts/dream.md:0 the file: " + ofCharacter,
		"note .nanobot/workspace/USER.md:7 about/name Name: Ann",
		"note .nanobot/workspace/USER.md:14 preferences/communication-style Communication Style: Casual",
		"note .nanobot/workspace/USER.md:19 about/ Tea",
		"note .nanobot/workspace/memory/MEMORY.md:9 about/ Lives in Bern.",
		"note .nanobot/workspace/memory/MEMORY.md:11 about/ Rows.",
		"job .nanobot/workspace/cron/jobs.json:1 task cron 0 9 * * * Europe/Vienna Read the news. ()",
		"job .nanobot/workspace/cron/jobs.json:2 task every 1m0s 2026-01-01 00:00 UTC Drink. ()",
		"job .nanobot/workspace/cron/jobs.json:3 task once 0s 2026-01-01 00:00 UTC Now. ()",
		"job .nanobot/workspace/cron/jobs.json:4 task once 0s 2026-05-01 07:30 UTC Later. ()",
		"job .nanobot/workspace/cron/jobs.json:5 task  0s America/Vancovuer Where? (" + noZone + ")",
		"job .nanobot/workspace/cron/jobs.json:6 task  0s Local Where? (" + noZone + ")",
		"job .nanobot/workspace/cron/jobs.json:7 task every 1h0m0s 2026-01-01 00:00 UTC x (" + eventJob + ")",
		"job .nanobot/workspace/cron/jobs.json:8 task every 0s 2000-01-01 00:00 home x (" + noMoment + ")",
		"job .nanobot/workspace/cron/jobs.json:9 task every 0s 2000-01-01 00:00 home  (It does not say what to do.)",
		"job .nanobot/workspace/cron/jobs.json:10 task cron 0s x (" + noMoment + ")",
		"left .nanobot/config.json:0 who may write: Another channel: 1 account could write there. Add them to NACRE_OWNERS, or let them write to Nacre and pair them.",
		"left .nanobot/config.json:0 who may write: Telegram: 2 accounts could write there. Add them to NACRE_OWNERS, or let them write to Nacre and pair them.",
		"left .nanobot/config.json:0 who may write: WhatsApp: 1 account could write there. Add them to NACRE_OWNERS, or let them write to Nacre and pair them.",
		"left .nanobot/pairing.json:0 who may write: Telegram: 1 account could write there. Add them to NACRE_OWNERS, or let them write to Nacre and pair them.",
	})
}

// A template that nobody filled in says nothing.
func TestTemplates(t *testing.T) {
	for _, text := range []string{emptyProfile,
		"# Long-term Memory\n\nThis file stores important information that should persist across sessions.\n\n## Preferences\n\n(User preferences learned over time)\n\n---\n\n*This file is automatically updated by nanobot when important information should be remembered.*\n",
		"# User\n\nInformation about the user goes here.\n\n## Preferences\n\n- **Communication style**:\n",
		"# User\n\nInformation about the user.\n",
		"---\ntitle: USER\n---\n# USER.md\n\n_Learn about the person you're helping. Update this as you go._\n\n- **Name:**\n- **Pronouns:** _(optional)_\n- **Notes:**\n\n## Context\n\n_(What do they care about? What projects are they working on? What annoys them? What makes them laugh? Build this over time.)_\n\n---\n\nThe more you know, the better you can help. But remember — you're learning about a person, not building a dossier. Respect the difference.\n",
	} {
		for _, c := range []struct {
			name string
			raw  []byte
		}{{"USER.md", []byte(text)}, {"x.zip", zipOf(t, "USER.md", text)}} {
			if _, f := opened(t, c.name, c.raw); len(f.lines) > 0 {
				t.Errorf("%s: %q", c.name, f.lines)
			}
		}
	}
	_, f := opened(t, "USER.md", []byte("- **Name:** Ann\n- **Notes:**\n  - Rows.\n- **Pets:** (two) dogs\n- **Home:** (where?)\n- [x] Tea\n\n_(More?)_\n"))
	expect(t, "filled in", f.lines, []string{
		"note :1 about/name Name: Ann", "note :2 about/notes Notes: Rows.", "note :4 about/pets Pets: (two) dogs",
		"note :5 about/home Home: (where?) (" + hintOnly + ")", "note :6 about/ Tea", "note :8 about/ _(More?)_ (" + hintOnly + ")"})
}

// Whatever ends the lines of a text, they are its lines.
func TestLineEnds(t *testing.T) {
	for _, end := range []string{"\n", "\r\n", "\r"} {
		for _, c := range []struct{ name, text, want string }{
			{"notes.txt", "# People\n- Ann.\n- Bo.\n", "note :2 people/ Ann.|note :3 people/ Bo."},
			{"MEMORY.md", "---\na: b\n---\nTea.\n§\nCoffee.\n", "note :4 about/ Tea.|note :6 about/ Coffee."},
			{"log/2026-05.md", "# 2026-05\n- 2026-05-01 · Tea.\n", "note :2 about/ Tea. on 2026-05-01"},
			{"2026-05-01.md", "- Tea.\n- Coffee.\n", "said :1 openclaw/2026-05-01 assistant 2026-05-01 12:00:00: Tea.|said :2 openclaw/2026-05-01 assistant 2026-05-01 12:00:01: Coffee."},
			{"x.md", exportTitle + "\n## In your private chats\n### People\n- **ann**: My sister.\n", "note :4 people/ann My sister."},
			{"HISTORY.md", "[2026-05-01 09:30] Tea.\nCoffee.\n", "said :1 nanobot/history assistant 2026-05-01 07:30:00: Tea.\nCoffee."},
		} {
			if _, f := opened(t, c.name, []byte(strings.ReplaceAll(c.text, "\n", end))); strings.Join(f.lines, "|") != c.want {
				t.Errorf("%s, %q: %q, not %q", c.name, end, f.lines, c.want)
			}
		}
	}
	for _, c := range [][2]string{{"a\r\n\r\nb\r", "a\n\nb\n"}, {"\r\r\n\n", "\n\n\n"}, {"a", "a"}} {
		got, err := io.ReadAll(&newlines{in: iotest.OneByteReader(strings.NewReader(c[0]))})
		if string(got) != c[1] || err != nil || plain(c[0]) != c[1] {
			t.Errorf("%q became %q and %q, %v", c[0], got, plain(c[0]), err)
		}
	}
}

// Of a file, so much is taken, and so much is told of what is not.
func TestFilesAreBounded(t *testing.T) {
	const cut, others = "the rest of the notes: There are more than 10,000 in the file; import it in parts.", ": They are left out for reasons like those before."
	for _, c := range []struct {
		name, text  string
		notes, left int
		want        []string
	}{
		{"x.md", strings.Repeat("- a\n", MaxNotes), MaxNotes, 0, nil},
		{"x.md", strings.Repeat("- a\n", MaxNotes+5), MaxNotes, 0, []string{cut}},
		{"x.md", exportTitle + "\n## In your private chats\n### People\n" + strings.Repeat("- **a**: b\n", MaxNotes+5), MaxNotes, 0, []string{cut}},
		{"MEMORY.md", "- a\n" + strings.Repeat("b c\n", MaxNotes+5), 11, 0, []string{cut}}, // lines of paragraphs, each as long as a note may be
		{"MEMORY.md", strings.Repeat("a\n§\n", MaxNotes+5), MaxNotes, 0, []string{cut}},
		{"x.md", "- a\n" + strings.Repeat("b\n", maxLeft), 1, maxLeft, nil},
		{"x.md", "- a\n" + strings.Repeat("b\n", maxLeft+1), 1, maxLeft, []string{"1 other" + others}},
		{"a.nugget.json", `{"facts":[` + strings.Repeat("0,", maxLeft+6) + `{"key":"a","value":"b"}]}`, 1, 0, []string{"6 others" + others}},
	} {
		_, f := opened(t, c.name, []byte(c.text))
		notes, left := 0, 0
		for _, n := range f.notes {
			if n.Left == "" {
				notes++
			} else {
				left++
			}
		}
		var told []string
		for _, l := range f.lefts {
			if l.Line == 0 {
				told = append(told, l.What+": "+l.Why)
			}
		}
		if notes != c.notes || left != c.left || !slices.Equal(told, c.want) {
			t.Errorf("%s, %.20q: %d notes, %d left out, %q; want %d, %d, %q", c.name, c.text, notes, left, told, c.notes, c.left, c.want)
		}
	}
	_, f := opened(t, "x.zip", zipOf(t, "a.md", strings.Repeat("- a\n", MaxNotes), "b.md", "- b"))
	if len(f.notes) != MaxNotes+1 || len(f.lefts) > 0 {
		t.Errorf("of two files: %d notes, %v", len(f.notes), f.lefts)
	}
}

// In a memory, paragraphs are notes too; code and what leads to a list are none.
func TestProse(t *testing.T) {
	_, f := opened(t, "MEMORY.md", []byte("Ann lives\nin Bern.\nLikes tea.\n\nHer dogs:\n- Kiko\n- [ ] Renew passport\n\n```sh\nrun it\n```\n| a | b |\n\nThe end\n"))
	expect(t, "prose", f.lines, []string{
		"note :1 about/ Ann lives in Bern.", "note :3 about/ Likes tea.", "note :5 about/ Her dogs: (It stands outside the list.)", "note :6 about/ Kiko",
		"note :7 about/ Renew passport", "note :9 about/ ```sh (" + codeOnly + ")", "note :10 about/ run it (" + codeOnly + ")",
		"note :12 about/ | a | b | (" + codeOnly + ")", "note :14 about/ The end"})
}

func TestNuum(t *testing.T) {
	_, f := opened(t, "x.zip", zipOf(t,
		"agents/1/memory/profile.md", "# Standing facts\n\n- Lives in Bern.\n",
		"agents/1/memory/log/2026-05.md", "# 2026-05\n\n## Facts\n- 2026-05-01 · Bought a bike.\n- 2026-05-02 ·No blank.\n- 2026-13-40 · Never.\n- 2026-05-03 - no dot\n\n## Notes\n- 2026-05-04 · Likes tea.\nbeside\n",
		"agents/1/profile.json", `{"id":"1","name":"x"}`,
	))
	expect(t, "nuum", f.lines, []string{
		"note agents/1/memory/profile.md:3 about/ Lives in Bern.",
		"note agents/1/memory/log/2026-05.md:4 about/ Bought a bike. on 2026-05-01",
		"note agents/1/memory/log/2026-05.md:5 about/ No blank. on 2026-05-02",
		"note agents/1/memory/log/2026-05.md:6 about/ Never. (Its day is none of the calendar.)",
		"note agents/1/memory/log/2026-05.md:7 about/ 2026-05-03 - no dot",
		"note agents/1/memory/log/2026-05.md:10 about/ Likes tea. on 2026-05-04",
		"note agents/1/memory/log/2026-05.md:11 about/ beside (It stands outside the list.)",
	})
}

func TestOpenClaw(t *testing.T) {
	p, f := opened(t, "x.zip", zipOf(t,
		"workspace/MEMORY.md", "## Preferences\n- Likes tea.\n",
		"workspace/USER.md", "- **Name:** Ann\n",
		"workspace/memory/2026-05-01.md", "# 2026-05-01\n\nA quiet day\nin Bern.\n\n## Done\n- Booked a table\n  - for two\n- Booked a table\n---\n- Booked a table\n",
		"workspace/memory/2026-13-01.md", "- x",
		"workspace/DREAMS.md", "x", "workspace/AGENTS.md", "x", "workspace/TOOLS.md", "x",
		"openclaw.json", `{"channels":{"telegram":{"allowFrom":["1"]}}}`,
		"cron/jobs.json", `{"version":1,"jobs":[
			{"id":"1","sessionTarget":"isolated","schedule":{"kind":"cron","expr":"0 0 9 * * *","tz":"Asia/Tokyo"},"payload":{"kind":"agentTurn","message":"News."}},
			{"id":"2","sessionTarget":"main","schedule":{"kind":"at","at":"2026-02-01T16:00:00Z"},"payload":{"kind":"systemEvent","text":"Check the draft."}}]}`,
	))
	expect(t, "openclaw", f.lines, []string{
		"left workspace/DREAMS.md:0 the file: " + ofCharacter,
		"left workspace/AGENTS.md:0 the file: " + ofCharacter,
		"left workspace/TOOLS.md:0 the file: " + ofCharacter,
		"said workspace/memory/2026-05-01.md:3 openclaw/2026-05-01 assistant 2026-05-01 12:00:00: A quiet day\nin Bern.",
		"said workspace/memory/2026-05-01.md:7 openclaw/2026-05-01 assistant 2026-05-01 12:00:01: Done: Booked a table\nfor two",
		"said workspace/memory/2026-05-01.md:9 openclaw/2026-05-01 assistant 2026-05-01 12:00:02: Done: Booked a table",
		"said workspace/memory/2026-05-01.md:11 openclaw/2026-05-01 assistant 2026-05-01 12:00:03: Done: Booked a table",
		"left workspace/memory/2026-13-01.md:0 the file: Its name is no day.",
		"note workspace/MEMORY.md:2 preferences/ Likes tea.",
		"note workspace/USER.md:1 about/name Name: Ann",
		"job cron/jobs.json:1 task cron 0 9 * * * Asia/Tokyo News. ()",
		"job cron/jobs.json:2 task once 0s 2026-02-01 16:00 UTC Check the draft. ()",
		"left openclaw.json:0 who may write: Telegram: 1 account could write there. Add them to NACRE_OWNERS, or let them write to Nacre and pair them.",
	})
	if got := p.Sources(); len(got) != 1 || got[0] != FromOpenClaw {
		t.Errorf("from %v", got)
	}
	ids := map[string]bool{}
	for _, s := range f.saids {
		ids[s.ID] = true
	}
	if len(ids) != 4 {
		t.Errorf("%d ids of 4 messages", len(ids))
	}
}

func TestHermes(t *testing.T) {
	p, f := opened(t, "x.zip", zipOf(t,
		".hermes/memories/MEMORY.md", "Runs on a small server.\nWith a view.\n§\n- Uses pnpm\n§\n\n§\n---\n",
		".hermes/memories/USER.md", "Name: Ann",
		".hermes/memories/ARCHIVE.jsonl", "{}\n",
		".hermes/cron/jobs.json", `{"jobs":[
			{"id":"1","name":"n","prompt":"News.","schedule":{"kind":"interval","minutes":120},"enabled":true,"created_at":"2026-01-01T10:00:00+00:00"},
			{"id":"2","name":"n","prompt":"Once.","schedule":{"kind":"once","run_at":"2026-02-03T14:00:00+02:00"},"state":"scheduled"},
			{"id":"3","name":"n","prompt":"Paused.","schedule":{"kind":"cron","expr":"0 9 * * *"},"state":"paused"},
			{"id":"4","name":"n","prompt":"","script":"run.py","schedule":{"kind":"cron","expr":"0 9 * * *"}}]}`,
	))
	expect(t, "hermes", f.lines, []string{
		"left .hermes/memories/ARCHIVE.jsonl:0 the file: " + ofArchive,
		"note .hermes/memories/MEMORY.md:1 about/ Runs on a small server. With a view.",
		"note .hermes/memories/MEMORY.md:4 about/ Uses pnpm",
		"note .hermes/memories/USER.md:1 about/name Name: Ann",
		"job .hermes/cron/jobs.json:1 task every 2h0m0s 2026-01-01 10:00 UTC News. ()",
		"job .hermes/cron/jobs.json:2 task once 0s 2026-02-03 12:00 UTC Once. ()",
		"job .hermes/cron/jobs.json:3 task cron 0 9 * * * Paused. (It was switched off.)",
		"job .hermes/cron/jobs.json:4 task cron 0 9 * * *  (It runs a program, which Nacre does not.)",
	})
	if got := p.Sources(); len(got) != 1 || got[0] != FromHermes {
		t.Errorf("from %v", got)
	}
}

// A file that comes alone is told by what it holds, and places do not name it.
func TestAlone(t *testing.T) {
	for _, c := range []struct {
		name, text string
		from       Source
		want       string
	}{
		{"", "- Tea.", FromText, "note :1 about/ Tea."},
		{"paste", "\uFEFF## People\r\n- Ann.\r\n", FromText, "note :2 people/ Ann."},
		{"nod-memory.md", "## Lessons\n- Early.", FromNod, "note :2 lessons/ Early."},
		{"x.md", exportTitle + "\n## In your private chats\n### People\n- **ann**: My sister.\n", FromNacre, "note :4 people/ann My sister."},
		{"", "Tea.\n§\nCoffee.", FromHermes, "note :1 about/ Tea.|note :3 about/ Coffee."},
		{"user.nugget.json", `{"facts":[{"key":"a","value":"b"}]}`, FromNuggets, "note :1 about/a a: b"},
		{"jobs.json", `{"jobs":[{"schedule":{"kind":"cron","expr":"0 9 * * *"},"payload":{"message":"News."}}]}`, FromNanobot, "job :1 task cron 0 9 * * * News. ()"},
		{"backup", `[{"jid":"a","cron":"0 9 * * *","prompt":"News."}]`, FromNuggets, "job :1 task cron 0 9 * * * News. ()"},
		{`C:\Users\ann\2026-05-01.md`, "- Tea.", FromOpenClaw, "said :1 openclaw/2026-05-01 assistant 2026-05-01 12:00:00: Tea."},
		{"pairing.json", "{\n\n\"approved\": }", "", "left :3 the file: " + malformed},
	} {
		p, f := opened(t, c.name, []byte(c.text))
		if got := strings.Join(f.lines, "|"); got != c.want {
			t.Errorf("%s: %s, not %s", c.name, got, c.want)
		}
		if got := p.Sources(); c.from != "" && (len(got) != 1 || got[0] != c.from) {
			t.Errorf("%s is from %v, not %s", c.name, got, c.from)
		}
	}
}

// Nothing of a text is taken more than once.
func TestTextsDoNotGrow(t *testing.T) {
	const length = 600 // more than a heading that is put before its lines
	for _, name := range []string{"MEMORY.md", "USER.md", "2026-05-01.md", "2026-05.md", "a.nugget.json", ""} {
		for _, line := range []string{"a\n", "- a\n", "- [x] a\n", "- a:\n", "§\na\n", "*a*\n", "# a\n- b\n", "  - a\n", "\ta\n"} {
			text := "# " + strings.Repeat("b", length) + "\n- 2026-05-01 · a\n" + strings.Repeat(line, length/len(line))
			_, f := opened(t, name, []byte(text))
			size := 0
			for _, n := range f.notes {
				size += len(n.Draft.Text)
			}
			for _, s := range f.saids {
				size += len(s.Text)
			}
			if size > 4*length {
				t.Errorf("%s, %q: %d bytes", name, line, size)
			}
		}
	}
}

// FuzzNotes reads any text as each kind of file that holds notes or jobs.
func FuzzNotes(f *testing.F) {
	names := []string{"memory.nugget.json", "cron/jobs.json", "memory/2026-05-01.md", "log/2026-05.md", "MEMORY.md", "USER.md", "memory/profile.md", "config.json", "pairing.json"}
	for i, text := range []string{
		`{"name":"user","facts":[{"key":"pref:a","value":1,"hits":"3"},{"key":"A","value":"b"}]}`,
		`{"jobs":[{"schedule":{"kind":"every","everyMs":"60000"},"payload":{"message":"a"}},{"cron":"1 2 3 4 *","prompt":"a","oneShot":true,"createdAt":"2026-05-01T10:00:00Z"}]}`,
		"# a\nb\n- c\n  d\n", "## Facts\n- 2026-05-01 · a\n", "- **learn:a**: b\nc\nd:\n```\ne\n", "---\na: b\n---\n- [x] c\n- **d:** _(e)_", "# Standing facts\n- a",
		`{"channels":{"telegram":{"allowFrom":["*"]}}}`, `{"approved":{"whatsapp":["1","2"]}}`,
	} {
		f.Add(byte(i), text)
	}
	f.Fuzz(func(t *testing.T, kind byte, text string) {
		name := names[int(kind)%len(names)]
		p := &Parcel{at: &faults{at: strings.NewReader(text), allowance: 1 << 40}, entries: []entry{{name: name, size: int64(len(text))}}}
		if err := p.detect(); err != nil {
			t.Fatal(err)
		}
		var got found
		frugal(t, len(text), func() {
			if err := p.Read(home, got.receiver()); err != nil {
				t.Fatal(err)
			}
		})
		size, lines := 0, strings.Count(text, "\n")+1
		most := max(lines, len(text))
		for _, n := range got.notes {
			size += len(n.Draft.Text)
			if n.File != name || n.Line < 1 || n.Line > most || n.Draft.Area == "" || memory.Slug(n.Draft.Slug) != n.Draft.Slug || !utf8.ValidString(n.Draft.Text) {
				t.Fatalf("%+v", n)
			}
		}
		for _, s := range got.saids {
			size += len(s.Text)
			if s.File != name || s.At.IsZero() || s.Who != Assistant || s.ID == "" {
				t.Fatalf("%+v", s)
			}
		}
		for _, j := range got.jobs {
			size += len(j.Text)
			if j.File != name || j.Left == "" && (j.Text == "" || j.Schedule.Kind != nacre.Cron && j.Schedule.At.IsZero()) {
				t.Fatalf("%+v", j)
			}
		}
		for _, l := range got.lefts {
			if l.File != name || l.Line < 0 || l.Line > most || !strings.HasSuffix(l.Why, ".") {
				t.Fatalf("%+v", l)
			}
		}
		if size > (maxHeading+4)*(len(text)+1) {
			t.Fatalf("%d bytes are made of %d", size, len(text))
		}
	})
}
