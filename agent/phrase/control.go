package phrase

import (
	"regexp"
	"strings"
	"sync"
)

// Wish is what a message wants of memory as a whole.
type Wish int

// The wishes.
const (
	NoWish Wish = iota // none that is plain
	Stop               // to keep nothing new: "stop remembering things"
	Resume             // to keep things again
	Clear              // to forget everything
)

func (w Wish) String() string { return [...]string{"none", "stop", "resume", "clear"}[w] }

// Wished reads a message that wants something of memory as a whole, and says
// nothing else. What speaks of one thing ("stop remembering my dog") is NoWish,
// and so is a question that is no polite request.
func Wished(text string) Wish {
	if len(text) > maxWish {
		return NoWish
	}
	asks := asking(text)
	text = strings.TrimRightFunc(strings.TrimLeftFunc(text, opening), mark)
	for i, g := range grammars() {
		if w := controls()[i].read(&g, text, asks); w != NoWish {
			return w
		}
	}
	return NoWish
}

// maxWish is longer than any of them with courtesies around it, in bytes.
const maxWish = 300

// control is how one language speaks of memory as a whole.
type control struct {
	ask    string // what makes a question a request: "can you …?"
	wishes [Clear + 1]string
}

// control compiled.
type controlRules struct{ wishes [Clear + 1]*regexp.Regexp }

// controls stand in the order of grammars.
var controls = sync.OnceValue(func() []controlRules {
	var list []controlRules
	for _, c := range []control{controlEnglish(), controlGerman(), controlSpanish(), controlFrench(), controlChinese()} {
		var r controlRules
		for w := Stop; w <= Clear; w++ {
			r.wishes[w] = compile(`(?P<ask>` + c.ask + `[\s\p{Z}]*)?(?:` + c.wishes[w] + `)$`)
		}
		list = append(list, r)
	}
	return list
})

// read tries a message as it is, then without the words that lead to its wish.
func (r *controlRules) read(g *grammar, text string, asks bool) Wish {
	if at := g.tail.FindStringIndex(text); at != nil {
		text = strings.TrimRightFunc(text[:at[0]], mark)
	}
	for range maxLead {
		for w := Stop; w <= Clear; w++ {
			if m := r.wishes[w].FindStringSubmatch(text); m != nil && (!asks || m[1] != "") {
				return w
			}
		}
		n := len(g.lead.FindString(text))
		if n == 0 {
			break
		}
		text = text[n:]
	}
	return NoWish
}

func controlEnglish() control {
	const (
		what = `(?: (?:(?:new |any )?(?:things|stuff|notes|facts|memories)|anything|everything|what (?:i|we) (?:say|tell you|write)|my messages))?(?: (?:about|from) me)?`
		when = `(?: (?:for now|now|from now on|for a while|again|any more|anymore))*`
		mine = `(?:all (?:of )?)?(?:your |my |the )?(?:whole |entire )?`
	)
	return control{`(?:can|could|will|would) you(?: please)?`, [...]string{
		Stop: `(?:stop|quit|pause) (?:remembering|saving|learning|memori[sz]ing|noting|recording|(?:taking|keeping|making) notes)` + what + when +
			`|(?:do not|don't|dont) (?:remember|save|learn|memori[sz]e|note|record|keep)(?: down)? (?:anything|things|any of it)(?: (?:about|from) me| (?:i|we) say)?` + when +
			`|(?:pause|stop|disable|deactivate|(?:switch|turn) off) (?:your |the |my )?memory` + when +
			`|(?:switch|turn) (?:your |the |my )?memory off` + when,
		Resume: `(?:resume|start|continue|go on) (?:remembering|saving|learning|memori[sz]ing|noting|recording|(?:taking|keeping|making) notes)` + what + when +
			`|(?:resume|enable|activate|(?:switch|turn) on) (?:your |the |my )?memory` + when +
			`|(?:switch|turn) (?:your |the |my )?memory (?:back )?on` + when +
			`|you (?:can|may) (?:now )?(?:remember|save|learn|note)` + what + ` again` + when,
		Clear: `(?:forget|delete|erase|wipe|clear|remove) (?:absolutely |really )?everything(?: (?:that )?(?:about me|i(?:'ve| have)? (?:ever )?(?:said|told you)|you(?:'ve| have)? (?:ever )?(?:know|knew|remember|remembered|noted|saved|learnt|learned|have)(?: (?:about|of|from) me)?))?(?: now| completely| for good)*` +
			`|forget (?:(?:it )?all(?: (?:that )?(?:about me|you know(?: about me)?))?|me)(?: now| completely| for good)?` +
			`|(?:clear|wipe|delete|erase|reset|empty) ` + mine + `(?:memory|memories|notes)(?: (?:about|of) me)?(?: now| completely)*`,
	}}
}

