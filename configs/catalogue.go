package configs

import (
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/pelletier/go-toml/v2"
)

// catalogue is our own list of models.
//
//go:embed models.toml
var catalogue string

// entry is one model of the list, as files have it.
type entry struct {
	Window, Output int
	Blind          bool
	Price          map[string]float64 // its rates by name
}

// The names of what a model of the list has, and of what a price has.
func fields() []string { return []string{"window", "output", "blind", "price"} }
func rates() []string  { return []string{"input", "output", "cache_read", "cache_write"} }

// mostRate is the most dollars for a million tokens that are believed, far above
// any price.
const mostRate = 10_000

// readModels fills Models from our own list and the operator's file, which adds
// models and replaces single parts of those that we list.
func (l *loader) readModels() {
	var list map[string]*entry
	if err := toml.Unmarshal([]byte(catalogue), &list); err != nil {
		panic(err) // it is part of the program
	}
	if l.ModelsFile != "" {
		l.readModelsFile(list)
	}
	l.Models = make(Models, len(list))
	for name, e := range list {
		l.Models[name] = e.model(name)
	}
}

// readModelsFile lays the operator's file over the list.
func (l *loader) readModelsFile(list map[string]*entry) {
	doc, _, err := read(l.ModelsFile)
	if err != nil {
		l.problemf("%s (models_file): the file cannot be read (%v); check its path and permissions", l.source("models_file"), err)
		return
	}
	d, ok := l.decode(l.ModelsFile, doc, slices.Values(append(fields(), rates()...)))
	if !ok {
		return
	}
	for _, name := range d.sorted(maps.Keys(d.root), func(name string) string { return dotted(name) }) {
		_, isTable := d.root[name].(map[string]any)
		_, err := parseModel(name)
		switch {
		case !isTable:
			l.problemf(`%s: %.60q belongs to no model; write ["provider/model"] on a line above it`, d.where(dotted(name)), name)
		case err != nil:
			l.problemf("%s (%.60q): %v", d.where(dotted(name)), name, err)
		default:
			l.readEntry(list, d, name)
		}
	}
}

// readEntry lays what the file says of one model over what the list has of it.
func (l *loader) readEntry(list map[string]*entry, d document, name string) {
	e := list[name]
	if e == nil {
		e = &entry{}
		list[name] = e
	}
	table := d.root[name].(map[string]any)
	full := func(field string) string { return dotted(name, field) }
	for _, field := range d.sorted(maps.Keys(table), full) {
		where := d.where(full(field))
		if !slices.Contains(fields(), field) {
			l.problemf("%s: unknown key %.60q%s", where, field, suggest(field, slices.Values(fields())))
		} else if err := e.set(field, table[field]); err != nil {
			l.problemf("%s (%s of %.60q): %v", where, field, name, err)
		}
	}
}

// set stores one field; the error is a phrase.
func (e *entry) set(field string, value any) error {
	switch field {
	case "window":
		return setTokens(&e.Window, value, leastWindow)
	case "output":
		return setTokens(&e.Output, value, 1)
	case "blind":
		blind, ok := value.(bool)
		if !ok {
			return errors.New("the value must be true or false, without quotes")
		}
		e.Blind = blind
		return nil
	}
	return e.setPrice(value)
}

func setTokens(to *int, value any, least int64) error {
	n, ok := value.(int64)
	if !ok || n < least || n > mostWindow {
		return fmt.Errorf("the value must be a number of tokens from %d to %d, without quotes", least, mostWindow)
	}
	*to = int(n)
	return nil
}

// setPrice stores the given rates of a price, which has an input and an output
// once it is complete.
func (e *entry) setPrice(value any) error {
	table, ok := value.(map[string]any)
	if !ok {
		return errors.New("a price has several parts; write it like {input = 1.25, output = 10}")
	}
	if e.Price == nil {
		e.Price = map[string]float64{}
	}
	for _, name := range slices.Sorted(maps.Keys(table)) {
		if !slices.Contains(rates(), name) {
			return fmt.Errorf("a price has no %.60q, only input, output, cache_read and cache_write%s", name, meant(name, slices.Values(rates())))
		}
		rate, ok := number(table[name])
		if !ok || !(rate >= 0 && rate <= mostRate) { // NaN is in no range
			return fmt.Errorf("%s must be dollars for a million tokens, from 0 to %d, without quotes", name, mostRate)
		}
		e.Price[name] = rate
	}
	_, input := e.Price["input"]
	_, output := e.Price["output"]
	if !input || !output {
		return errors.New("a price needs input and output; write it like {input = 1.25, output = 10}")
	}
	return nil
}

// number reads a number of a TOML file, whole or not.
func number(value any) (float64, bool) {
	switch n := value.(type) {
	case int64:
		return float64(n), true
	case float64:
		return n, true
	}
	return 0, false
}

// model is the entry once nothing more is laid over it.
func (e *entry) model(name string) Model {
	m := Model{Name: name, Window: e.Window, Output: e.Output, Blind: e.Blind}
	if len(e.Price) > 0 {
		m.Price = &Price{
			Input: e.Price["input"], Output: e.Price["output"],
			CacheRead: e.cacheRate("cache_read"), CacheWrite: e.cacheRate("cache_write"),
		}
	}
	return m
}

// cacheRate is a rate of the cache, which is that of the input where none is
// given.
func (e *entry) cacheRate(name string) float64 {
	if rate, ok := e.Price[name]; ok {
		return rate
	}
	return e.Price["input"]
}
