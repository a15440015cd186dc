package phrase

import "testing"

// reminded are whole sentences, on Wednesday, 2 December 2026, at 10:00.
var reminded = []struct{ text, want, about, lang string }{
	{"remind me tomorrow at 9 to call mum", "2026-12-03 09:00", "call mum", "en"},
	{"Remind me to call mum tomorrow at 9.", "2026-12-03 09:00", "call mum", "en"},
	{"remind me in 20 minutes", "2026-12-02 10:20", "", "en"},
	{"remind me in 20 minutes that the cake is in the oven", "2026-12-02 10:20", "the cake is in the oven", "en"},
	{"Please remind me on Friday at 8 about the rent", "2026-12-04 08:00", "the rent", "en"},
	{"hey nacre, can you remind me every Monday at 8 to put out the bins?", "0 8 * * 1", "put out the bins", "en"},
	{"Could you please remind me to call mum at 5pm?", "2026-12-02 17:00", "call mum", "en"},
	{"tomorrow at 9 remind me to call mum", "2026-12-03 09:00", "call mum", "en"},
	{"Tomorrow at 9, please remind me to call mum", "2026-12-03 09:00", "call mum", "en"},
	{"in 20 minutes remind me: tea", "2026-12-02 10:20", "tea", "en"},
	{"set a reminder for tomorrow at 9 to call mum", "2026-12-03 09:00", "call mum", "en"},
	{"Set me a reminder to call mum tomorrow at 9", "2026-12-03 09:00", "call mum", "en"},
	{"I want to be reminded every day at 9 to take the pills", "0 9 * * *", "take the pills", "en"},
	{"remind me tomorrow at 9 to ask Tom about Friday", "2026-12-03 09:00", "ask Tom about Friday", "en"},
	{"remind me in 10 minutes: did you take the pills?", "2026-12-02 10:10", "did you take the pills?", "en"},
	{"Remind me tomorrow at 9. Call mum!", "2026-12-03 09:00", "Call mum!", "en"},
	{"remind me: is it over? tomorrow at 9", "2026-12-03 09:00", "is it over?", "en"},
	{"remind me tomorrow at 9 Tokyo time to call Ken", "2026-12-03 09:00 Asia/Tokyo", "call Ken", "en"},
	{"can you remind me in 10 minutes to ask “is it over?”", "2026-12-02 10:10", "ask “is it over?”", "en"},
	{"erinnere mich morgen um 9 daran, Mama anzurufen", "2026-12-03 09:00", "Mama anzurufen", "de"},
	{"Erinnere mich bitte morgen um 9 an den Zahnarzt", "2026-12-03 09:00", "den Zahnarzt", "de"},
	{"erinnere mich an den Zahnarzt morgen um 9", "2026-12-03 09:00", "den Zahnarzt", "de"},
	{"Erinner mich in 20 Minuten", "2026-12-02 10:20", "", "de"},
	{"Bitte erinnere mich jeden Montag um 8 daran, den Müll rauszubringen!", "0 8 * * 1", "den Müll rauszubringen!", "de"},
	{"erinnere mich daran, morgen um 9 Mama anzurufen", "2026-12-03 09:00", "Mama anzurufen", "de"},
	{"Kannst du mich morgen um 9 daran erinnern, Mama anzurufen?", "2026-12-03 09:00", "Mama anzurufen", "de"},
	{"Kannst du mich bitte morgen früh um 8 an den Zahnarzt erinnern?", "2026-12-03 08:00", "den Zahnarzt", "de"},
	{"kannst du mich morgen um 9 erinnern", "2026-12-03 09:00", "", "de"},
	{"morgen um 9 erinnere mich daran, Mama anzurufen", "2026-12-03 09:00", "Mama anzurufen", "de"},
	{"Morgen um halb neun erinnere mich an die Tabletten", "2026-12-03 08:30", "die Tabletten", "de"},
	{"Stell mir eine Erinnerung für morgen um 9", "2026-12-03 09:00", "", "de"},
	{"recuérdame mañana a las 8 llamar a mamá", "2026-12-03 08:00", "llamar a mamá", "es"},
	{"Recuérdame llamar a mamá mañana a las 8", "2026-12-03 08:00", "llamar a mamá", "es"},
	{"recuerdame en 20 minutos que el pan está en el horno", "2026-12-02 10:20", "el pan está en el horno", "es"},
	{"Por favor, recuérdame todos los lunes a las 8 sacar la basura", "0 8 * * 1", "sacar la basura", "es"},
	{"¿Puedes recordarme mañana a las 8 llamar a mamá?", "2026-12-03 08:00", "llamar a mamá", "es"},
	{"¿me puedes recordar mañana a las 8 que llame a mamá?", "2026-12-03 08:00", "llame a mamá", "es"},
	{"Avísame en 20 minutos", "2026-12-02 10:20", "", "es"},
	{"mañana a las 8 recuérdame llamar a mamá", "2026-12-03 08:00", "llamar a mamá", "es"},
	{"pon un recordatorio para mañana a las 8", "2026-12-03 08:00", "", "es"},
	{"rappelle-moi demain à 9h d'appeler maman", "2026-12-03 09:00", "appeler maman", "fr"},
	{"rappelle-moi d'appeler maman demain à 9h", "2026-12-03 09:00", "appeler maman", "fr"},
	{"Rappelle-moi dans 20 minutes", "2026-12-02 10:20", "", "fr"},
	{"Peux-tu me rappeler tous les lundis à 8h de sortir la poubelle ?", "0 8 * * 1", "sortir la poubelle", "fr"},
	{"demain à 9h rappelle-moi d'appeler maman", "2026-12-03 09:00", "appeler maman", "fr"},
	{"明天9点提醒我给妈妈打电话", "2026-12-03 09:00", "给妈妈打电话", "zh"},
	{"提醒我明天9点开会", "2026-12-03 09:00", "开会", "zh"},
	{"请提醒我20分钟后喝茶", "2026-12-02 10:20", "喝茶", "zh"},
	{"20分钟后提醒我喝茶", "2026-12-02 10:20", "喝茶", "zh"},
	{"每天早上9点提醒我吃药", "0 9 * * *", "吃药", "zh"},
	{"提醒我给妈妈打电话，明天9点", "2026-12-03 09:00", "给妈妈打电话", "zh"},
	{"明天下午三点半请提醒我交房租", "2026-12-03 15:30", "交房租", "zh"},
	{"10分钟后提醒我：吃药了吗？", "2026-12-02 10:10", "吃药了吗？", "zh"},
	{"请在明天上午9点提醒我给妈妈打电话，谢谢", "2026-12-03 09:00", "给妈妈打电话，谢谢", "zh"},
	{"明早9点叫我起床", "2026-12-03 09:00", "起床", "zh"},
	{"提醒我们明天9点开会", "2026-12-03 09:00", "开会", "zh"},
	{"remind us tomorrow at 9 to call mum", "2026-12-03 09:00", "call mum", "en"},
	{"rmind me tomorrow at 9 to call mum", "2026-12-03 09:00", "call mum", "en"},
	{"set an alarm for 7am", "2026-12-03 07:00", "", "en"},
	{"wake me up at 7 to catch the train", "2026-12-03 07:00", "catch the train", "en"},
	{"Weck mich um 7", "2026-12-03 07:00", "", "de"},
	{"Stell einen Wecker auf 7 Uhr", "2026-12-03 07:00", "", "de"},
	{"Morgen um 9 an Zahnarzt erinnern", "2026-12-03 09:00", "Zahnarzt", "de"},
	{"Bitte morgen um 9 an den Zahnarzt erinnern.", "2026-12-03 09:00", "den Zahnarzt", "de"},
	{"despiértame a las 7", "2026-12-03 07:00", "", "es"},
	{"réveille-moi à 7h", "2026-12-03 07:00", "", "fr"},
	{"remind me of this tomorrow at 9", "2026-12-03 09:00", "", "en"},
	{"remind me again in 10 minutes", "2026-12-02 10:10", "", "en"},
	{"erinnere mich nochmal in 10 Minuten", "2026-12-02 10:10", "", "de"},
	{"recuérdame esto mañana a las 9", "2026-12-03 09:00", "", "es"},
	{"rappelle-moi cela demain à 9h", "2026-12-03 09:00", "", "fr"},
	{"remind me tomorrow at 9 to ask Tom to remind me of the keys", "2026-12-03 09:00", "ask Tom to remind me of the keys", "en"},
	{"remind me tomorrow at 9 about Friday's meeting", "2026-12-03 09:00", "Friday's meeting", "en"},
	{"能不能明天9点提醒我开会？", "2026-12-03 09:00", "开会", "zh"},
	{"你能提醒我明天9点开会吗？", "2026-12-03 09:00", "开会", "zh"},
}

