package gatewaytest

import (
	"encoding/json"
	"maps"
	"regexp"
	"unicode/utf8"
)

// MenuEntry is one command of a menu.
type MenuEntry struct {
	Command     string `json:"command"`
	Description string `json:"description"`
}

// commandName is the shape of a command in a menu.
var commandName = regexp.MustCompile(`^[a-z0-9_]{1,32}$`)

const (
	menuLimit        = 100 // entries
	descriptionLimit = 256 // characters
)

// Menus returns the menus of private chats by language; that without a
// language is for all others.
func (b *BotAPI) Menus() map[string][]MenuEntry {
	b.mu.Lock()
	defer b.mu.Unlock()
	return maps.Clone(b.menus)
}

func (b *BotAPI) setMyCommands(args Params) answer {
	var entries []MenuEntry
	if json.Unmarshal([]byte(args["commands"]), &entries) != nil || len(entries) > menuLimit {
		return badRequest("can't parse commands")
	}
	for _, e := range entries {
		if !commandName.MatchString(e.Command) {
			return badRequest("BOT_COMMAND_INVALID")
		}
		if n := utf8.RuneCountInString(e.Description); n < 1 || n > descriptionLimit {
			return badRequest("BOT_COMMAND_DESCRIPTION_INVALID")
		}
	}
	var scope struct{ Type string }
	if json.Unmarshal([]byte(args["scope"]), &scope) != nil || scope.Type != "all_private_chats" {
		return result(true) // of other chats
	}
	if b.menus == nil {
		b.menus = map[string][]MenuEntry{}
	}
	b.menus[args["language_code"]] = entries
	return result(true)
}
