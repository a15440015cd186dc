package phrase

import (
	"strings"
	"testing"
)

func TestWished(t *testing.T) {
	for text, want := range map[string]Wish{
		"stop remembering things":                        Stop,
		"Please stop saving things about me for now.":    Stop,
		"Can you please stop taking notes?":              Stop,
		"don't remember anything from now on":            Stop,
		"turn your memory off":                           Stop,
		"pause memory":                                   Stop,
		"Hör bitte auf, dir Sachen zu merken!":           Stop,
		"Merk dir ab jetzt nichts mehr":                  Stop,
		"Schalte bitte dein Gedächtnis aus":              Stop,
		"Kannst du bitte aufhören, dir alles zu merken?": Stop,
		"Deja de recordar cosas, por favor":              Stop,
		"no guardes nada más":                            Stop,
		"¿Puedes dejar de guardar cosas?":                Stop,
		"Arrête de noter des choses sur moi":             Stop,
		"ne retiens plus rien pour l’instant":            Stop,
		"Peux-tu arrêter de retenir des choses ?":        Stop,
		"停止记忆":                                           Stop,
		"请不要再记任何东西了。":                                    Stop,
		"暫停記錄":                                           Stop,

		"resume saving":                                  Resume,
		"ok, you can remember things again":              Resume,
		"start remembering again please":                 Resume,
		"switch your memory back on":                     Resume,
		"Du darfst dir wieder Sachen merken":             Resume,
		"Aktiviere bitte dein Gedächtnis wieder":         Resume,
		"vuelve a recordar cosas":                        Resume,
		"activa la memoria":                              Resume,
		"recommence à retenir des choses, s'il te plaît": Resume,
		"réactive ta mémoire":                            Resume,
		"恢复记忆":                                           Resume,
		"請打開記憶功能":                                        Resume,

		"forget everything":                          Clear,
		"Hey Nacre, forget everything about me!":     Clear,
		"delete everything you know about me":        Clear,
		"wipe your memory":                           Clear,
		"could you erase all of your memories?":      Clear,
		"Vergiss alles":                              Clear,
		"Bitte lösche alles, was du über mich weißt": Clear,
		"Leere dein Gedächtnis":                      Clear,
		"olvida todo lo que sabes de mí":             Clear,
		"borra toda tu memoria":                      Clear,
		"oublie tout ce que tu sais sur moi":         Clear,
		"efface toute ta mémoire":                    Clear,
		"忘掉一切":                                       Clear,
		"请把所有事情都忘掉吧":                                 Clear,
		"清空你的记忆":                                     Clear,

		"forget all":                          Clear,
		"Forget it all!":                      Clear,
		"forget everything you know about me": Clear,
		"vergiss alles über mich":             Clear,
		"olvida todo":                         Clear,
		"¡Olvídalo todo!":                     Clear,
		"olvidalo todo":                       Clear,
		"oublie tout":                         Clear,
		"忘记一切":                                Clear,
		"全部忘掉":                                Clear,
		"请全部忘掉吧":                              Clear,
		"把一切都忘了":                              Clear,
		"把一切都忘了吧":                             Clear,

		"forget everything about my boss":               NoWish,
		"forget all about my boss":                      NoWish,
		"vergiss alles über meinen Chef":                NoWish,
		"olvida todo sobre mi jefe":                     NoWish,
		"oublie tout sur mon chef":                      NoWish,
		"忘记关于我老板的一切":                                    NoWish,
		"stop remembering my dog":                       NoWish,
		"stop":                                          NoWish,
		"forget my dog's name":                          NoWish,
		"forget it":                                     NoWish,
		"did you forget everything?":                    NoWish,
		"forget everything?":                            NoWish,
		"I forget everything":                           NoWish,
		"she said forget everything":                    NoWish,
		"forget everything and buy milk":                NoWish,
		"don't forget everything":                       NoWish,
		"what happens if I say “forget everything”?":    NoWish,
		"Hör auf zu reden":                              NoWish,
		"Vergiss alles nicht":                           NoWish,
		"no olvides todo":                               NoWish,
		"n'oublie pas tout":                             NoWish,
		"不要忘掉一切":                                        NoWish,
		"I can't start remembering things at my age":    NoWish,
		"remember everything":                           NoWish,
		"":                                              NoWish,
		"¿olvida todo lo que sabes de mí?":              NoWish,
		strings.Repeat("please ", 1000) + "wipe memory": NoWish,
	} {
		if got := Wished(text); got != want {
			t.Errorf("Wished(%.60q) = %v, want %v", text, got, want)
		}
	}
}

// FuzzWished holds that what is told to somebody else in front of it is never a
// wish of the whole message, and that blanks and marks at the ends change
// nothing.
func FuzzWished(f *testing.F) {
	for _, seed := range []string{"forget everything", "pause memory", "清空你的记忆", "Vergiss alles", "can you wipe your memory?", "¡borra tu memoria!"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := Wished(text)
		if Wished("Xavier wrote that "+text) != NoWish && Wished("Xavier wrote that") == NoWish {
			t.Errorf("a wish of somebody else: %q", text)
		}
		if again := Wished(" " + text + " "); again != got {
			t.Errorf("%q is %v and %v with blanks around it", text, got, again)
		}
	})
}
