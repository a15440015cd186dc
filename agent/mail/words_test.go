package mail

import "testing"

func TestWords(t *testing.T) {
	for _, c := range []struct {
		text string
		want int
	}{
		{"", 0}, {" ,.- \n", 0}, {"one", 1}, {"one two,three\nfour", 4}, {"don't stop, l’ami", 3}, {"'quoted' words'", 2},
		{"at 10:15 on 6.5.", 6}, {"Grüße aus Köln", 3}, {"cafe\u0301 noir", 2},
		{"谢谢你的邀请", 3}, {"谢谢你", 2}, {"我带 salad 来", 3}, {"サラダを持って", 4}, {"สวัสดี", 3}, {"안녕하세요 여러분", 2},
	} {
		if got := Words(c.text); got != c.want {
			t.Errorf("%q: %d words, want %d", c.text, got, c.want)
		}
	}
}
