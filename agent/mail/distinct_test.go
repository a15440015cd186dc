package mail

import (
	"fmt"
	"slices"
	"testing"
)

func TestDistinct(t *testing.T) {
	template := func(name string, n int) Letter {
		return Letter{To: 1, Text: fmt.Sprintf("Dear %s,\n\nyour order %d is on its way. Thank you, %s, for choosing our chairs.\nIt should be there within %d days.\n\nKim", name, 1000+n, name, n)}
	}
	line := func(name string) Letter {
		return Letter{To: 1, Text: "Hi " + name + ", the chairs that you have ordered are here and can be fetched from Monday on."}
	}
	personal := Letter{To: 2, Text: "Dear Ann,\n\nhow was the lake? I hope that the boat did not leak again.\n\nKim"}
	other := Letter{To: 1, Text: "Hi Ben,\n\nthe chairs are in the cellar, take the blue ones first.\n\nKim"}
	circular := Letter{To: 11, Text: "Hello all,\n\nthe party begins at noon and ends when the cake is gone.\n\nKim"}
	some := circular
	some.To = 10
	added := template("Eva", 4)
	added.Text += "\nPS: greetings to the dog."
	for _, c := range []struct {
		name       string
		list, want []Letter
	}{
		{"none", nil, nil},
		{"different ones, in their order", []Letter{other, personal}, []Letter{other, personal}},
		{"twice is no template", []Letter{template("Ann", 1), personal, template("Ben", 2)}, []Letter{template("Ann", 1), personal, template("Ben", 2)}},
		{"thrice is, whoever and whatever number it names", []Letter{template("Ann", 1), personal, template("BEN", 2), template("Max", 3), other}, []Letter{personal, other}},
		{"with a sentence added", []Letter{template("Ann", 1), template("Ben", 2), added, personal}, []Letter{personal}},
		{"with the greeting on the same line", []Letter{line("Ann"), line("Ben"), personal, line("Eva")}, []Letter{personal}},
		{"to many", []Letter{circular, personal}, []Letter{personal}},
		{"to not so many", []Letter{some, personal}, []Letter{some, personal}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Distinct(c.list); !slices.Equal(got, c.want) {
				t.Errorf("kept %+v, want %+v", got, c.want)
			}
			reversed := slices.Clone(c.list)
			slices.Reverse(reversed)
			if got := Distinct(reversed); len(got) != len(c.want) {
				t.Errorf("kept %d the other way round, want %d", len(got), len(c.want))
			}
		})
	}
}
