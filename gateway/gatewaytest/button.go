package gatewaytest

import (
	"encoding/json"
	"strings"
)

// Button is a button under a message of the bot.
type Button struct {
	Text string `json:"text"`
	Data string `json:"callback_data"`
}

// mostButtons is how many a message may have.
const mostButtons = 100

// buttons reads the rows of buttons of a call, or why they are refused.
// See https://core.telegram.org/bots/api#inlinekeyboardbutton.
func buttons(args Params) (rows [][]Button, refused string) {
	if args["reply_markup"] == "" {
		return nil, ""
	}
	var markup struct {
		Rows [][]Button `json:"inline_keyboard"`
	}
	if json.Unmarshal([]byte(args["reply_markup"]), &markup) != nil {
		return nil, "can't parse reply keyboard markup JSON object"
	}
	n := 0
	for _, row := range markup.Rows {
		for _, b := range row {
			n++
			switch {
			case strings.TrimSpace(b.Text) == "":
				return nil, "text buttons are unallowed in the inline keyboard"
			case len(b.Data) < 1 || len(b.Data) > 64:
				return nil, "BUTTON_DATA_INVALID"
			}
		}
	}
	if n > mostButtons {
		return nil, "reply markup is too long"
	}
	return markup.Rows, ""
}