// unsaid ask to be reminded, and do not say when, or not well.
var unsaid = []struct {
	text string
	err  error
	lang string
}{
	{"remind me in about 20 minutes", errWhen, "en"},
	{"remind me tomorrow at 9 Eastern time to call Ken", errZone, "en"},
	{"remind me an hour before my flight tomorrow at 9", errUnclear, "en"},
	{"remind me on my birthday at 9", errUnclear, "en"},
	{"remind me within 2 hours", errWhen, "en"},
	{"erinnere mich um viertel 9", errWhen, "de"},
	{"erinnere mich alle paar Stunden", errWhen, "de"},
	{"recuérdame en un rato", errWhen, "es"},
	{"remind me at 9 to ask Tom about Friday", errTwo, "en"},
	{"remind me tomorrow to call mum at 9", errTwo, "en"},
	{"remind me about Friday's meeting at 9", errTwo, "en"},
	{"remind me to send Friday's report at 5pm", errTwo, "en"},
	{"Erinnere mich an die Freitagssitzung um 9", errTwo, "de"},
	{"remind me 10 minutes before 5pm to leave", errWhen, "en"},
	{"remind me first thing tomorrow to call mum", errWhen, "en"},
	{"remind me 2moro at 9", errUnclear, "en"},
	{"remind me tomrrow at 9 to call mum", errUnclear, "en"},
	{"Erinnere mich morgn um 9 an Tee", errUnclear, "de"},
	{"Erinnere mich Mitte Dezember an Tee", errWhen, "de"},
	{"明天9点和10点提醒我开会", errMany, "zh"},
	{"tomorrow at 9 and at 10 remind me to call mum", errMany, "en"},
	{"wake me up", errWhen, "en"},
	{"remind me of that", errWhen, "en"},
	{"Remind me tomorrow at 9 to call mum. Remind me at 10 to call dad.", errMany, "en"},
	{"Remind me tomorrow at 9 to call mum\nAt 10 remind me to call dad", errMany, "en"},
	{"remind me tomorrow at 9 to call mum and remind me at 10 to call dad", errMany, "en"},
	{"Erinnere mich morgen um 9 an Mama und erinnere mich um 10 an Papa", errMany, "de"},
	{"Remind me tomorrow at 9 to call mum, then at 10 to call dad", errMany, "en"},
	{"明天9点提醒我给妈妈打电话，10点提醒我开会", errMany, "zh"},
	{"remind me yesterday at 9", errPast, "en"},
	{"remind me now to call mum", errNever, "en"},
	{"remind me to call mum", errWhen, "en"},
	{"remind me", errWhen, "en"},
	{"remind me to call mum later", errVague, "en"},
	{"erinnere mich an den Zahnarzt", errWhen, "de"},
	{"erinnere mich daran, dass ich Mama anrufe", errWhen, "de"},
	{"recuérdame llamar a mamá", errWhen, "es"},
	{"rappelle-moi d'appeler maman", errWhen, "fr"},
	{"提醒我给妈妈打电话", errWhen, "zh"},
}

