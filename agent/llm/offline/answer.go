package offline

import (
	"fmt"
	"slices"
	"strings"

	"nacre/agent/phrase"
)

// maxQuote bounds the characters that are quoted back.
const maxQuote = 300

// answer is the line about a saying that needs no tool, or whose tool is not
// offered.
func (t *turn) answer(i int) string {
	want, v := t.said[i].wants(), t.voice(i)
	switch want.Kind {
	case phrase.Remember, phrase.Preference, phrase.Correct:
		return v.with(v.keep, want.Payload)
	case phrase.Forget:
		return v.with(v.cannotForget, want.Payload)
	case phrase.RemindMe, phrase.Reminders:
		return v.noReminders
	case phrase.Change:
		return v.change
	case phrase.TimeQuestion:
		if want.Payload != "" && phrase.Zone(want.Payload) == "" {
			return v.with(v.noZone, want.Payload)
		}
		return v.noClock
	case phrase.Question:
		said, common := recall(t.said[:i], want.Payload)
		old, before := closest(t.earlier, want.Payload)
		switch note, n := best(t.notes, want.Payload); {
		case note != "" && n >= max(common, before):
			return v.with(v.remembered, note)
		case said != "" && common >= before:
			return v.with(v.said, said)
		case old.text != "":
			return fmt.Sprintf(v.saidOn, old.day, v.quote(old.text))
		}
		return v.nothing
	case phrase.Greeting:
		return v.hello
	case phrase.Thanks:
		return v.welcome
	}
	if text := t.said[i].text; text != "" {
		return v.with(v.read, text)
	}
	return v.readThat
}

// report is the line about a saying whose tool has run.
func (t *turn) report(i int, result string) string {
	want, v := t.said[i].wants(), t.voice(i)
	result = strings.TrimSpace(result)
	reason, failed := strings.CutPrefix(result, "Error:")
	switch {
	case failed || result == "":
		return strings.TrimRight(v.failed+" "+strings.TrimSpace(reason), " ")
	case want.Kind == phrase.TimeQuestion:
		return fmt.Sprintf(v.time, result)
	case want.Kind == phrase.RemindMe:
		return v.done // the tool tells the person what it understood
	case !learns(want):
		return result
	case every(result, "Known"):
		return v.with(v.known, want.Payload)
	case every(result, "Known", "Saved"):
		return v.with(v.saved, want.Payload)
	}
	return result
}

// learns reports whether somebody wants something remembered.
func learns(want *phrase.Intent) bool {
	return want.Kind == phrase.Remember || want.Kind == phrase.Preference || want.Kind == phrase.Correct
}

// every reports whether each line of a result begins with one of some words.
func every(result string, words ...string) bool {
	for line := range strings.Lines(result) {
		if !slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(line, w) }) {
			return false
		}
	}
	return true
}

// voice returns the words of the language of a saying, else of the latest one
// before it whose language is known, else English.
func (t *turn) voice(i int) *voice {
	for ; i >= 0; i-- {
		if v, ok := voices[t.said[i].wants().Lang]; ok {
			return &v
		}
	}
	v := voices["en"]
	return &v
}

// helpMark is in every help and tells that it was given.
const helpMark = "OPENAI_API_KEY"

// voice is what the model can say in one language. The lines with %s take a
// quote, saidOn a day before it, time the result of the tool.
type voice struct {
	open, close  string // quotation marks
	keep         string
	cannotForget string
	saved        string
	known        string
	said         string
	saidOn       string
	remembered   string
	nothing      string
	hello        string
	welcome      string
	read         string
	readThat     string
	idle         string
	time         string
	noClock      string
	noZone       string
	noReminders  string
	change       string
	failed       string
	done         string
	help         string
}

func (v *voice) with(line, text string) string { return fmt.Sprintf(line, v.quote(text)) }

func (v *voice) quote(text string) string {
	if short := cut(text, maxQuote); short != text {
		text = strings.TrimSpace(short) + "…"
	}
	return v.open + text + v.close
}

