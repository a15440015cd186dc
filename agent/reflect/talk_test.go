package reflect_test

import (
	"testing"

	"nacre/agent/reflect"
)

// Small talk costs nothing: the mark moves on without a model.
func TestSmallTalk(t *testing.T) {
	idle := []string{
		"hello", "Hi there!", "thanks", "Thank you!", "ok", "OK 👍", "👍", "😂😂", "?!", "yes", "no, thanks", "Good night", "haha", "got it",
		"What time is it?", "Where did I park?", "How are you?", "Thanks! What's the weather like?", "hello\nok\n\n👍",
		"Hallo!", "danke", "alles klar", "Wie spät ist es?", "Gute Nacht", "hola", "gracias", "vale", "merci", "d'accord", "你好", "谢谢", "好的",
		"/new", "/remember my dog is called Kim", "/memory about", "/help\n\nmy dog is called Kim",
		"stop remembering things", "Forget my dog.", "Vergiss meinen Hund", "",
	}
	worth := []string{
		"My dog is called Kim", "Kim", "ok, my dog is called Kim", "hello\nMy dog is called Kim", "Thanks! I live in Graz now.",
		"I prefer tea", "Remember that I live in Graz", "Actually, it is green", "/unknown my dog is called Kim", "42 is my lucky number", "我住在上海",
		"Could you find a restaurant for my wife Ann, who is a vegan and allergic to nuts, on Friday?",
	}
	hours(t, func(t *testing.T, w *world) {
		for _, text := range idle {
			last := w.says(text).Message.Seq
			if rep := w.must(); rep.Calls != 0 || rep.Reason != "" {
				t.Errorf("%q: %+v", text, rep)
			}
			if text != "" && w.mark() != last {
				t.Errorf("%q: the mark is %d, want %d", text, w.mark(), last)
			}
		}
		w.wantAsked(0)
		for _, text := range worth {
			w.says(text)
			w.answers()
			if rep := w.must(); rep.Calls != 1 || rep.Messages != 1 {
				t.Errorf("%q: %+v", text, rep)
			}
		}
		w.wantAsked(len(worth))
	})
}

// Small talk beside something else is not shown.
func TestSmallTalkIsNotShown(t *testing.T) {
	hours(t, func(t *testing.T, w *world) {
		w.says("zqx?")
		w.says("I live in Graz")
		w.says("thanks")
		w.answers()
		if rep := w.must(); rep != (reflect.Report{Batches: 1, Messages: 1, Calls: 1, Reason: "read"}) {
			t.Errorf("reported %+v", rep)
		}
		if list := w.wantAsked(1, "m1 (now"); len(nows.FindAllString(list[0], -1)) != 1 {
			t.Errorf("the model sees %s", list[0])
		}
	})
}