// TestRemind tells what asks to be reminded.
func TestRemind(t *testing.T) {
	now := wednesday(t)
	for _, r := range reminded {
		t.Run(r.text, func(t *testing.T) {
			got, ok, err := Remind(r.text, now)
			if !ok || err != nil || told(got.Schedule) != r.want || got.Text != r.about || got.Lang != r.lang {
				t.Errorf("got %s about %q in %q, %t, %v; want %s about %q", told(got.Schedule), got.Text, got.Lang, ok, err, r.want, r.about)
			}
		})
	}
	for _, r := range unsaid {
		t.Run(r.text, func(t *testing.T) {
			if got, ok, err := Remind(r.text, now); !ok || err == nil || err.Error() != r.err.Error() {
				t.Errorf("got %+v, %t, %v; want %q", got, ok, err, r.err)
			}
		})
	}
	for text := range otherwise {
		t.Run(text, func(t *testing.T) {
			if got, ok, err := Remind(text, now); ok || err != nil || got != (Timing{}) {
				t.Errorf("got %+v, %t, %v; want no request", got, ok, err)
			}
		})
	}
}

// otherwise ask for no reminder, and mean what they meant before.
var otherwise = map[string]Kind{
	"remind me about what we said":                 Question,
	"remind me about the rent":                     Question,
	"Remind me what we said on Friday":             Question,
	"Remind me again who Ann is":                   None,
	"remind me of my address":                      None,
	"Remind me of that?":                           Question,
	"alarm clocks are annoying":                    None,
	"以后叫我小王":                                       None,
	"叫我小王":                                         None,
	"明天9点别提醒我开会":                                   None,
	"Don't remind me tomorrow at 9":                None,
	"I will remind you tomorrow at 9":              None,
	"you reminded me tomorrow":                     None,
	"He said remind me tomorrow at 9":              None,
	"reminders are annoying":                       None,
	"Kannst du mich morgen um 9 abholen?":          Question,
	"erinnere mich, was wir gesagt haben":          None,
	"Erinnere dich an den Zahnarzt morgen um 9":    None,
	"Erinnere mich nicht morgen um 9":              None,
	"recuérdame qué dijimos":                       None,
	"recuérdame mi dirección":                      None,
	"no me recuerdes mañana a las 8":               None,
	"recuerda que mañana a las 8 llamo a mamá":     Remember,
	"rappelle-moi ce que j'ai dit":                 None,
	"rappelle-toi que demain à 9h j'appelle maman": Remember,
	"ne me rappelle pas demain à 9h":               None,
	"提醒我我们说了什么":                                    Question,
	"别提醒我明天9点开会":                                   None,
	"不要提醒我明天9点":                                    None,
}