func controlGerman() control {
	const (
		what = `(?:(?:dinge|sachen|alles|etwas|notizen|neues)(?: über mich| von mir)? )?`
		when = `(?:(?:ab jetzt|ab sofort|von nun an|jetzt|erst ?mal|vorerst|bitte) )*`
		have = `(?:dein|das|mein) (?:ganzes |gesamtes |komplettes |ganze |gesamte |komplette )?gedächtnis`
	)
	return control{`(?:kannst|könntest|würdest) du(?: bitte)?`, [...]string{
		Stop: `(?:höre?|hören Sie) (?:bitte )?(?:damit )?auf,? (?:dir |sich )?` + what + `zu (?:merken|speichern|lernen|notieren|machen)` +
			`|(?:damit )?aufhören,? (?:dir |sich )?` + what + `zu (?:merken|speichern|lernen|notieren|machen)` +
			`|(?:merke? dir|speichere?|notiere?(?: dir)?|lerne?) ` + when + `(?:über mich |von mir )?nichts(?: neues)?(?: mehr)?(?: (?:über|von) mir| über mich)?` +
			`|(?:pausiere?|stoppe?|deaktiviere?) ` + when + have +
			`|(?:schalte?|stelle?|mache?) ` + when + have + ` (?:bitte )?(?:aus|ab)`,
		Resume: `(?:merke? dir|speichere?|notiere?(?: dir)?) ` + when + `(?:wieder|weiter(?:hin)?) (?:dinge|sachen|alles|etwas|notizen)(?: über mich| von mir)?` +
			`|du (?:kannst|darfst) dir ` + when + `wieder ` + what + `merken` +
			`|(?:aktiviere?|reaktiviere?|starte?) ` + when + have + `(?: wieder)?` +
			`|(?:schalte?|stelle?|mache?) ` + when + have + ` (?:bitte )?(?:wieder )?(?:an|ein)`,
		Clear: `(?:vergiss|vergessen Sie|lösche?|löschen Sie) (?:bitte )?(?:wirklich |absolut )?alles(?: (?:über|von) mir| über mich|,? was (?:du|ich) (?:dir )?(?:je )?(?:(?:über|von) mi(?:ch|r) )?(?:weißt|weisst|gespeichert hast|gemerkt hast|dir gemerkt hast|gesagt habe|erzählt habe))?` +
			`|alles(?: über mich)? (?:vergessen|löschen)` +
			`|(?:lösche?|leere?) (?:bitte )?(?:` + have + `|alle (?:deine |meine )?(?:notizen|erinnerungen))(?: über mich)?` +
			`|` + have + ` (?:löschen|leeren)`,
	}}
}

func controlSpanish() control {
	const (
		what = `(?: (?:cosas|nada|todo|notas|datos|lo que (?:te )?digo))?(?: (?:sobre|de) m[ií])?`
		when = `(?: (?:por ahora|de momento|a partir de ahora|desde ahora|otra vez|de nuevo))?`
		have = `(?:toda )?(?:tu|la|mi) memoria`
		verb = `(?:recordar|guardar|memorizar|aprender|anotar|apuntar)`
	)
	return control{`(?:puedes|podr[ií]as|puede|podr[ií]a)(?: por favor)?`, [...]string{
		Stop: `(?:deja|deje|dejar|para|parar) de ` + verb + what + when +
			`|no (?:recuerdes|guardes|anotes|memorices|aprendas|apuntes) (?:m[aá]s )?nada(?: m[aá]s)?(?: (?:sobre|de) m[ií])?` + when +
			`|(?:pausa|pausar|desactiva|desactivar|apaga|apagar|det[eé]n) ` + have + when,
		Resume: `(?:vuelve|vuelva|volver) a ` + verb + what + when +
			`|(?:sigue|contin[uú]a) (?:recordando|guardando|memorizando|aprendiendo|anotando|apuntando)` + what + when +
			`|(?:activa|activar|reactiva|reactivar|reanuda|reanudar|enciende) ` + have + when +
			`|(?:ya )?puedes ` + verb + what + ` (?:otra vez|de nuevo)`,
		Clear: `(?:olvida|olvide|olvidar|borra|borre|borrar|elimina|eliminar) (?:absolutamente )?todo(?: lo que (?:sabes|recuerdas|tienes|guardaste|has guardado|te he dicho|te dije)(?: (?:sobre|de) m[ií])?| (?:sobre|de) m[ií])?` +
			`|(?:olv[ií]dal[oa]|b[oó]rral[oa]|elim[ií]nal[oa]) (?:absolutamente )?todo` +
			`|(?:borra|borre|borrar|vac[ií]a|vaciar|limpia|limpiar|elimina|eliminar) ` + have + `(?: (?:entera|por completo))?`,
	}}
}

