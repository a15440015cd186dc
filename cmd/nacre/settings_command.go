package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"nacre"
	"nacre/agent"
	"nacre/memory"
	"nacre/memory/render"
)

// settingsCommand is /settings: it shows how an owner wants things to be, or changes
// one of them. The two switches of memory are turned as by /memory.
func (a *app) settingsCommand(ofMemory agent.CommandFunc) agent.CommandFunc {
	return func(ctx context.Context, c nacre.Caller, args string) (agent.Result, error) {
		if !c.Private {
			return agent.Result{}, nacre.Errorf(nacre.Denied, "Your settings are between you and me; ask me in our private chat.")
		}
		if !c.Typed(args) {
			args = ""
		}
		name, value, _ := strings.Cut(args, " ")
		value = strings.TrimSpace(value)
		switch name = strings.ToLower(name); {
		case name == "":
			return a.showSettings(ctx, c)
		case name == memory.Saving && isSwitch(value):
			return ofMemory(ctx, c, value)
		case name == memory.Sensitive && isSwitch(value):
			return ofMemory(ctx, c, args)
		case name == memory.Saving || name == memory.Sensitive:
			return agent.Result{}, nacre.Errorf(nacre.Invalid, "Write on or off behind it: /settings %s on", name)
		case !slices.Contains(settingNames, name):
			return agent.Result{}, nacre.Errorf(nacre.Invalid, "There is no such setting; /settings alone shows what there is.")
		case value == "":
			return agent.Result{}, nacre.Errorf(nacre.Invalid, "Write behind it what it should be: /settings %s %s", name, examples[name])
		}
		return a.setByCommand(ctx, c, name, value)
	}
}

func isSwitch(word string) bool {
	return strings.EqualFold(word, "on") || strings.EqualFold(word, "off")
}

// examples are values as people write them.
var examples = map[string]string{"name": "Anna", "zone": "Europe/Berlin", "language": "German", "hours": "08:00-22:00", "model": "1"}

// byDefault is the word for a setting as the installation has it.
const byDefault = "default"

func (a *app) setByCommand(ctx context.Context, c nacre.Caller, name, value string) (agent.Result, error) {
	if strings.EqualFold(value, byDefault) {
		value = ""
	}
	moved, err := a.changeSettings(ctx, c.Owner, map[string]string{name: value})
	if err != nil {
		return agent.Result{}, err
	}
	text := "Done. " + a.settingLine(c.Owner, name)
	if moved {
		text += "\n\nWhat is planned by your clock moves along."
	}
	return agent.Result{Text: text}, nil
}

// showSettings lists all of them.
func (a *app) showSettings(ctx context.Context, c nacre.Caller) (agent.Result, error) {
	st, err := a.library.Book(c.Owner).State(ctx)
	if err != nil {
		return agent.Result{}, err
	}
	lines := []string{"Your settings:", ""}
	for _, name := range settingNames {
		lines = append(lines, "- "+a.settingLine(c.Owner, name))
	}
	for _, name := range []string{memory.Saving, memory.Sensitive} {
		lines = append(lines, "- "+switchLine(name, st.On(name)))
	}
	lines = append(lines, "", "Change one like this: /settings zone Europe/Berlin. With “"+byDefault+"” in place of a value it is the usual one again.")
	return agent.Result{Text: strings.Join(lines, "\n")}, nil
}

// settingLine tells a setting in words.
func (a *app) settingLine(owner nacre.OwnerID, name string) string {
	mine := a.settings.of(owner)
	text := mine.text(name)
	switch name {
	case "name":
		text = cmp.Or(render.Literal(text), "not set")
	case "zone":
		zone := a.zoneOf(owner)
		text = fmt.Sprintf("%s, where it is %s", zoneName(zone), time.Now().In(zone).Format("15:04 on Mon 2 Jan"))
	case "language":
		text = cmp.Or(languageName(text), "the one in which you write")
	case "hours":
		text = cmp.Or(text, a.cfg.Heartbeat.Hours.String()) + ", when I may tell you something unasked"
	case "model":
		text = render.Literal(cmp.Or(text, a.settings.models[0])) + ", unless /model chose another in a chat"
	}
	return name + ": " + text
}

// switchLine tells what a switch of memory is about.
func switchLine(name string, on bool) string {
	about := map[string]string{memory.Saving: "whether I remember new things", memory.Sensitive: "whether I may remember sensitive topics"}
	state := "off"
	if on {
		state = "on"
	}
	return name + ": " + state + ", " + about[name]
}