func TestParseRemindMe(t *testing.T) {
	for _, r := range reminded {
		if got := Parse(r.text); got.Kind != RemindMe || got.Lang != r.lang || got.Payload != r.text[got.Start:got.End] {
			t.Errorf("%q is %s %q in %q", r.text, got.Kind, got.Payload, got.Lang)
		}
	}
	for _, r := range unsaid {
		if got := Parse(r.text); got.Kind != RemindMe || got.Lang != r.lang {
			t.Errorf("%q is %s in %q", r.text, got.Kind, got.Lang)
		}
	}
	for text, want := range otherwise {
		if got := Parse(text); got.Kind != want {
			t.Errorf("%q is %s; want %s", text, got.Kind, want)
		}
	}
}

func TestParseReminders(t *testing.T) {
	for text, lang := range map[string]string{
		"what reminders do I have?": "en", "Which reminders are set?": "en", "do I have any reminders?": "en", "list my reminders": "en",
		"Can you show me all my reminders?": "en", "my reminders please": "en",
		"Welche Erinnerungen habe ich?": "de", "zeig mir bitte alle meine Erinnerungen": "de", "Habe ich Erinnerungen?": "de", "Woran erinnerst du mich?": "de",
		"¿Qué recordatorios tengo?": "es", "muéstrame mis recordatorios": "es", "¿Tengo recordatorios?": "es",
		"Quels rappels ai-je ?": "fr", "Montre-moi mes rappels": "fr", "Ai-je des rappels ?": "fr",
		"我有哪些提醒？": "zh", "我的提醒": "zh", "查看我的提醒": "zh", "我有沒有提醒？": "zh",
	} {
		if got := Parse(text); got.Kind != Reminders || got.Lang != lang || got.Payload != "" {
			t.Errorf("%q is %s %q in %q", text, got.Kind, got.Payload, got.Lang)
		}
	}
	for text, lang := range map[string]string{
		"delete reminder 3": "en", "cancel all my reminders": "en", "Can you delete the reminder about the rent?": "en", "snooze for 10 minutes": "en",
		"Lösche Erinnerung 3": "de", "verschiebe den Wecker": "de", "borra el recordatorio 3": "es", "cancela todos mis recordatorios": "es",
		"supprime le rappel 3": "fr", "annule tous mes rappels": "fr", "删除提醒3": "zh", "取消所有提醒": "zh",
	} {
		if got := Parse(text); got.Kind != Change || got.Lang != lang || got.Payload != "" {
			t.Errorf("%q is %s %q in %q", text, got.Kind, got.Payload, got.Lang)
		}
	}
	for _, text := range []string{"delete reminders are annoying", "delete my address", "change is hard", "lösche meine Adresse"} {
		if got := Parse(text); got.Kind == Change {
			t.Errorf("%q is %s", text, got.Kind)
		}
	}
	for _, text := range []string{"what reminders did Ann set?", "reminders are annoying", "welche Erinnerungen hat Anna?", "mes rappels sont là", "提醒很烦"} {
		if got := Parse(text); got.Kind == Reminders {
			t.Errorf("%q is %s", text, got.Kind)
		}
	}
}