func controlFrench() control {
	const (
		what = `(?: (?:(?:des|les|de nouvelles) choses|quoi que ce soit|tout|des notes|ce que je (?:te )?dis))?(?: sur moi)?`
		when = `(?: (?:pour (?:l'instant|le moment)|maintenant|désormais|à nouveau|de nouveau))?`
		have = `(?:toute )?(?:ta|la|ma|votre) m[eé]moire`
		verb = `(?:retenir|m[eé]moriser|enregistrer|noter|apprendre|sauvegarder|prendre)`
	)
	return control{`(?:peux-tu|tu peux|pourrais-tu|tu pourrais|pouvez-vous|vous pouvez|pourriez-vous)(?: s'il (?:te|vous) pla[iî]t)?`, [...]string{
		Stop: `(?:arr[eê]te(?:z|r)?|cesse(?:z|r)?) de ` + verb + what + when +
			`|ne (?:retiens|retenez|m[eé]morise(?:z)?|note(?:z)?|enregistre(?:z)?|garde(?:z)?) (?:plus )?rien(?: (?:sur|de) moi| de ce que je dis)?` + when +
			`|(?:d[eé]sactive(?:z|r)?|suspends|suspendre|coupe(?:z|r)?|mets en pause) ` + have + when,
		Resume: `(?:recommence(?:z|r)?|continue(?:z|r)?) (?:à|a|de) ` + verb + what + when +
			`|(?:r[eé]active(?:z|r)?|active(?:z|r)?|rallume(?:z|r)?|relance(?:z|r)?) ` + have + when +
			`|tu peux (?:à|de) nouveau ` + verb + what,
		Clear: `(?:oublie(?:z|r)?|efface(?:z|r)?|supprime(?:z|r)?) (?:absolument )?tout(?: ce que (?:tu (?:sais|as retenu|as not[eé])|vous savez|je (?:t'|vous )?ai dit)(?: (?:sur|de) moi)?| (?:sur|de) moi)?` +
			`|(?:efface(?:z|r)?|vide(?:z|r)?|supprime(?:z|r)?|r[eé]initialise(?:z|r)?) ` + have,
	}}
}

func controlChinese() control {
	const (
		keep = `(?:记忆|記憶|记录|記錄|保存|记住|記住|学习|學習|记笔记|記筆記)`
		what = `(?:任何|新的?)?(?:东西|東西|事情|内容|內容|信息|資訊)`
		have = `(?:你的|我的|你对我的|你對我的)?(?:所有|全部)?(?:的)?(?:记忆|記憶|笔记|筆記)(?:功能)?`
	)
	return control{`(?:你)?(?:能不能|可不可以|可以|能)(?:帮我|幫我)?`, [...]string{
		Stop: `(?:停止|暂停|暫停)` + keep + `(?:` + what + `)?(?:了)?` +
			`|(?:从现在起|從現在起|从现在开始|從現在開始|以后|以後|先|暂时|暫時)?(?:不要|别|別)(?:再)?(?:记|記|记住|記住|保存|记录|記錄)(?:` + what + `|我(?:说|說)的(?:任何)?(?:话|話|内容|內容))(?:了)?` +
			`|(?:关闭|關閉|关掉|關掉|停用)` + have,
		Resume: `(?:恢复|恢復|继续|繼續|重新开始|重新開始)` + keep + `(?:` + what + `)?(?:了)?` +
			`|(?:打开|打開|开启|開啟|启用|啟用|恢复|恢復)` + have,
		Clear: `(?:忘掉|忘记|忘記|删除|刪除|清除|抹掉)(?:(?:关于|關於)我的)?(?:一切|所有(?:的)?(?:事情|东西|東西|事)?|全部)` +
			`|(?:清空|清除|删除|刪除)` + have +
			`|(?:全部|全都|都)(?:忘掉|忘记|忘記|忘了|删掉|刪掉|删除|刪除)(?:吧)?` +
			`|把(?:(?:关于|關於)我的)?(?:一切|所有(?:的)?(?:事情|东西|東西|事)?|全部)(?:都)?(?:忘掉|忘记|忘記|忘了|删掉|刪掉|删除|刪除)`,
	}}
}
