package telegram

import (
	"cmp"
	"context"
	"encoding/json"

	"nacre"
)

// menuLanguages are those in which the menu of commands is offered. The empty
// one stands for all others and is English.
var menuLanguages = []string{"", "de", "es", "fr", "zh"}

// menuHelp is the Help of nacre.Commands in the languages of the menu. A
// description may be 256 characters long; a screen shows some 40.
var menuHelp = map[string]map[string]string{
	"start":    {"de": "Hallo sagen", "es": "saludar", "fr": "dire bonjour", "zh": "打个招呼"},
	"help":     {"de": "zeigen, was ich kann", "es": "mostrar lo que sé hacer", "fr": "montrer ce que je sais faire", "zh": "看看我能做什么"},
	"new":      {"de": "ein neues Gespräch beginnen", "es": "empezar una conversación nueva", "fr": "commencer une nouvelle conversation", "zh": "开始新的对话"},
	"stop":     {"de": "abbrechen, was ich gerade tue", "es": "parar lo que estoy haciendo", "fr": "arrêter ce que je fais", "zh": "停止我正在做的事"},
	"retry":    {"de": "meine letzte Nachricht noch einmal beantworten", "es": "responder otra vez a mi último mensaje", "fr": "répondre à nouveau à mon dernier message", "zh": "重新回答我的上一条消息"},
	"model":    {"de": "das Sprachmodell zeigen oder wählen", "es": "mostrar o elegir el modelo de lenguaje", "fr": "afficher ou choisir le modèle de langage", "zh": "查看或选择语言模型"},
	"settings": {"de": "deine Einstellungen zeigen oder ändern", "es": "ver o cambiar tus ajustes", "fr": "voir ou changer vos réglages", "zh": "查看或更改你的设置"},
	"usage":    {"de": "zeigen, was das Sprachmodell gekostet hat", "es": "mostrar lo que ha costado el modelo de lenguaje", "fr": "afficher ce que le modèle de langage a coûté", "zh": "查看语言模型的用量和花费"},
	"memory":   {"de": "zeigen, was ich weiß, und was auf dich wartet", "es": "mostrar lo que recuerdo y lo que espera tu decisión", "fr": "montrer ce que je retiens et ce qui attend votre décision", "zh": "查看我记住的内容和等你决定的内容"},
	"context":  {"de": "zeigen, was ich gerade vor mir habe", "es": "mostrar lo que tengo delante ahora", "fr": "montrer ce que j'ai sous les yeux", "zh": "查看我现在看得到的内容"},
	"why":      {"de": "zeigen, worauf meine letzte Antwort beruht", "es": "mostrar en qué se basa mi última respuesta", "fr": "montrer sur quoi repose ma dernière réponse", "zh": "查看我上一个回答的依据"},
	"remind":   {"de": "an etwas erinnern, einmal oder immer wieder", "es": "recordarte algo a su hora, una vez o cada vez", "fr": "vous rappeler quelque chose, une fois ou régulièrement", "zh": "到时候提醒你，一次或反复"},
	"jobs":     {"de": "deine Erinnerungen zeigen, und was ich von selbst tue", "es": "mostrar tus recordatorios y lo que hago por mi cuenta", "fr": "montrer vos rappels et ce que je fais de moi-même", "zh": "查看你的提醒和我自动做的事"},
	"remember": {"de": "etwas merken", "es": "recordar algo", "fr": "retenir quelque chose", "zh": "记住一件事"},
	"forget":   {"de": "etwas für immer vergessen", "es": "olvidar algo para siempre", "fr": "oublier quelque chose pour toujours", "zh": "永久忘记一件事"},
	"undo":     {"de": "die letzte Änderung am Gedächtnis zurücknehmen", "es": "deshacer el último cambio de la memoria", "fr": "annuler le dernier changement de la mémoire", "zh": "撤销上一次记忆更改"},
	"export":   {"de": "alles, was ich weiß, als Datei bekommen", "es": "recibir en un archivo todo lo que recuerdo", "fr": "recevoir dans un fichier tout ce que je retiens", "zh": "以文件形式获取我记住的一切"},
	"whoami":   {"de": "zeigen, für wen ich dich halte", "es": "mostrar quién creo que eres", "fr": "montrer pour qui je vous prends", "zh": "看看我把你当作谁"},
	"pair":     {"de": "eine weitere App verbinden oder jemanden mit Code zulassen", "es": "vincular otra app o admitir a alguien con su código", "fr": "relier une autre appli ou admettre quelqu'un par son code", "zh": "关联另一个应用，或凭配对码接纳他人"},
	"status":   {"de": "zeigen, wie es mir geht", "es": "mostrar cómo estoy", "fr": "montrer comment je vais", "zh": "看看我的状态"},
	"web":      {"de": "einen Link zu meiner Seite bekommen", "es": "recibir un enlace a mi página", "fr": "recevoir un lien vers ma page", "zh": "获取我的网页链接"},
}

// menuEntry is a BotCommand of the Bot API.
type menuEntry struct {
	Command     string `json:"command"`
	Description string `json:"description"`
}

// menu is the table of commands in a language.
func menu(language string) []menuEntry {
	var entries []menuEntry
	for _, c := range nacre.Commands {
		entries = append(entries, menuEntry{c.Name, cmp.Or(menuHelp[c.Name][language], c.Help)})
	}
	return entries
}

// setMenus gives Telegram the menus that it shows in private chats. Without
// them commands work as well, so a failure waits for the next start.
func (r *receiver) setMenus() {
	for _, language := range menuLanguages {
		if err := r.setMenu(language); err != nil {
			r.log.Warn("menu of commands not set", "language", language, "err", err)
			return
		}
	}
}

func (r *receiver) setMenu(language string) error {
	entries, err := json.Marshal(menu(language))
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(r.life, callTime)
	defer cancel()
	p := params{"commands": string(entries), "scope": `{"type":"all_private_chats"}`}
	if language != "" {
		p["language_code"] = language
	}
	var done bool
	return r.api.call(ctx, "setMyCommands", p, &done)
}
