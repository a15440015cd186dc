package style

// source is what a lexicon is made of. A word with a capital may have it anywhere.
type source struct {
	writing, joining string
	endings          string // that any of these words may have
	phrases          string // with commas between; words that are allowed only together
	never            string // stop words that say something all the same
	idioms           string // phrases that are not about writing
	numbers, units   string
	tongues, before  string
	orders, starts   string
	claims
}

// claims are the words of a language that say too much only where they stand with
// others. See claim.go.
type claims struct {
	totals   string // in each and every case
	holds    string // what a mail does that has something in it
	contents string // what may be in it
	people   string // to whom mails go
	singles  string // those of them that are one person
	near     string // what may stand right before people
	many     string // what may stand there too, but for one person
	treats   string // what a mail does to people by its style
	shuns    string // what nobody does to people by a style
	being    string // what tells how somebody is, where nobody is named
	joins    string // after what such a word begins another statement
	goes     string // to, for, with
}

// Words that descriptions in all languages use.
const (
	sharedWriting = `Emoji Emojis Smiley Smileys Du du Sie sie Tu tu Vous vous Usted usted Ustedes ustedes Tú tú 你 您`
	sharedJoining = `OK ok FYI ASAP`
	sharedOrders  = ` system prompt assistant`
)

// sources leave out what says something of life as well: "single", "straight",
// "green", "young", "work", "friend".
var sources = map[string]source{
	"en": {
		writing: `style tone register voice manner wording phrasing phrase sentence clause paragraph line liner word vocabulary wordplay punctuation comma stop
colon semicolon dash dashes hyphen ellipsis ellipses exclamation question marks dots bracket parenthesis parentheses parenthetical quotation emoticon abbreviation
acronym contraction slang jargon idiom cliche grammar spelling spelled capital capitalised capitalized capitalisation capitalization lowercase uppercase letter italics bold bullet bulleted list heading
structure layout format formatting formatted greeting salutation opening opener closing signoff farewell mail email message reply writing writes written write wrote writer prose
language address filler hedge hedging request answer thanks apology apologies humour humor joke irony sarcasm imperative pronoun tense courtesy pleasantry pleasantries politeness
formality informality fragment rhythm brevity concision clarity warmth directness typo
formal informal casual polite courteous friendly warm cordial direct indirect concise terse brief short shorter long longer lengthy wordy verbose plain simple simply clear crisp dry
playful humorous ironic sarcastic witty enthusiastic cheerful upbeat lively energetic neutral businesslike professional personal impersonal personable relaxed conversational
colloquial chatty breezy reserved restrained measured calm careful cautious tentative hedged confident assertive blunt curt abrupt gentle gently kind empathetic appreciative grateful
respectful considerate encouraging supportive helpful optimistic serious stiff modern elaborate flowery ornate detailed precise exact thorough structured organised organized
orderly logical factual objective descriptive emotional expressive excited understated modest humble familiar efficient economical pragmatic practical straightforward clipped
telegraphic grammatical correct flawless varied consistent uniform readable legible approachable welcoming unpretentious unadorned compact tidy punchy snappy fluent fluid
adjective adverb verb noun qualifier intensifier softener interjection metaphor imagery terminology term niceties rhetorical subordinate compound complex declarative
understatement enthusiasm emphasis emphatic polished refined accessible easygoing collegial diplomatic tactful soft firm decisive candid honest sincere eager inviting engaging thoughtful attentive
steady smooth sparse minimalist functional explanatory technical idiomatic formulaic conventional complete abbreviated abbreviates elliptical introductory lowercased punctuated semi proofread
politely uncomplicated minimalistic nuanced deferential gracious thankful laconic telegram keyboard smileys subjectless
thanking thanked asks asking reader readers recipient recipients opens closes begins ends starts greets explains states replies worded lower upper uppercased
brisk unhurried hurried light lighthearted lightness vivid elegant amiable genial affable cheery bright bubbly exuberant animated solemn strict loose hasty meticulous methodical systematic
analytical persuasive apologetic cheeky whimsical poetic literary bureaucratic unembellished unfussy neat pointed sharp plainspoken outspoken expression flourish connective connector
conjunction superlative diminutive laughter gratitude appreciation encouragement reassurance friendliness openness playfulness seriousness restraint wish wishes flat simplicity numbered spontaneous
unemotional energetically intonation utterance oneliner statement instructive stylistic stylistically verbal verbally informative succinct digression repetition understandable
subdued decorous unceremonious agreeable obliging considerately humored humoured lowkey`,
		joining: `one usually mostly often sometimes rarely seldom never always occasionally frequently typically generally commonly normally regularly almost nearly hardly
quite rather fairly slightly somewhat extremely mainly largely predominantly primarily consistently exclusively entirely overall especially particularly even still yet also well many
several little much less least enough either neither without among across along around per though although whereas unless since may might
use uses used using opens open opened closes close closed begins begin beginning starts start starting ends end ending signs sign signing greets greet keeps keep kept keeping gets get
getting prefers prefer preferring preferred preference tends tend tendency avoids avoid avoiding avoided leaves leave skips skip skipping adds add adding added asks ask asking
thanks thank thanking apologises apologizes explains explain explaining explanation gives give giving given makes make making goes go going comes come stays stay staying remains remain
sounds sound sounding reads read feels feel seems seem appears appear breaks break broken separates separate separated separating contains contain includes include including included
switches switch switching mixes mix mixing mixed mixture favours favors favour favor favouring favoring relies rely varies vary varying repeats repeat repeated drops drop omits omit omitted
omitting follows follow followed following combines combine combined combining combination puts put ranges expresses express expressing conveys convey shows show softens soften balances balance
balanced adapts adapt adapting adjusts adjust addresses addressed addressing phrases phrased worded replies replying answers requests questions lists greetings marked ended
reader recipient others context situation topic way kind sort bit touch amount part top bottom middle
point detail example idea thought step order rule habit choice purpose effect sense level degree variety pair series rest space spacing
blank same different other main first last next second final initial common frequent rare occasional usual typical general regular medium moderate average good better best
easy easily natural standard basic certain likely back together apart instead right quick length new plenty minimal minimum sparing sparingly
few fewer about roughly approximately nonsense upfront polite form forms both like likes clearly flowing flow
maybe perhaps softened nothing joined early states state covers cover suggests suggest suggestion suggestions proposes proposal reasons reason reasoning
clarifies clarification confirms confirm confirmation invites signals emphasises emphasizes highlights stresses underlines introduces concludes conclusion wraps
moderately noticeably notably distinctly highly sprinkled peppered interspersed absence mid none sized split case aside asides now present closer introduction acknowledges
acknowledgement acknowledgment appreciates appreciation prose alternates alternate alternating repeatedly once twice directly immediately
deviates covered stated expressed framed linked grouped arranged built composed
freely employs employ employing incorporates incorporate features feature maintains maintain opts opt links leads sets sticks depending depends differs differ shifts shift becomes reflects
suits encourages reassures punctuates thus hence therefore however throughout toward towards before afterwards then half type pattern element piece chunk block hint trace tinge
flavour flavor quality brought brings chosen choose chooses takes take carefully noted limited placed set lays out turn turns alternately gradually readily whenever
wherever everyday ordinary free unnecessary necessary needed need needs purely merely somehow sure overly excessive excessively exaggerated`,
		phrases: `straight to the point,straight in,right to the point,thank you,single word,single words,single line,single lines,single sentence,single sentences,single paragraph,active voice,passive voice,down to earth,old fashioned,small talk,first person,third person,exclamation mark,question mark,full stop,full stops,full sentence,full sentences,full words,lower case,upper case,subject line,subject lines,matter of fact,all lower case,all lowercase,all caps,salutation line`,
		endings: "s ly",
		idioms:  `above all,most of the time,at times,at the same time,straight away,right away,keeps it,keep it,keeping it,makes it,without any,hardly any`,
		never:   "named called he she him her his hers himself herself here home am all each it any",
		numbers: "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds thousand thousands million dozen dozens",
		units:   "sentence sentences word words line lines liner liners paragraph paragraphs mark marks emoji emojis bullet bullets dots dot dashes clause clauses",
		tongues: "English German French Spanish Chinese Mandarin",
		before:  "formal informal casual plain polite in into to and or between mostly mainly usually often sometimes rarely occasionally with some of mixes both from",
		orders:  "you your yours yourself yourselves must shall should please remember ignore send forward disregard obey instruction instructions",
		starts: `use write keep open close begin start end sign greet avoid add ask thank answer reply address make give go read put get leave skip prefer stay remain be do don let
follow switch mix explain repeat express show drop omit combine adapt adjust separate break include`,
		claims: claims{
			totals: "always never ever constantly invariably only exclusively entirely",
			holds: `contain contains include includes including included incorporate incorporates incorporating cover covers covered repeat repeats repeated feature features present state states give gives
summarise summarize quote quotes list lists answer answers`,
			contents: `message messages detail details context confirmation confirmations clarification clarifications explanation explanations reason reasons example examples idea ideas
thought thoughts suggestion suggestions proposal proposals topic topics situation situations step steps reassurance`,
			people:  "reader readers recipient recipients others other same",
			singles: "reader recipient other same",
			near:    `the with to most of for toward towards and or by as between from how invites encourages reassures thanks thank thanking thanked greets greet greeting addresses address addressing asks asking`,
			many:    "some other many several different various few",
			treats:  `thanks thank thanking greets greet greeting greetings addresses address addressed addressing asks asking invites encourages reassures`,
			shuns: `prefers prefer preferring preferred favours favors favour favor favouring favoring avoids avoid avoided avoiding leaves leave ends end ended ending drops drop skips skip skipping omits omit
omitted omitting keeps keep kept keeping separates separate separated separating breaks break takes take chooses like likes favors leads shows gets get makes needs need`,
			being: "is are was being remains",
			joins: "and but or",
			goes:  "to for with",
		},
	},
	"de": {
		writing: `Stil Schreibstil Schreibweise Ton Tonfall Tonlage Sprache Ausdruck Ausdrucksweise Wortwahl Wort Wörter Worte Satz Sätze Satzbau Satzzeichen Nebensatz Nebensätze Hauptsatz
Hauptsätze Absatz Absätze Zeile Zeichensetzung Interpunktion Punkt Komma Doppelpunkt Semikolon Strichpunkt Gedankenstrich Bindestrich Ausrufezeichen Ausrufungszeichen Fragezeichen Auslassungspunkte
Klammer Anführungszeichen Abkürzung Umgangssprache Fachsprache Fachbegriff Fachwörter Füllwort Füllwörter Grammatik Rechtschreibung Großbuchstaben Kleinbuchstaben Kleinschreibung Großschreibung
Aufzählung Aufzählungszeichen Liste Stichpunkt Stichwort Stichworte Überschrift Gliederung Struktur Aufbau Länge Anrede Begrüßung Gruß Grüße Grußformel Schlussformel Abschluss Schluss
Einstieg Mail E Nachricht Antwort Formulierung Floskel Höflichkeit Höflichkeitsform Höflichkeitsfloskel Humor Ironie Frage Bitte Bitten Dank Entschuldigung Siezen Duzen Förmlichkeit Ausruf Konjunktiv
Passiv Aktiv Form Formel Telegrammstil Anglizismen Kürze Klarheit Herzlichkeit
formell informell förmlich locker freundlich höflich herzlich warm warmherzig sachlich nüchtern neutral direkt indirekt knapp kurz kürzer lang länger ausführlich bündig prägnant klar
verständlich einfach schlicht schnörkellos trocken humorvoll ironisch verspielt lebhaft lebendig begeistert fröhlich heiter ruhig zurückhaltend vorsichtig bestimmt selbstbewusst professionell
geschäftsmäßig persönlich unpersönlich vertraut respektvoll wertschätzend dankbar aufmerksam ermutigend hilfsbereit ernsthaft steif altmodisch modern detailliert genau präzise präzis gründlich
strukturiert gegliedert geordnet logisch emotional ausdrucksstark umgangssprachlich gesprächig salopp flott zügig pragmatisch effizient unkompliziert gepflegt korrekt fehlerfrei
abwechslungsreich einheitlich gemischt stichwortartig kleingeschrieben großgeschrieben geschrieben schriftlich sprachlich stilistisch wohlwollend entspannt gelassen verbindlich
schreibt schreiben formuliert duzt siezt grüßt verabschiedet bedankt entschuldigt fragt antwortet
Grundton Duktus Redewendung Sprachstil Alltagssprache Dialekt Betonung Hervorhebung Nachdruck Begeisterung Verabschiedung Schlusssatz Adjektiv Adverb Adverbien Verb Verben Substantiv Modalverben
Halbsatz Halbsätze Ellipse Einzeiler Schachtelsatz Schachtelsätze Relativsatz Relativsätze Schrägstrich Plauderton Umgangston Rückfrage Nachfrage Vorschlag Vorschläge Hinweis Erklärung Begründung Fragesatz Fragesätze Ausrufesätze
zugewandt kollegial ungezwungen diplomatisch taktvoll charmant offen ehrlich deutlich eindeutig übersichtlich mittellang vollständig unvollständig verschachtelt sparsam zielgerichtet
lösungsorientiert fließend flüssig kompakt formelhaft natürlich dezent formulieren schreibend begrüßt verabschieden grüßen bedanken duzen siezen fragen antworten stichpunktartig
Leser Empfänger Einleitung beginnt endet schließt
klassisch elegant geschliffen gewandt bildhaft blumig schwungvoll energisch nachdrücklich fragend erklärend erzählend abschließend einleitend ausgewogen differenziert überlegt bedacht
bedächtig gemächlich hastig spontan geduldig streng systematisch methodisch analytisch argumentativ überzeugend entschuldigend selbstironisch witzig frech augenzwinkernd poetisch literarisch bürokratisch technisch
Dankesworte Wunsch Wünsche Ausdrucksform Redensart Kürzel Konjunktion Bindewort Bindewörter Überleitung Übergang Übergänge Aussage Aussagesatz Aussagesätze Aufforderung Ermutigung Freundlichkeit Direktheit
Sachlichkeit Lockerheit Vertrautheit Distanz Wortlaut Abschnitt Schreibe Betreff Betreffzeile Abschlussformel Grußwort Grußworte Verabschiedungsformel Einleitungssatz Anredeform kühl
unaufgeregt kurzgehalten unmissverständlich zuvorkommend umgänglich leger ungekünstelt bescheiden gefühlvoll einladend`,
		joining: `meist meistens oft häufig manchmal selten gelegentlich nie immer stets fast kaum eher recht ziemlich leicht überwiegend hauptsächlich vorwiegend teils teilweise
gern gerne sogar besonders grundsätzlich gewöhnlich üblicherweise typischerweise regelmäßig durchgehend konsequent insgesamt dabei dazu daneben danach davor darin darauf dafür dagegen sowie
je pro statt wenig viel mehrere einige mehr weniger gleich erste letzte nächste üblich typisch häufiger seltener meiste ganz gut besser jeweils etwa ungefähr rund bis
beginnt eröffnet endet schließt verwendet nutzt benutzt setzt hält bleibt kommt bevorzugt vermeidet neigt verzichtet lässt weg fügt hinzu gliedert trennt wechselt mischt kombiniert
spricht redet wirkt klingt liest enthält besteht steht folgt passt fasst zusammen erklärt begründet betont drückt gibt geht macht leitet stellt streut achtet legt fällt tritt zeigt
variiert wiederholt kürzt hat bittet
Leser Empfänger Kontext Situation Thema Themen Art Weise Hang Tendenz Mischung Teil Detail Beispiel
Gedanke Umschweife Leerzeile Wechsel Einsatz Verwendung Gebrauch Einschub Einschübe Vorliebe Anfang Ende Einleitung gehalten geprägt eingestreut getrennt verwendend gesetzt
schnell rasch kommen beginnen enden schließen verwenden nutzen setzen bleiben wechseln stehen folgen dominieren überwiegen finden wirken klingen fallen halten gestellt weitgehend größtenteils vereinzelt reichlich
zahlreich keinerlei durchgängig mittel mittlere direkten jedoch trotzdem dennoch zumeist öfter mitunter zwar insbesondere hinweg hin vorne ohne abwechselnd Zweck Anliegen Kern
nennt nennen bringt sagt vorsichtigem fertig gebunden verbunden durch gegenüber Mehrzahl Hälfte deren eingesetzt eingeleitet abgeschlossen begonnen beendet vorangestellt
Eigenheit Merkmal Muster Element Hauch Spur Prise Wirkung unterstreicht hebt hervor gestaltet aufgebaut aufgelockert lockert ergänzt verbindet reiht verknüpft wählt pflegt vermittelt ermutigt führt richtet wendet
gebraucht greift Länge werden worden längst bewusst nahezu möglichst zuerst zunächst anschließend zuletzt schließlich sofort ausschließlich lediglich lieber wenigen stattdessen deshalb daher
ergibt entsteht wobei sobald falls wenn indem unnötig nötig übertrieben übermäßig knapp rein frei alltäglich gängig bekannt verschieden unterschiedlich gelegentlichen`,
		phrases: `auf den Punkt,zur Sache,erste Person,dritte Person,ganze Sätze,ganzen Sätzen,ganzer Satz,voll ausgeschrieben`,
		idioms:  `in der Regel,vor allem`,
		endings: "e en er es em n s",
		never:   "heißt heisst gewesen alle allem allen aller alles jede jedem jeden jeder jedes ganze ganzem ganzer ganzes",
		numbers: "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf fünfzehn zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig hundert tausend dutzend",
		units:   "Satz Sätze Sätzen Wort Wörter Wörtern Worte Worten Zeile Zeilen Absatz Absätze Absätzen Ausrufezeichen Fragezeichen Emoji Emojis Punkte Punkten Stichpunkte Stichpunkten",
		tongues: "Deutsch Englisch Französisch Spanisch Chinesisch",
		before:  "auf in meist meistens überwiegend hauptsächlich vorwiegend und oder manchmal gelegentlich selten seltener oft zwischen zu teils ins schreibt",
		orders: `dein deine deinen deinem deiner deines dir dich euch euer eure muss musst müssen soll sollst sollen sollte bitte sende schicke merke ignoriere ignorieren
Anweisung Anweisungen`,
		starts: "schreibe schreib schreiben nutze nutzen verwende verwenden benutze halte halten beginne vermeide vermeiden setze bleib bleibe sprich antworte antworten grüße sei seien seid mach mache",
		claims: claims{
			totals:   "immer stets nie konsequent ausschließlich durchgehend nur",
			holds:    `enthält enthalten wiederholt wiederholen nennt nennen umfasst gibt zeigt fügt stellt besteht antwortet`,
			contents: `Nachricht Nachrichten Detail Details Kontext Rückfrage Rückfragen Nachfrage Nachfragen Erklärung Erklärungen Begründung Begründungen Beispiel Beispiele Hinweis Hinweise Vorschlag Vorschläge Vorschlägen Gedanke Gedanken Thema Themen Situation Anliegen`,
			people:   "Leser Lesern Lesers Empfänger Empfängern Empfängers",
			near:     `die der den dem mit an zu für von und oder gegenüber einige einigen manche manchen andere anderen siezt duzt grüßt begrüßt bittet fragt duzen siezen`,
			treats:   `siezt duzt grüßt begrüßt bittet fragt bedankt verabschiedet ermutigt spricht duzen siezen dank anrede`,
			shuns:    `bevorzugt vermeidet lässt beendet endet hält trennt verzichtet liebt setzt verwendet nutzt benutzt wählt führt mischt streut nimmt lieber gern gerne`,
			being:    "ist sind war bleibt",
			joins:    "und aber oder",
			goes:     "an zu für mit",
		},
	},
	"fr": {
		writing: `style ton registre voix manière formulation tournure phrase proposition paragraphe ligne mot vocabulaire ponctuation virgule point tiret trait exclamation interrogation
suspension parenthèse guillemet émoticône émoji emoji abréviation sigle argot jargon expression grammaire orthographe majuscule minuscule liste puce titre structure
salutation accueil ouverture formule politesse clôture conclusion mail courriel message réponse écriture écrit écrite écrits écrites écrire rédige rédigé rédigée langue langage requête demande question remerciement
excuse humour ironie courtoisie vouvoiement tutoiement vouvoie tutoie brièveté clarté
formel formelle informel informelle familier familière poli polie courtois courtoise amical amicale chaleureux chaleureuse cordial cordiale direct directe indirect indirecte concis concise bref brève
brefs brèves court courte long longue simple clair claire sobre sec sèche enjoué enjouée ironique spirituel enthousiaste neutre professionnel professionnelle personnel personnelle impersonnel
impersonnelle détendu détendue décontracté décontractée réservé réservée mesuré mesurée calme prudent prudente assuré assurée respectueux respectueuse attentionné bienveillant bienveillante
encourageant serviable sérieux sérieuse moderne détaillé détaillée précis précise complet structuré structurée organisé ordonné logique factuel factuelle expressif expressive efficace pratique
soigné soignée correct correcte varié variée cohérent fluide léger légère naturel naturelle spontané spontanée succinct succincte chaleureusement poliment brièvement clairement simplement
directement
appel soutenu soutenue systématique complète articulé articulée nuancé nuancée cordialité chaleur enthousiasme concision sobriété simplicité précision rigueur rigoureux dynamique vivant vivante énergique
accessible convivial conviviale empathique attentif attentive aimable agréable familiarité adjectif adverbe verbe subordonnée incise ellipse énumération retour aéré aérée dense laconique développé développée élaboré élaborée oral
orale technique terme anglicisme interjection tutoyer vouvoyer tutoiements formulé formulée impératif laconisme raffiné raffinée
lecteur lectrice destinataire salue remercie commence termine conclut
classique poétique littéraire élégant élégante posé rythmé rythmée imagé imagée dépouillé épuré épurée minimaliste télégraphique administratif pédagogique persuasif souple affable jovial
malicieux taquin autodérision nuance spontanéité gratitude salutations vœu vœux souhait connecteur redondance répétition retenue sincère franc franche gentil gentille
majuscules intonation vif vive doux douce`,
		joining: `généralement souvent parfois rarement toujours jamais presque assez plutôt peu beaucoup principalement surtout essentiellement habituellement occasionnellement régulièrement fréquemment
légèrement entièrement particulièrement aussi encore moins plus sans sous entre chez vers selon lorsque lors pendant afin comme ainsi alors puis ensuite enfin environ près autour
plusieurs quelques quelque autre même utilise utilisent utilisant emploie commence ouvre ouvrent débute termine finit conclut clôt signe salue remercie évite préfère garde reste va vient droit
met ajoute demande explique pose répond mélange alterne passe adresse adressant apprécie privilégie sépare contient comporte inclut combine varie répète omet limite tend
lecteur lectrice destinataire contexte situation but détail exemple idée usage emploi façon sorte type niveau part partie début fin milieu
espace saut blanc vide premier première dernier dernière bon bonne principal principale habituel habituelle fréquent fréquente rare courant courante moyen moyenne taille longueur
variété tendance habitude préférence ponctué ponctuée séparé séparés séparées suivi suivie
plupart bien systématiquement volontiers globalement majoritairement notamment relativement rend donne montre exprime marque recourt introduit développe posé posée propose confirme résume clarifie
adoucit atténue insiste souligne entame organise articule dont cela celui celle ceux dès seulement longue accompagné marqué marquée rapide rapidement immédiatement tantôt objet objectif
directement employé employée utilisé utilisée placé placée mis mise fois ligne apparaît apparaissent restent viennent commencent terminent sont terminé terminée
structurent structure touche pointe brin note emploient ponctuent séparent expliquent posent évitent gardent privilégient présente présentent raison raisons toutefois cependant mais car
si quand dépend adapte varient clairement uniquement excessif excessive inutile inutiles nécessaire différent différente direct abord choisi choisis choisies
précède suit suivent suivant permet laisse fréquence quotidien ordinaire`,
		phrases: `une seule phrase,un seul paragraphe,une seule ligne,voix active,vif du sujet`,
		idioms:  `tout en,avant tout,tout de suite`,
		endings: "s es x",
		never:   "été elle elles appelle appelles suis fut tout toute tous toutes",
		numbers: "deux trois quatre cinq six sept huit neuf dix onze douze quinze vingt trente quarante cinquante soixante cent cents mille douzaine vingtaine dizaine trentaine",
		units:   "phrase phrases mot mots ligne lignes paragraphe paragraphes point points émojis emoji emojis puces tirets",
		tongues: "français anglais allemand espagnol chinois",
		before:  "le en et ou parfois souvent principalement surtout rarement entre ni généralement",
		orders:  `votre vos toi tes te dois doit doivent devez faut veuillez envoie envoyez ignore ignorez rappelle rappelez instruction instructions`,
		starts:  "écris écrivez utilisez commencez commençons terminez évitez gardez restez sois soyez ajoutez employez répondez réponds",
		claims: claims{
			totals:   "toujours jamais systématiquement uniquement entièrement",
			holds:    `contient contiennent comporte inclut répète propose donne présente présentent ajoute résume montre`,
			contents: `message messages détail détails contexte exemple exemples idée idées situation confirmation raison raisons demande demandes`,
			people:   "lecteur lectrice lecteurs lectrices destinataire destinataires autre autres",
			singles:  "lecteur lectrice destinataire autre",
			near:     `le la l les des aux au du avec pour envers entre et ou selon remercie salue tutoie vouvoie tutoyer vouvoyer`,
			many:     "certains autres plusieurs quelques différents d",
			treats:   `remercie remercier salue tutoie vouvoie tutoyer vouvoyer adresse adressant remerciements tutoiement vouvoiement`,
			shuns:    `évite évitent préfère privilégie privilégient termine terminent finit conclut garde gardent quitte sépare laisse omet apprécie choisit met`,
			being:    "est sont reste",
			joins:    "et mais ou",
			goes:     "à pour avec",
		},
	},
	"es": {
		writing: `estilo tono registro voz manera redacción expresión frase oración párrafo línea palabra vocabulario puntuación coma punto guion guión raya exclamación interrogación suspensión signo
paréntesis comillas emoticono emoji abreviatura sigla argot jerga modismo gramática ortografía mayúscula minúscula lista viñeta título estructura saludo despedida apertura
cierre fórmula cortesía correo mensaje respuesta escritura escribe escrito redacta redactado lengua lenguaje idioma petición pregunta agradecimiento disculpa humor ironía trato tuteo tutea
ustedeo brevedad claridad
formal formales informal informales educado cortés amable amables amistoso cálido cordial cordiales directo indirecto conciso breve corto largo sencillo simple claro sobrio seco juguetón irónico ingenioso
entusiasta neutro neutral profesional profesionales personal personales impersonal relajado distendido coloquial coloquiales reservado mesurado tranquilo prudente respetuoso considerado
alentador servicial serio moderno detallado preciso completo estructurado organizado ordenado lógico objetivo expresivo eficiente práctico cuidado correcto variado coherente fluido ligero natural
naturales espontáneo escueto cercano afectuoso agradecido llano conversacional animado
oraciones exclamaciones interrogaciones peticiones expresiones corteses coloquialismo suspensivo guiones tratamiento fluidez sencillez concisión precisión entusiasmo cercanía calidez respeto
formalidad informalidad familiaridad enérgico dinámico ágil suave sincero empático atento agradable diplomático técnico término anglicismo adjetivo adverbio verbo subordinado inciso enumeración
enumeraciones denso elaborado pulido oral cortésmente formalmente cordialmente amablemente despide gracias formulado tutear redacciones amabilidad lacónico educada
lector lectores destinatario saluda agradece empieza termina
elegante pausado medido telegráfico minimalista depurado burocrático persuasivo firme flexible afable jovial bromista matiz toque clásico poético literario metódico analítico vivaz dulce
gratitud deseo deseos conector repetición contención franqueza espontaneidad nota directa humorístico cortesías redundancia entonación ameno esquemático`,
		joining: `generalmente normalmente habitualmente frecuentemente ocasionalmente principalmente mayormente especialmente regularmente a menudo veces vez rara raramente siempre nunca casi bastante más menos poco
mucho sobre según cuando durante hasta tan además aunque mientras pues así luego después antes alrededor aproximadamente unos unas alguno alguna varios varias mismo
usa usan usando utiliza emplea empieza comienza abre termina acaba cierra firma saluda agradece evita prefiere mantiene queda va viene grano pone añade pide explica plantea responde mezcla alterna
separa contiene incluye combina varía repite omite suele suelen tiende gusta recurre
lector lectora lectores destinatario contexto situación tema temas detalle detalles ejemplo idea uso empleo forma formas tipo nivel parte principio inicio final fin
espacio salto blanco primer primero último bueno buen principal habitual habituales frecuente raro común comunes medio longitud extensión variedad tendencia hábito preferencia
separado seguido directo mayoría
apenas van predominan abundan frecuencia hace resulta suena transmite muestra indica marca enfatiza suaviza introduce desarrolla propone confirma resume aclara presenta bien rápido rápidamente
inmediatamente ni salvo acompañado directamente da dar son está están aparece aparecen nada demasiado bastantes poca pocos pocas muchas muchos ningún ninguna objetivo propósito rodeo rodeos
continuación primera primeras última últimas breves hacia tras colocado puesto usado empleado utilizado quedan empiezan terminan acaban llega expresa
pizca motivo razón razones presentan utilizan emplean separan explican evitan mantienen prefieren depende adapta excesivo innecesario necesario diferente distinto cotidiano corriente
elegido deja permite sigue precede solo únicamente claramente también sino pero si porque frecuentes abundante escaso escasas escasos quizá quizás tal`,
		phrases: `una sola frase,un solo párrafo,una sola línea,voz activa`,
		idioms:  `sobre todo,ante todo`,
		endings: "s es mente",
		never:   "llamo llama era fue soy estaba todo todos",
		numbers: "dos tres cuatro cinco seis siete ocho nueve diez once doce quince veinte treinta cuarenta cincuenta sesenta cien ciento mil docena decena veintena",
		units:   "frase frases palabra palabras línea líneas párrafo párrafos oración oraciones signo signos emoji emojis puntos viñetas",
		tongues: "español castellano inglés alemán francés chino",
		before:  "el en y o a veces principalmente sobre entre ocasionalmente casi mayormente raramente ni",
		orders:  "tus ti te os vuestro vuestra debe debes deben debería tienes envía envíe ignora ignore recuerda recuerde reenvía reenvíe instrucción instrucciones",
		starts:  "escriba escribid use usad utilice utilizad emplee empiece comience termine evite evitad mantenga sé sea sean seas añada responda",
		claims: claims{
			totals:   "siempre nunca únicamente jamás solo",
			holds:    `contiene contienen incluye incluyen repite añade propone confirma resume presenta presentan muestra da responde`,
			contents: `mensaje mensajes detalle detalles contexto ejemplo ejemplos idea ideas situación tema temas motivo motivos razón razones petición`,
			people:   "lector lectora lectores lectoras destinatario destinataria destinatarios destinatarias otro otra otros otras",
			singles:  "lector lectora destinatario destinataria otro otra",
			near:     `el la los las al del con para entre y o según saluda agradece tutea de hacia`,
			many:     "algunos otros varios muchos distintos diferentes a en",
			treats:   `saluda agradece tutea tutear ustedeo tuteo trato tratamiento`,
			shuns:    `evita evitan prefiere prefieren termina terminan acaba acaban mantiene mantienen deja separa separan omite gusta elige pone queda cierra`,
			being:    "es son está están queda",
			joins:    "y pero o",
			goes:     "a para con",
		},
	},
	"zh": {
		writing: `风格 文风 语气 语调 语体 语言 措辞 用词 用语 句子 句式 短句 长句 段落 分段 句 行 段 字 词 行文 文字 词汇 标点 标点符号 逗号 句号 感叹号 问号 省略号 破折号 冒号 分号 括号 引号 表情 表情符号 缩写 俚语
口语 书面语 术语 语法 列表 清单 分点 条目 标题 结构 称呼 问候 问候语 开头 结尾 结束语 落款 敬语 客套话 客套 套话 邮件 信件 回信 回复 书写 写作 写信 写 书信 篇幅 请求 提问 问题 道谢 感谢 道歉 幽默 玩笑 语句 表达 排版 字数
正式 非正式 随意 礼貌 客气 友好 亲切 热情 温暖 温和 真诚 直接 直截了当 委婉 含蓄 简洁 简短 简练 精炼 简明 短 长 较短 较长 冗长 啰嗦 朴素 朴实 清晰 清楚 明了 明确 活泼 轻松 风趣 讽刺 中性 专业 平实 平和 口语化 书面化 商务
保守 克制 稳重 谨慎 自信 尊重 体贴 鼓励 严肃 严谨 详细 具体 准确 周到 有条理 条理 条理清晰 逻辑 客观 感性 自然 流畅 高效 务实 干练 规范 工整 多样 一致 统一 利落 干脆 开门见山
长度 寒暄 得体 完整 主语 短语 词语 成语 网络用语 流行语 单词 精确 简单 明快 爽快 坦率 坦诚 恳切 诚恳 谦逊 谦虚 恭敬 庄重 文雅 典雅 优雅 生动 俏皮 随和 柔和 果断 坚定 缓和 积极 语感 反问 疑问句 祈使句
感叹句 陈述句 通顺 紧凑 松散 层次 层次分明 逻辑清晰 格式 祝福语 祝语 客套语 署名 称谓 尊称 敬称 文言 书面体 口吻 专业术语 编号 致谢 谢意 措词 陈述 语速 干净 直白 直率 口头语 语气词 中英文 字句 修饰 形容词
读者 收件人
有礼 平和有礼 友善 亲和 幽默感 简约 言简意赅 通俗 易懂 通俗易懂 彬彬有礼 细致 缜密 精准 扼要 简明扼要 主次分明 有序 抒情 诙谐 调侃 自嘲 文艺 公文 连接词 连词 助词 副词 动词 名词 修辞 比喻 排比 引用 停顿 缩进 加粗
签名 开场白 祝愿 祝福 谢谢 请求语气 短信式 言辞 言语 文笔 笔调 笔触 字眼`,
		joining: `的 地 得 了 和 与 及 以及 或 而 但 但是 不过 并 且 并且 也 还 又 都 很 较 比较 非常 十分 更 最 多 多为 多用 少 少用 不 不用 没有 无 有 有时 偶尔 经常 常 常用 常常 通常 一般 往往 总 总是 大多 大多数 主要 基本 几乎 很少 极少 较少 较多
用 使用 以 为 是 在 中 里 上 时 会 喜欢 偏好 倾向 倾向于 习惯 注重 讲究 避免 保持 采用 夹杂 混用 加 加入 添加 分成 分为 分 列出 开始 开篇 收尾 结束 先 再 后 之后 之前 直入 主题 切入 重点 要点 细节 读者 收件人 对方 对 向 他人
根据 场合 语境 整体 整体上 总体 比例 部分 大部分 小部分 其中 之间 换行 空行 空格 个 种 些 一些 若干 几 等 即 如 例如 比如 称 称作 称为 所 其 其他 这 那 它 被 显得 读来 带 带有 略 略带 稍 偏 偏好于 地道
一 一两 两三 三四 于 从 到 至 间 较为 颇 颇为 相当 适当 适中 中等 不多 不少 不太 不会 不常 也会 还会 善于 擅长 方式 形式 特点 习惯用
说明 目的 最后 表示 省略 首先 其次 然后 接着 直奔 点明 交代 列举 列 商量 征求 意见 情绪 感情 情感 突出 长短 结合 交替 为主 为辅 居多 频繁 频率 适度 大量 少量 适量 单独 成段 一行 一句 几句 一两句
两三句 几段 两三段 偏爱 力求 追求 不失 兼具 既 同时 而且 因此 如果 因为 必要 需要 强调 重复 描述 解释 提出 给出 直接 中间 每段 每句 几乎不 而得体 读 起来 不带 适时 尤其 特别 相对 整篇 多以 常以 均
爱用 套用 善用 惯用 多见 常见 少见 罕见 从不 不加 附带 补充 衔接 过渡 极其 格外 稍显 显 给人 感觉 印象 层 类 起 来 去 着 过 只 仅 仅用 便 就 才 已 未 将 可 可以 能 能够 需 自 由 因 随 按 按照 除 除了 外 另 另外 此外`,
		endings: "",
		numbers: "二 两 三 四 五 六 七 八 九 十 百 千 万 十几 几十",
		units:   "句 句子 短句 长句 行 段 段落 字 词",
		tongues: "中文 英文 英语 德文 德语 法文 法语 西班牙文 西班牙语 汉语",
		before:  "用 以 和 或 为 与 及 写 在 夹杂 混用 使用 主要 少量 有时 偶尔 的 于",
		orders:  "你的 您的 请 必须 应该 应当 务必 记住 忽略 发送 转发 指令 不再 所有 一切",
		claims: claims{
			totals:   "总 总是 从不 都 只 仅",
			holds:    `列出 列 附带 引用 重复 补充 列举 说明 交代 给出 提出 解释`,
			contents: `细节 重点 要点 要 目的 问题 请求 邮件 意见 要求 情况`,
			people:   "读者 收件人 对方 他人",
			near:     `称呼 称 与 对 向 和 给 感谢 尊重 体贴 鼓励 问候 为 以 于 随 按 按照 根据 不同`,
			treats:   `感谢 称呼 称 尊重 体贴 鼓励 问候 致谢 道谢`,
			shuns:    `偏爱 避免 喜欢 偏好 爱用 不 保持 结束 省略 除了`,
			being:    "",
			joins:    "",
			goes:     "",
		},
	},
}