// cut returns the first so many characters of a text.
func cut(text string, most int) string {
	if r := []rune(text); len(r) > most {
		return string(r[:most])
	}
	return text
}

var voices = map[string]voice{
	"en": {
		open: "“", close: "”",
		keep:         "I keep %s in mind in this conversation.",
		cannotForget: "I cannot erase %s from this conversation yet; /new starts a fresh one.",
		saved:        "I will remember %s.",
		known:        "I know %s already.",
		said:         "You said: %s",
		saidOn:       "On %s you said: %s",
		remembered:   "I remember: %s",
		nothing:      "I find nothing about that in this conversation.",
		hello:        "Hello!",
		welcome:      "You are welcome.",
		read:         "I have read %s.",
		readThat:     "I have read that.",
		idle:         "There is nothing for me to answer.",
		time:         "It is %s.",
		noClock:      "I cannot tell the time here.",
		noZone:       "I do not know the time zone of %s; please write it like Asia/Tokyo.",
		noReminders:  "I cannot remind you of anything here.",
		change:       "I cannot change what is set; /jobs lists it, with numbers, and “/jobs delete 3” deletes number 3.",
		failed:       "That did not work.",
		done:         "All right.",
		help: "I am only the built-in model. I keep what you ask me to remember, find what you said in this conversation, tell the time and remind you when you name it, as in “remind me tomorrow at 9 to …”. " +
			"For real answers, whoever runs me can set OPENAI_API_KEY or ANTHROPIC_API_KEY and start me again.",
	},
	"de": {
		open: "„", close: "“",
		keep:         "Ich behalte %s in diesem Gespräch im Kopf.",
		cannotForget: "Ich kann %s noch nicht aus diesem Gespräch löschen; /new beginnt ein neues.",
		saved:        "Ich merke mir %s.",
		known:        "%s weiß ich schon.",
		said:         "Du hast gesagt: %s",
		saidOn:       "Am %s hast du gesagt: %s",
		remembered:   "Ich erinnere mich: %s",
		nothing:      "Dazu finde ich in diesem Gespräch nichts.",
		hello:        "Hallo!",
		welcome:      "Gern geschehen.",
		read:         "Ich habe %s gelesen.",
		readThat:     "Ich habe das gelesen.",
		idle:         "Hier ist nichts zu beantworten.",
		time:         "Es ist %s.",
		noClock:      "Die Uhrzeit kann ich hier nicht sagen.",
		noZone:       "Die Zeitzone von %s kenne ich nicht; bitte schreib sie wie Asia/Tokyo.",
		noReminders:  "Erinnerungen kann ich hier nicht einrichten.",
		change:       "Ändern kann ich nichts daran; /jobs zeigt alle mit ihrer Nummer, und „/jobs delete 3“ löscht die Nummer 3.",
		failed:       "Das hat nicht geklappt.",
		done:         "In Ordnung.",
		help: "Ich bin nur das eingebaute Modell. Ich behalte, was ich mir merken soll, finde, was du in diesem Gespräch gesagt hast, sage die Uhrzeit und erinnere dich, wenn du sagst, wann, etwa mit „erinnere mich morgen um 9 an …“. " +
			"Für richtige Antworten kann, wer mich betreibt, OPENAI_API_KEY oder ANTHROPIC_API_KEY setzen und mich neu starten.",
	},
	"es": {
		open: "«", close: "»",
		keep:         "Tengo en cuenta %s en esta conversación.",
		cannotForget: "Todavía no puedo borrar %s de esta conversación; /new empieza otra.",
		saved:        "Recordaré %s.",
		known:        "Ya sé %s.",
		said:         "Dijiste: %s",
		saidOn:       "El %s dijiste: %s",
		remembered:   "Recuerdo: %s",
		nothing:      "No encuentro nada sobre eso en esta conversación.",
		hello:        "¡Hola!",
		welcome:      "De nada.",
		read:         "He leído %s.",
		readThat:     "Lo he leído.",
		idle:         "No hay nada que responder.",
		time:         "Es %s.",
		noClock:      "Aquí no puedo decir la hora.",
		noZone:       "No conozco la zona horaria de %s; escríbela como Asia/Tokyo.",
		noReminders:  "Aquí no puedo poner recordatorios.",
		change:       "No puedo cambiar lo que está puesto; /jobs lo muestra con sus números, y «/jobs delete 3» borra el número 3.",
		failed:       "No ha funcionado.",
		done:         "De acuerdo.",
		help: "Solo soy el modelo incorporado. Guardo lo que me pides recordar, encuentro lo que dijiste en esta conversación, digo la hora y te recuerdo cosas si dices cuándo, como en «recuérdame mañana a las 9 …». " +
			"Para tener respuestas de verdad, quien me administra puede definir OPENAI_API_KEY o ANTHROPIC_API_KEY y reiniciarme.",
	},
	"fr": {
		open: "« ", close: " »",
		keep:         "Je garde %s en tête dans cette conversation.",
		cannotForget: "Je ne peux pas encore effacer %s de cette conversation ; /new en commence une autre.",
		saved:        "Je retiendrai %s.",
		known:        "Je sais déjà %s.",
		said:         "Tu as dit : %s",
		saidOn:       "Le %s tu as dit : %s",
		remembered:   "Je me souviens : %s",
		nothing:      "Je ne trouve rien à ce sujet dans cette conversation.",
		hello:        "Bonjour !",
		welcome:      "De rien.",
		read:         "J'ai lu %s.",
		readThat:     "J'ai lu cela.",
		idle:         "Il n'y a rien à quoi répondre.",
		time:         "Nous sommes : %s.",
		noClock:      "Je ne peux pas donner l'heure ici.",
		noZone:       "Je ne connais pas le fuseau horaire de %s ; écris-le comme Asia/Tokyo.",
		noReminders:  "Je ne peux pas créer de rappels ici.",
		change:       "Je ne peux pas changer ce qui est prévu ; /jobs le montre avec les numéros, et « /jobs delete 3 » supprime le numéro 3.",
		failed:       "Cela n'a pas marché.",
		done:         "D'accord.",
		help: "Je ne suis que le modèle intégré. Je garde ce que tu me demandes de retenir, je retrouve ce que tu as dit dans cette conversation, je donne l'heure et je te rappelle ce que tu veux si tu dis quand, comme dans « rappelle-moi demain à 9h de … ». " +
			"Pour de vraies réponses, la personne qui m'héberge peut définir OPENAI_API_KEY ou ANTHROPIC_API_KEY et me relancer.",
	},
	"zh": {
		open: "“", close: "”",
		keep:         "在这次对话中我会记着%s。",
		cannotForget: "我还不能把%s从这次对话中删除；发送 /new 可以开始新的对话。",
		saved:        "我会记住%s。",
		known:        "我已经知道%s。",
		said:         "你说过：%s",
		saidOn:       "%s 你说过：%s",
		remembered:   "我记得：%s",
		nothing:      "在这次对话中我没有找到相关内容。",
		hello:        "你好！",
		welcome:      "不客气。",
		read:         "我读到了%s。",
		readThat:     "我读到了。",
		idle:         "没有需要回答的内容。",
		time:         "现在是 %s。",
		noClock:      "我在这里不能报时。",
		noZone:       "我不知道%s的时区；请写成 Asia/Tokyo 这样的形式。",
		noReminders:  "我在这里不能设置提醒。",
		change:       "我不能更改已有的提醒；/jobs 会列出它们和编号，“/jobs delete 3” 会删除编号 3。",
		failed:       "没有成功。",
		done:         "好的。",
		help: "我只是内置模型：我会记着你让我记住的话，查找你在这次对话中说过的话，报时，也会在你说好的时间提醒你，例如“明天9点提醒我……”。" +
			"想要真正的回答，请让管理员设置 OPENAI_API_KEY 或 ANTHROPIC_API_KEY 并重新启动我。",
	},
}
