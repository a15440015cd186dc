package mail

import (
	"strings"
	"testing"
)

// typed is a letter above what is quoted.
const typed = "Hi Bea,\n\nthe plan for the garden looks good to me, and I would love to start as soon as the weather is dry enough.\n\nCheers\nKim"

// TestRareMarks reads quotes with marks that few programs use, or with none. Beside
// each stands what only looks like it, and stays.
func TestRareMarks(t *testing.T) {
	for _, c := range []struct {
		name, quoted string
		keeps        []string
	}{
		{"on the line that introduces it", "El lun, may 6, 2024 a la(s) 10:15, Ann Lee<ann@example.org> escribió:   Are you free?\nWe could come.", []string{
			"On Monday, 6 May 2024 at 10:15 she wrote: come soon.",
			"Ask Ann <ann@example.org>, who wrote: come soon.",
		}},
		{"by Lotus", "Ann Lee ---06/05/2024 10:15:00---Are you free?\nWe could come.", []string{
			"We meet ---06/05/2024 or later--- at the lake.",
			"The train --- 10:15 --- is late.",
		}},
		{"bars", "| Are you free?\n|\n| We could come.", []string{
			"| Name | Chairs |\n| ---- | ------ |\n| Ann | 2 |",
			"This | that.",
		}},
		{"initials", "AL> Are you free?\nAL>> Deeper.", []string{
			"PS> Get-Date\nSQL> select 1;",
			"A > B, and C> D.",
			"Lee> is no mark.",
		}},
		{"colons", "Ann wrote:\n: Are you free?\n: We could come.", []string{
			":) is what I say to that.",
			"It is like this:\n: a colon begins this line.",
		}},
		{"a name and a date", "Ann Lee, 06.05.2024:\nAre you free?\nWe could come.", []string{
			"Team Meeting, 06.05.2024:\nwe were five.",
			"Protokoll, 06.05.2024:\nwir waren fünf.",
			"Ann Lee, 06.05.2024:\nshe came.\n\nBen Lee, 07.05.2024:\nhe came.",
			"Ann Lee, 06.05.2024: she came.",
			"The last to come:\nAnn Lee, 06.05.2024:\nshe was late.",
		}},
		{"what a firm adds", "CONFIDENTIAL: The contents of this email and any attachments are intended solely\nfor the addressee and may be privileged.", []string{
			"Confidential: tell nobody yet that Ann leaves.",
			"The contract is confidential and was intended only for Ann, so please do not pass it on.",
		}},
	} {
		if got := own(plainLines(typed+"\n\n"+c.quoted, false, false)); got != typed {
			t.Errorf("%s: %q", c.name, got)
		}
		for _, text := range c.keeps {
			text = "Hi Bea,\n\nthe plan looks good to me.\n\n" + text + "\n\nThat is all that I can tell you for now, so let me know."
			if got := own(plainLines(text, false, false)); got != text {
				t.Errorf("%s: %q became %q", c.name, text, got)
			}
		}
	}
	const between = "> Are you free?\n\nYes.\n\n" // a line that is quoted by itself ends nothing
	if got := own(plainLines("On Mon, May 6, 2024 at 9:58 AM Ann <ann@example.org> wrote: Hi\n"+between, false, false)); got != "Yes." {
		t.Errorf("between quotes: %q", got)
	}
}

// TestRareHTML does so with HTML.
func TestRareHTML(t *testing.T) {
	const bar = `<div style="padding-left:5px; border-left: 2px solid #00f">`
	for _, c := range []struct{ text, want string }{
		{"<div>one</div>" + bar + "Are you <div>free?</div>We</div><div>two</div>", "one\n\ntwo"},
		{bar + "one<div>two</div></div>three", "one\ntwo\nthree"},
		{`one<div style="border-left:none">two</div>`, "one\ntwo"},
		{`one<div style="border-left:1px solid;border-right:1px solid">two</div>`, "one\ntwo"},
		{"one</div></div>" + bar + "Are you free?", "one"},
		{"one<details><summary>On May 6, Ann wrote</summary>Are you free?</details>two", "one\n\ntwo"},
		{"one<details><summary>What to pack</summary>chairs</details>two", "one\nWhat to pack\nchairs\ntwo"},
		{"one</details></summary>two", "one\ntwo"},
	} {
		if got := own(htmlLines(c.text)); got != c.want {
			t.Errorf("%s: %q, want %q", c.text, got, c.want)
		}
	}
}

// TestAutomatic tells what programs write from what people do.
func TestAutomatic(t *testing.T) {
	for _, c := range []struct {
		header string
		want   Reason
	}{
		{"Subject: Abwesenheit: Garten", Automatic},
		{"Subject: Abwesend Re: Garten", Automatic},
		{"Subject: I am out of the office until May 9", Automatic},
		{"Subject: Re: I am out of the office until May 9", ""},
		{"Subject: Abwesenheit im Mai", ""},
		{"Subject: Accepted: Garden @ Mon May 6, 2024", Automatic},
		{"Subject: Zugesagt: Garten", Automatic},
		{"Subject: =?utf-8?q?Accept=C3=A9_=3A?= jardin", Automatic},
		{"Subject: Aceptado: jardín", Automatic},
		{"Subject: 已接受：花园", Automatic},
		{"Subject: Re: Accepted: Garden", ""},
		{"Subject: Accepted the offer", ""},
		{"X-Mailer: Mailchimp Mailer - 1", Automatic},
		{"X-Mailer: Apple Mail (2.3774)", ""},
		{"X-Mailgun-Sid: 1", Automatic},
		{"X-SES-Outgoing: 2024.05.06", Automatic},
		{"Feedback-ID: 1:2:3:mail", Automatic},
		{"X-Gm-Message-State: AOJ", ""},
	} {
		if _, why := Read(strings.NewReader(letterOf(c.header+"\n", sample))); why != c.want {
			t.Errorf("%s: %q, want %q", c.header, why, c.want)
		}
	}
	for _, c := range []struct {
		text string
		want Reason
	}{
		{"Hello,\n\nI am currently out of the office until May 9 with limited access to e-mail. I will reply as soon as I can after my return.", Automatic},
		{"Guten Tag,\n\nich bin bis zum 9. Mai nicht im Büro. In dringenden Fällen wenden Sie sich bitte an Ben. Ihre Nachricht wird nicht weitergeleitet.", Automatic},
		{"Bonjour,\n\nje suis absente du bureau jusqu'au 9 mai. Je répondrai à votre message à mon retour. En cas d'urgence, appelez Ben au bureau.", Automatic},
		{"Hola:\n\nEstoy fuera de la oficina hasta el 9 de mayo. Contestaré a su mensaje a mi regreso. En caso de urgencia, llame a Ben por favor.", Automatic},
		{"您好，\n\n我目前不在办公室，五月九日返回。如有紧急事务请联系本同事，其他邮件我会在返回后尽快回复，谢谢您的理解。", Automatic},
		{"Hi Ann,\n\nI am out of the office on Friday, so shall we meet on Thursday instead and look at the plans for the garden together?", ""},
		{"Hi Ann,\n\nich bin am Freitag nicht im Büro, aber am Donnerstag können wir uns gern die Pläne für den Garten zusammen ansehen.", ""},
		{"Hi Ann,\n\nI am out of the office and will reply to Ben on my return. " + strings.Repeat("The garden has to wait for the dry weather. ", 9), ""},
	} {
		if _, why := Read(strings.NewReader(letterOf("Content-Type: text/plain; charset=utf-8\n", c.text))); why != c.want {
			t.Errorf("%s: %q, want %q", c.text, why, c.want)
		}
	}
}
