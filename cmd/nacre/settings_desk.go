package main

import (
	"cmp"
	"context"
	"strings"
	"time"

	"nacre"
	"nacre/web"
)

// settingsDesk is an owner's settings in their own hand. It is a web.Settings.
type settingsDesk struct {
	app   *app
	owner nacre.OwnerID
}

// Settings implements web.Desk.
func (a *app) Settings(h web.Hand) web.Settings { return settingsDesk{a, a.ownerOf(h)} }

// Me implements web.Desk.
func (a *app) Me(_ context.Context, h web.Hand) (web.Me, error) {
	owner := a.ownerOf(h)
	mine := a.settings.of(owner)
	return web.Me{Owner: owner, Commands: web.Commands(), Operator: owner == a.operator, Name: mine.name, Language: mine.language,
		Zone: zoneName(a.zoneOf(owner)), Version: version}, nil
}

// Show implements web.Settings.
func (s settingsDesk) Show(context.Context) (web.SettingsSheet, error) {
	a, mine := s.app, s.app.settings.of(s.owner)
	sheet := web.SettingsSheet{Name: mine.name, Zone: zoneName(a.zoneOf(s.owner)), Language: mine.language,
		Hours: cmp.Or(mine.text("hours"), a.cfg.Heartbeat.Hours.String()), Model: cmp.Or(mine.model, a.settings.models[0]),
		Models: a.settings.models, Memory: a.writer, Languages: languageCodes(), Own: []string{}}
	if every := a.cfg.Heartbeat.Every; every > 0 {
		sheet.Heartbeat = shortly(every)
	}
	for _, name := range settingNames {
		if mine.text(name) != "" {
			sheet.Own = append(sheet.Own, name)
		}
	}
	return sheet, nil
}

// shortly is a duration without what it has none of at its end: 30m, and not 30m0s.
func shortly(d time.Duration) string {
	text := d.String()
	for _, none := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(text, none) {
			text = text[:len(text)-2]
		}
	}
	return text
}

// Change implements web.Settings.
func (s settingsDesk) Change(ctx context.Context, c web.SettingsChange) (web.SettingsSheet, error) {
	wanted := map[string]string{}
	for name, text := range map[string]*string{"name": c.Name, "zone": c.Zone, "language": c.Language, "hours": c.Hours, "model": c.Model} {
		if text != nil {
			wanted[name] = *text
		}
	}
	if _, err := s.app.changeSettings(ctx, s.owner, wanted); err != nil {
		return web.SettingsSheet{}, err
	}
	return s.Show(ctx)
}
