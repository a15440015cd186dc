package main

import (
	"context"
	"net/url"

	"nacre/gateway/telegram"
)

// telegram asks Telegram who the bot is, and whether its messages go where
// they should.
func (x *examination) telegram(ctx context.Context) []finding {
	token := x.cfg.Telegram.Token.Reveal()
	if token == "" {
		return []finding{{Name: "bot", Level: fine, Found: "no token is set", Do: "to talk on Telegram, get one from @BotFather and set NACRE_TELEGRAM_TOKEN"}}
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	bot, err := telegram.Probe(ctx, telegram.Options{Token: token, API: x.cfg.Telegram.API})
	if err != nil {
		return []finding{{Name: "bot", Level: problem, Found: err.Error()}}
	}
	x.compareClock("Telegram", bot.Date)
	list := []finding{{Name: "bot", Level: fine, Found: "Telegram knows it as @" + bot.Username}}
	if bot.Webhook != "" && bot.Webhook != x.cfg.Telegram.Webhook {
		list = append(list, finding{Name: "webhook", Level: warning, Found: "the bot's messages go to " + hostOf(bot.Webhook),
			Do: "nothing, if that is over, as the next start takes it away; else give Nacre a bot of its own"})
	}
	return list
}

// hostOf is all of a URL that is no secret.
func hostOf(text string) string {
	if u, err := url.Parse(text); err == nil && u.Host != "" {
		return u.Host
	}
	return "another program"
}
