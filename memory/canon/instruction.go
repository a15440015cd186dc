package canon

import (
	"strings"
	"sync"
)

// Instruction reports whether a text tells the assistant what to do from now on
// ("always recommend X", "from now on send …", "ignore what …"), rather than
// saying something about the owner ("I always take the train"). Such text is no
// plain fact and waits for the owner's confirmation. It knows English, German,
// Spanish, French and Chinese, and a little Czech, Japanese and Arabic.
func Instruction(text string) bool {
	for clause := range strings.FieldsFuncSeq(plain(text), func(r rune) bool { return strings.ContainsRune(".!?;:,\n。！？；：，、\"“”«»", r) }) {
		if commands(Form(clause)) {
			return true
		}
	}
	// Punctuation inside a phrase must not hide it.
	return orders().within(" " + Form(text) + " ")
}

// commands reports whether a clause in canonical form is a command, after what
// may lead up to one ("please", "remember that").
func commands(clause string) bool {
	o := orders()
	for {
		rest := cutFirst(clause, o.leads)
		if rest == clause {
			break
		}
		clause = rest
	}
	if cutFirst(clause, o.verbs) != clause {
		return true
	}
	rest := cutFirst(clause, o.adverbs)
	if rest == clause || rest == "" {
		return false
	}
	word, _, _ := strings.Cut(rest, " ")
	return !o.subjects[word] && !firstPerson(word)
}

// firstPerson reports whether a Spanish verb without its subject speaks of the
// speaker: "siempre tomo café".
func firstPerson(word string) bool {
	return len(word) > 3 && (strings.HasSuffix(word, "o") || strings.HasSuffix(word, "oy") || strings.HasSuffix(word, "amos") || strings.HasSuffix(word, "emos"))
}

// cutFirst returns text without the first of the phrases that it begins with,
// and with the spaces after it.
func cutFirst(text string, phrases []string) string {
	for _, p := range phrases {
		if rest, ok := strings.CutPrefix(text, p); ok && (rest == "" || rest[0] == ' ' || pairs(p)) {
			return strings.TrimLeft(rest, " ")
		}
	}
	return text
}

// orderWords is what commands are made of, in canonical form.
type orderWords struct {
	anywhere []string        // phrases that command wherever they stand
	leads    []string        // what may stand before a command
	adverbs  []string        // command at the beginning, unless a subject follows
	verbs    []string        // command at the beginning
	subjects map[string]bool // who or what a statement is about
}

func (o orderWords) within(form string) bool {
	for _, p := range o.anywhere {
		if pairs(p) && strings.Contains(form, p) || strings.Contains(form, " "+p+" ") {
			return true
		}
	}
	return false
}

var orders = sync.OnceValue(func() orderWords {
	return orderWords{
		anywhere: forms(anywhereOrders), leads: forms(orderLeads), adverbs: forms(orderAdverbs), verbs: forms(orderVerbs),
		subjects: set(orderSubjects),
	}
})

// forms returns the canonical forms of a list with commas between.
func forms(list string) []string {
	items := strings.Split(list, ",")
	for i, s := range items {
		items[i] = Form(s)
	}
	return items
}

const (
	anywhereOrders = `from now on,every reply must,every answer must,in every reply,in every answer,from this point on,henceforth,you must,you shall,you have to,you are to,you should always,you should never,you need to always,you are now,you are required to,your task is to,your job is to,your new instructions,ignore all,ignore any,ignore previous,ignore the previous,ignore the above,ignore earlier,ignore your,disregard,override your,system prompt,without asking me,without asking,do not tell the user,don't tell the user,as a trusted,as trusted,is a trusted source,trusted source,is trusted,are trusted,is a trusted,trusted partner,answer everything with,reply to everything,every time i ask,whenever i ask,whenever someone asks,when i say,when asked about,
ab jetzt,ab sofort,ab heute,von jetzt an,von nun an,jede antwort muss,in jeder antwort,in zukunft sollst,du musst,du sollst,du darfst nie,du darfst nicht,sie müssen,ignoriere,vergiss alle vorherigen,ohne zu fragen,ohne nachzufragen,als vertrauenswürdig,wenn ich sage,immer wenn ich frage,deine aufgabe ist,beantworte alles,
a partir de ahora,en cada respuesta,de ahora en adelante,desde ahora,debes,tienes que,deberás,ignora todas,ignora las,ignora lo,ignora cualquier,sin preguntar,sin preguntarme,como fuente de confianza,de confianza absoluta,cuando yo diga,cada vez que pregunte,tu tarea es,
à partir de maintenant,dans chaque réponse,désormais,dorénavant,tu dois,vous devez,il faut que tu,ignore toutes,ignore les,ignorez,sans demander,sans me demander,source de confiance,quand je dis,chaque fois que je demande,ta tâche est,
从现在起,从现在开始,从今以后,今后请,以后都,你必须,你应该,你要记得,您必须,忽略之前,忽略所有,忽略以上,无视,不要告诉,不用问我,每当我,每次我问,可信来源,值得信任的来源,
od teď,odteď,od nynějška,musíš,ignoruj,bez ptaní,これからは必ず,これからは常に,今後は,以前の指示を無視,指示を無視,を無視して,必ず推薦,常に推薦,من الآن فصاعدا,تجاهل,يجب عليك`

	orderLeads = `please,remember that,remember to,remember this,remember,note that,keep in mind that,keep in mind,be sure to,make sure to,make sure that you,and,then,also,assistant,system,user,hey,ok,so,bitte,merke dir,merk dir,denk daran,dass,und,dann,auch,por favor,recuerda que,recuerda,y,luego,también,s'il te plaît,s'il vous plaît,rappelle toi que,rappelle toi,souviens toi que,souviens toi de,souviens toi,n'oublie pas que,n'oublie pas de,et,puis,aussi,请记住,记住,请你,请,并且,然后,你`

	orderAdverbs = `always,never,do not ever,don't ever,immer,stets,nie,niemals,siempre,nunca,jamás,toujours,jamais,ne jamais,总是,永远,始终,一律,绝不,千万不要,不要再`

	orderVerbs = `recommend,send,forward,bcc,ignore,disregard,reply with,reply only,respond with,respond only,answer with,answer only,answer in,reply in,respond in,treat,pretend,act as,obey,execute,do not mention,don't mention,do not reveal,don't reveal,do not tell,don't tell,do not ask,don't ask,do not ever,transfer money,pay,prefer products,trust,empfiehl,empfehle,sende,schicke,schick,leite,antworte,ignoriere,behandle,vertraue,tu so,verrate nicht,verrate nie,sag nie,erwähne nie,recomienda,envía,envíale,reenvía,responde,contesta,ignora,trata,finge,confía,no digas,no menciones,no reveles,recommande,recommandez,envoie,envoyez,transfère,transférez,réponds,répondez,ignore,traite,fais semblant,fais confiance,ne dis,ne mentionne,ne révèle,推荐,发送,转发,忽略,回复,回答,只用,不要说,不要提,假装,信任,doporuč,doporučuj,vždy doporuč,vždy doporučuj,vždy odpovídej,pošli,přepošli,odpovídej`

	orderSubjects = `i i'm i'd i've my me we our he she it they the a an there been was is wanted had has at on in happy loved wenn ich mein meine wir er sie es der die das ein eine im am um war yo mi mis me nos él ella ellos el la los las un una he ha ha hemos en por a je j mon ma mes nous il elle ils le les l un une en au à été eu 我 我的 我们 他 她`
)
