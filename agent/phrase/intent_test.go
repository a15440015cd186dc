package phrase

import (
	"strings"
	"testing"
	"unicode/utf8"
)

type row struct {
	text    string
	kind    Kind
	payload string
	lang    string
}

var rows = []row{
	// English, to remember.
	{"remember that my dog is called Rex", Remember, "my dog is called Rex", "en"},
	{"Remember that my dog is called Rex.", Remember, "my dog is called Rex", "en"},
	{"REMEMBER THAT my dog is called Rex!!!", Remember, "my dog is called Rex", "en"},
	{"  remember  that\tmy dog is called Rex  \n", Remember, "my dog is called Rex", "en"},
	{"Remember: the door code of the gym is on the card", Remember, "the door code of the gym is on the card", "en"},
	{"remember, I am allergic to nuts", Remember, "I am allergic to nuts", "en"},
	{"remember the milk", Remember, "the milk", "en"},
	{"remember thatched roofs are dear", Remember, "thatched roofs are dear", "en"},
	{"remember that's my seat", Remember, "that's my seat", "en"},
	{"remember this: Ann moved to Linz", Remember, "Ann moved to Linz", "en"},
	{"Remember this restaurant: Da Enzo", Remember, "this restaurant: Da Enzo", "en"},
	{"remember to buy milk", Remember, "buy milk", "en"},
	{"please remember that I live in Graz, thanks", Remember, "I live in Graz", "en"},
	{"Please remember I live in Graz please.", Remember, "I live in Graz", "en"},
	{"hey nacre, remember that I live in Graz", Remember, "I live in Graz", "en"},
	{"Hi! Please remember that I live in Graz", Remember, "I live in Graz", "en"},
	{"ok so remember I live in Graz", Remember, "I live in Graz", "en"},
	{"I want you to remember that I live in Graz", Remember, "I live in Graz", "en"},
	{"can you remember that I live in Graz?", Remember, "I live in Graz", "en"},
	{"Could you please remember that I live in Graz?", Remember, "I live in Graz", "en"},
	{"Remember that I live in Graz, ok?", Remember, "I live in Graz", "en"},
	{"remember I live in Graz, please?", Remember, "I live in Graz", "en"},
	{"Is that ok?", Question, "Is that ok", "en"},
	{"keep in mind that I leave at 5", Remember, "I leave at 5", "en"},
	{"Make a note: Ann's birthday is 3 May", Remember, "Ann's birthday is 3 May", "en"},
	{"note that the shop closes at 6", Remember, "the shop closes at 6", "en"},
	{"write down that Ann owes me 5", Remember, "Ann owes me 5", "en"},
	{"don't forget to call mum", Remember, "call mum", "en"},
	{"Don’t forget that Ann is vegan", Remember, "Ann is vegan", "en"},
	{"do not forget Ann's birthday", Remember, "Ann's birthday", "en"},
	{"never forget to lock the door", Remember, "lock the door", "en"},
	{"never ever forget that Ann is vegan", Remember, "Ann is vegan", "en"},
	{"don't let me forget the cake", Remember, "the cake", "en"},
	{"don´t forget the cake", Remember, "the cake", "en"},
	{"I want you to forget my address", Forget, "my address", "en"},
	{"remember my hat is a 🎩", Remember, "my hat is a 🎩", "en"},
	{"remember my list:\n- eggs\n- tea", Remember, "my list:\n- eggs\n- tea", "en"},
	{"remember that he said \"never again\"", Remember, "he said \"never again\"", "en"},

	// English, near misses of remember.
	{"I remember when we met", None, "", "en"},
	{"i remember that day", None, "", "en"},
	{"do you remember my dog?", Question, "do you remember my dog", "en"},
	{"Do you remember what I told you about Ann", Question, "Do you remember what I told you about Ann", "en"},
	{"remember when we met in Paris", None, "", "en"},
	{"Remember when we met in Paris?", Question, "Remember when we met in Paris", "en"},
	{"remember my dog?", Question, "remember my dog", "en"},
	{"remember what I said about tea", Question, "remember what I said about tea", "en"},
	{"can you remember my birthday?", Question, "can you remember my birthday", "en"},
	{"remembering is hard", None, "", "en"},
	{"remember", None, "", ""},
	{"Remember!", None, "", ""},
	{"remember that", None, "", "en"},
	{"Ann asked me to remember that", None, "", "en"},
	{"She said: remember that I love you", None, "", "en"},

	// English, to forget.
	{"forget my address", Forget, "my address", "en"},
	{"Forget that I live in Graz.", Forget, "I live in Graz", "en"},
	{"please forget about my ex", Forget, "my ex", "en"},
	{"forget everything about my ex", Forget, "my ex", "en"},
	{"forget what I told you about my ex", Forget, "my ex", "en"},
	{"forget everything you know about Ann!", Forget, "Ann", "en"},
	{"forget everything", Forget, "everything", "en"},
	{"Can you forget my address?", Forget, "my address", "en"},
	{"could you please forget about Ann?", Forget, "Ann", "en"},
	{"delete my address from your memory", Forget, "my address", "en"},

	// English, near misses of forget.
	{"forget it", None, "", "en"},
	{"Just forget about it!", None, "", "en"},
	{"forget that.", None, "", "en"},
	{"I forget things", None, "", "en"},
	{"I forgot my keys", None, "", "en"},
	{"Forget-me-nots are blue", None, "", "en"},
	{"did you forget my birthday?", Question, "did you forget my birthday", "en"},
	{"forgetting is easy", None, "", "en"},
	{"forget", None, "", ""},

	// Preferences as orders and likings.
	{"Antworte immer auf Deutsch", Preference, "Antworte immer auf Deutsch", "de"},
	{"Nenn mich nie Schatz", Preference, "Nenn mich nie Schatz", "de"},
	{"Antworte mir bitte immer kurz", Preference, "Antworte mir bitte immer kurz", "de"},
	{"Ich mag das Meer", Preference, "Ich mag das Meer", "de"},
	{"ich mag das sehr!", None, "", "de"},
	{"Mag ich Tee?", Question, "Mag ich Tee", "de"},
	{"responde siempre en español", Preference, "responde siempre en español", "es"},
	{"llámame siempre Ana", Preference, "llámame siempre Ana", "es"},
	{"me gusta el té", Preference, "me gusta el té", "es"},
	{"No me gustan los lunes", Preference, "No me gustan los lunes", "es"},
	{"¡me gusta mucho!", None, "", "es"},
	{"me gustaría que vinieras", None, "", "es"},
	{"réponds toujours en français", Preference, "réponds toujours en français", "fr"},
	{"Appelle-moi toujours Ana", Preference, "Appelle-moi toujours Ana", "fr"},
	{"J’aime le thé", Preference, "J’aime le thé", "fr"},
	{"je n'aime pas le lundi", Preference, "je n'aime pas le lundi", "fr"},
	{"j'aime bien ça !", None, "", "fr"},
	{"我喜欢绿茶", Preference, "我喜欢绿茶", "zh"},
	{"我不喜欢咖啡。", Preference, "我不喜欢咖啡", "zh"},
	{"我喜欢什么", Question, "我喜欢什么", "zh"},
	{"我喜欢你", None, "", "zh"},
	{"I like tea", Preference, "I like tea", "en"},
	{"I love long walks.", Preference, "I love long walks", "en"},
	{"I really hate Mondays", Preference, "I really hate Mondays", "en"},
	{"I don't like coffee", Preference, "I don't like coffee", "en"},
	{"I like that!", None, "", "en"},
	{"I love it", None, "", "en"},
	{"I'd like you to come", None, "", "en"},
	{"I like your answer", None, "", "en"},
	{"do I like tea?", Question, "do I like tea", "en"},
	{"I like tea?", Question, "I like tea", "en"},

	// English, preferences and corrections.
	{"I prefer tea over coffee.", Preference, "I prefer tea over coffee", "en"},
	{"i'd prefer short answers, please", Preference, "i'd prefer short answers", "en"},
	{"I would rather walk", Preference, "I would rather walk", "en"},
	{"always answer in German", Preference, "always answer in German", "en"},
	{"Please never call me before 9.", Preference, "never call me before 9", "en"},
	{"From now on, use metric units", Preference, "From now on, use metric units", "en"},
	{"always remember that Ann is vegan", Remember, "Ann is vegan", "en"},
	{"actually, my dog is called Max", Correct, "my dog is called Max", "en"},
	{"Actually my dog is called Max!", Correct, "my dog is called Max", "en"},
	{"no, actually it's Linz", Correct, "it's Linz", "en"},
	{"Correction: it's Linz", Correct, "it's Linz", "en"},
	{"Actually, I prefer tea", Correct, "I prefer tea", "en"},
	{"actually, remember that it's Linz", Remember, "it's Linz", "en"},
	{"actually, forget my address", Forget, "my address", "en"},
	{"Actually, what time is it in Tokyo?", TimeQuestion, "Tokyo", "en"},
	{"actually, where do I live?", Question, "where do I live", "en"},

	{"actually, never mind", None, "", "en"},
	{"actually, thanks!", Thanks, "", "en"},

	{"remember this.", None, "", "en"},
	{"remember that please", None, "", "en"},
	{"don't forget it", None, "", "en"},
	{"save to memory: my dog is Rex", Remember, "my dog is Rex", "en"},
	{"add to your memory that my dog is Rex", Remember, "my dog is Rex", "en"},
	{"For future reference, I live in Graz", Remember, "I live in Graz", "en"},
	{"make sure to remember that I live in Graz", Remember, "I live in Graz", "en"},
	{"You should remember that I live in Graz", Remember, "I live in Graz", "en"},
	{"stop remembering my address", Forget, "my address", "en"},
	{"delete everything you know about Ann", Forget, "Ann", "en"},
	{"delete the note about my dog", Forget, "my dog", "en"},
	{"you can forget my address", Forget, "my address", "en"},
	{"I never eat meat", Preference, "I never eat meat", "en"},
	{"I always take the bus", Preference, "I always take the bus", "en"},
	{"I never said that", None, "", "en"},
	{"I've always wanted a dog", None, "", "en"},
	{"You should always answer in German", Preference, "always answer in German", "en"},
	{"Don't ever call me Bob", Preference, "Don't ever call me Bob", "en"},
	{"I like tea better than coffee", Preference, "I like tea better than coffee", "en"},
	{"That's wrong, my dog is called Max", Correct, "my dog is called Max", "en"},
	{"that is not right: I live in Linz", Correct, "I live in Linz", "en"},
	{"I was wrong, it's Linz", Correct, "it's Linz", "en"},
	{"Actually no", None, "", "en"},
	{"actually that's fine", None, "", "en"},

	// English, near misses.
	{"don't remember that", None, "", "en"},
	{"can you not forget my birthday?", Question, "can you not forget my birthday", "en"},
	{"never mind", None, "", "en"},
	{"Never mind, I found it.", None, "", "en"},
	{"never", None, "", "en"},
	{"always", None, "", "en"},
	{"Always a pleasure", None, "", "en"},
	{"never seen that", None, "", "en"},
	{"always?", Question, "always", ""},
	{"do you prefer tea?", Question, "do you prefer tea", "en"},
	{"Ann prefers tea", None, "", ""},
	{"actually", None, "", ""},
	{"I was actually there", None, "", "en"},
	{"He always wins", None, "", ""},

	// English, questions.
	{"where do I live?", Question, "where do I live", "en"},
	{"where do I live", Question, "where do I live", "en"},
	{"Hi, what's my dog's name?", Question, "what's my dog's name", "en"},
	{"what colour is my car", Question, "what colour is my car", "en"},
	{"how many cats do I have", Question, "how many cats do I have", "en"},
	{"did I tell you about Ann", Question, "did I tell you about Ann", "en"},
	{"tell me about Ann", Question, "tell me about Ann", "en"},
	{"Tea?", Question, "Tea", ""},
	{"really?!", Question, "really", ""},
	{"what a day", None, "", "en"},
	{"when I was young we had a car", None, "", "en"},

	// English, the time.
	{"what time is it?", TimeQuestion, "", "en"},
	{"What time is it", TimeQuestion, "", "en"},
	{"what time is it in Tokyo?", TimeQuestion, "Tokyo", "en"},
	{"what time is it now in New York?", TimeQuestion, "New York", "en"},
	{"what time is it in New York now?", TimeQuestion, "New York", "en"},
	{"What's the time in Europe/Berlin?", TimeQuestion, "Europe/Berlin", "en"},
	{"what’s the current time", TimeQuestion, "", "en"},
	{"what day is it?", TimeQuestion, "", "en"},
	{"what day is it today", TimeQuestion, "", "en"},
	{"What is today's date?", TimeQuestion, "", "en"},
	{"what's the date today?", TimeQuestion, "", "en"},
	{"hey, do you know what time it is?", TimeQuestion, "", "en"},
	{"tell me the time", TimeQuestion, "", "en"},
	{"current time in UTC", TimeQuestion, "UTC", "en"},
	{"time in São Paulo?", TimeQuestion, "São Paulo", "en"},
	{"what time is it in दिल्ली?", TimeQuestion, "दिल्ली", "en"},
	{"what time is it in Rome? ⌚️", TimeQuestion, "Rome", "en"},
	{"what time is my meeting?", Question, "what time is my meeting", "en"},
	{"what day is Ann's birthday?", Question, "what day is Ann's birthday", "en"},
	{"the time is right", None, "", "en"},

	// English, courtesies.
	{"hi", Greeting, "", "en"},
	{"Hello!", Greeting, "", "en"},
	{"hey there ✌️", Greeting, "", "en"},
	{"Good morning, Nacre!", Greeting, "", "en"},
	{"good morning nacre", Greeting, "", "en"},
	{"how are you?", Greeting, "", "en"},
	{"thanks", Thanks, "", "en"},
	{"Thank you so much!!", Thanks, "", "en"},
	{"ok thanks 🙏", Thanks, "", "en"},
	{"thanks for your help", Thanks, "", "en"},
	{"thanks Ann for the cake", None, "", "en"},
	{"hi Ann is here", None, "", "en"},

	// German.
	{"merk dir, dass mein Hund Rex heißt", Remember, "mein Hund Rex heißt", "de"},
	{"Merke dir bitte: Anna wohnt in Linz.", Remember, "Anna wohnt in Linz", "de"},
	{"Bitte merk dir Anna wohnt in Linz", Remember, "Anna wohnt in Linz", "de"},
	{"vergiss nicht, dass Anna vegan isst", Remember, "Anna vegan isst", "de"},
	{"Vergiss bitte nicht die Milch!", Remember, "die Milch", "de"},
	{"Vergiss meinen Geburtstag nicht!", Remember, "meinen Geburtstag", "de"},
	{"vergiss bitte die Milch nicht, danke", Remember, "die Milch", "de"},
	{"Kannst du bitte meinen Geburtstag nicht vergessen?", Remember, "meinen Geburtstag", "de"},
	{"Nie vergessen: Anna isst vegan", Remember, "Anna isst vegan", "de"},
	{"vergiss, dass ich nicht gern Tee trinke", Forget, "ich nicht gern Tee trinke", "de"},
	{"denk dran, dass ich um 5 gehe", Remember, "ich um 5 gehe", "de"},
	{"Kannst du dir bitte merken, dass ich in Graz wohne?", Remember, "ich in Graz wohne", "de"},
	{"Notiere: Anna schuldet mir 5 Euro", Remember, "Anna schuldet mir 5 Euro", "de"},
	{"vergiss meine Adresse", Forget, "meine Adresse", "de"},
	{"Vergiss bitte alles über meinen Ex", Forget, "meinen Ex", "de"},
	{"Kannst du meine Adresse vergessen?", Forget, "meine Adresse", "de"},
	{"vergiss es", None, "", "de"},
	{"ich vergesse viel", None, "", "de"},
	{"ich erinnere mich an den Tag", None, "", "de"},
	{"Erinnerst du dich an Anna?", Question, "Erinnerst du dich an Anna", "de"},
	{"Ich bevorzuge Tee", Preference, "Ich bevorzuge Tee", "de"},
	{"ich trinke lieber Tee als Kaffee", Preference, "ich trinke lieber Tee als Kaffee", "de"},
	{"immer auf Deutsch antworten, bitte", Preference, "immer auf Deutsch antworten", "de"},
	{"Ruf mich nie vor 9 an", Preference, "Ruf mich nie vor 9 an", "de"},
	{"nie vor 9 anrufen", Preference, "nie vor 9 anrufen", "de"},
	{"immer noch müde", None, "", "de"},
	{"nie wieder", None, "", "de"},
	{"Eigentlich heißt er Max", Correct, "heißt er Max", "de"},
	{"Eigentlich, wie spät ist es?", TimeQuestion, "", "de"},
	{"Wie spät ist es?", TimeQuestion, "", "de"},
	{"wie spät ist es gerade in Tokio", TimeQuestion, "Tokio", "de"},
	{"Wieviel Uhr ist es in New York?", TimeQuestion, "New York", "de"},
	{"Welcher Tag ist heute?", TimeQuestion, "", "de"},
	{"Hallo, welches Datum haben wir heute?", TimeQuestion, "", "de"},
	{"Welcher Tag ist mir lieber?", Question, "Welcher Tag ist mir lieber", "de"},
	{"Wo wohne ich", Question, "Wo wohne ich", "de"},
	{"wie heißt mein Hund?", Question, "wie heißt mein Hund", "de"},
	{"Hallo", Greeting, "", "de"},
	{"Guten Morgen!", Greeting, "", "de"},
	{"Vielen Dank!", Thanks, "", "de"},
	{"danke schön", Thanks, "", "de"},
	{"Wie schön", None, "", "de"},

	{"Merke dir das bitte", None, "", "de"},
	{"merk es dir", None, "", "de"},
	{"Speichere, dass ich in Graz wohne", Remember, "ich in Graz wohne", "de"},
	{"Bitte merken: ich wohne in Graz", Remember, "ich wohne in Graz", "de"},
	{"Merk Dir bitte Folgendes: ich wohne in Graz", Remember, "ich wohne in Graz", "de"},
	{"Du sollst dir merken, dass ich in Graz wohne", Remember, "ich in Graz wohne", "de"},
	{"vergiss was ich über Anna gesagt habe", Forget, "Anna", "de"},
	{"lösche alles über Anna", Forget, "Anna", "de"},
	{"kannst du bitte vergessen, dass ich in Graz wohne?", Forget, "ich in Graz wohne", "de"},
	{"Tee ist mir lieber", Preference, "Tee ist mir lieber", "de"},
	{"ich esse nie Fleisch", Preference, "ich esse nie Fleisch", "de"},
	{"Ich esse kein Fleisch", Preference, "Ich esse kein Fleisch", "de"},
	{"Falsch, ich wohne in Linz", Correct, "ich wohne in Linz", "de"},
	{"Ich habe mich geirrt, er heißt Max", Correct, "er heißt Max", "de"},
	{"Eigentlich egal", None, "", "de"},

	// Spanish.
	{"recuerda que mi perro se llama Rex", Remember, "mi perro se llama Rex", "es"},
	{"Por favor, recuerda: vivo en Graz.", Remember, "vivo en Graz", "es"},
	{"no olvides que Ana es vegana", Remember, "Ana es vegana", "es"},
	{"¡No te olvides de comprar pan!", Remember, "comprar pan", "es"},
	{"Nunca olvides que Ana es vegana", Remember, "Ana es vegana", "es"},
	{"No, recuerda que vivo en Linz", Remember, "vivo en Linz", "es"},
	{"no recuerda nada", None, "", "es"},
	{"no olvida nada", None, "", "es"},
	{"acuérdate de que vivo en Graz, gracias", Remember, "vivo en Graz", "es"},
	{"Ten en cuenta que salgo a las 5", Remember, "salgo a las 5", "es"},
	{"¿Puedes recordar que vivo en Graz?", Remember, "vivo en Graz", "es"},
	{"olvida mi dirección", Forget, "mi dirección", "es"},
	{"Olvídate de Ana", Forget, "Ana", "es"},
	{"olvida todo lo que te dije sobre Ana", Forget, "Ana", "es"},
	{"olvídalo", None, "", "es"},
	{"olvidé mis llaves", None, "", "es"},
	{"¿Te acuerdas de Ana?", Question, "Te acuerdas de Ana", "es"},
	{"recuerdo cuando nos conocimos", None, "", "es"},
	{"¿recuerdas a mi perro?", Question, "recuerdas a mi perro", "es"},
	{"Prefiero el té", Preference, "Prefiero el té", "es"},
	{"siempre responde en español", Preference, "siempre responde en español", "es"},
	{"nunca más", None, "", "es"},
	{"En realidad, se llama Max", Correct, "se llama Max", "es"},
	{"¿Qué hora es?", TimeQuestion, "", "es"},
	{"que hora es en Tokio", TimeQuestion, "Tokio", "es"},
	{"¿Qué día es hoy?", TimeQuestion, "", "es"},
	{"¿Qué día es la boda?", Question, "Qué día es la boda", "es"},
	{"dónde vivo", Question, "dónde vivo", "es"},
	{"¿Cómo se llama mi perro?", Question, "Cómo se llama mi perro", "es"},
	{"Hola, ¿dónde vivo?", Question, "dónde vivo", "es"},
	{"¡Hola!", Greeting, "", "es"},
	{"buenos días", Greeting, "", "es"},
	{"Muchas gracias", Thanks, "", "es"},
	{"cuando era niño tenía un perro", None, "", ""},

	{"Recuerda esto", None, "", "es"},
	{"recuérdalo", None, "", "es"},
	{"recuerda esto: vivo en Graz", Remember, "vivo en Graz", "es"},
	{"Guarda que vivo en Graz", Remember, "vivo en Graz", "es"},
	{"quiero que recuerdes que vivo en Graz", Remember, "vivo en Graz", "es"},
	{"Que no se te olvide que vivo en Graz", Remember, "vivo en Graz", "es"},
	{"olvida lo que te dije de Ana", Forget, "Ana", "es"},
	{"Quiero que olvides mi dirección", Forget, "mi dirección", "es"},
	{"borra lo que sabes de Ana", Forget, "Ana", "es"},
	{"no me llames nunca Bob", Preference, "no me llames nunca Bob", "es"},
	{"Me equivoqué, se llama Max", Correct, "se llama Max", "es"},
	{"eso no es correcto: vivo en Linz", Correct, "vivo en Linz", "es"},
	{"en realidad no", None, "", "es"},

	// French.
	{"retiens que mon chien s'appelle Rex", Remember, "mon chien s'appelle Rex", "fr"},
	{"Rappelle-toi qu’il aime le thé.", Remember, "il aime le thé", "fr"},
	{"souviens-toi que j'habite à Graz, merci", Remember, "j'habite à Graz", "fr"},
	{"n'oublie pas d'acheter du lait", Remember, "acheter du lait", "fr"},
	{"N’oublie pas que Anne est végane !", Remember, "Anne est végane", "fr"},
	{"oublie pas le lait", Remember, "le lait", "fr"},
	{"oublie surtout pas d'appeler Anne", Remember, "appeler Anne", "fr"},
	{"ne pas oublier le lait", Remember, "le lait", "fr"},
	{"retiens pas ça", None, "", "fr"},
	{"Note que le code est sur la carte", Remember, "le code est sur la carte", "fr"},
	{"Peux-tu retenir que j'habite à Graz ?", Remember, "j'habite à Graz", "fr"},
	{"oublie mon adresse", Forget, "mon adresse", "fr"},
	{"Oublie tout sur Anne", Forget, "Anne", "fr"},
	{"oublie ça", None, "", "fr"},
	{"j'ai oublié mes clés", None, "", "fr"},
	{"note de frais", None, "", ""},
	{"je me souviens de ce jour", None, "", "fr"},
	{"Tu te souviens de mon chien ?", Question, "Tu te souviens de mon chien", "fr"},
	{"Je préfère le thé", Preference, "Je préfère le thé", "fr"},
	{"toujours répondre en français", Preference, "toujours répondre en français", "fr"},
	{"ne m'appelle jamais avant 9 h", Preference, "ne m'appelle jamais avant 9 h", "fr"},
	{"toujours pas", None, "", "fr"},
	{"En fait, il s'appelle Max", Correct, "il s'appelle Max", "fr"},
	{"Quelle heure est-il ?", TimeQuestion, "", "fr"},
	{"il est quelle heure à Tokyo", TimeQuestion, "Tokyo", "fr"},
	{"Quel jour sommes-nous ?", TimeQuestion, "", "fr"},
	{"Quelle est la date d'aujourd'hui ?", TimeQuestion, "", "fr"},
	{"Quelle est la date du mariage ?", Question, "Quelle est la date du mariage", "fr"},
	{"où est mon vélo", Question, "où est mon vélo", "fr"},
	{"Bonjour !", Greeting, "", "fr"},
	{"ça va ?", Greeting, "", "fr"},
	{"Merci beaucoup", Thanks, "", "fr"},

	{"retiens ça", None, "", "fr"},
	{"Retiens bien ceci : j'habite à Graz", Remember, "j'habite à Graz", "fr"},
	{"garde en mémoire que j'habite à Graz", Remember, "j'habite à Graz", "fr"},
	{"Note : j'habite à Graz", Remember, "j'habite à Graz", "fr"},
	{"je veux que tu retiennes que j'habite à Graz", Remember, "j'habite à Graz", "fr"},
	{"oublie ce que je t'ai dit sur Anne", Forget, "Anne", "fr"},
	{"supprime tout ce que tu sais sur Anne", Forget, "Anne", "fr"},
	{"Je veux que tu oublies mon adresse", Forget, "mon adresse", "fr"},
	{"je ne mange jamais de viande", Preference, "je ne mange jamais de viande", "fr"},
	{"je me suis trompé, il s'appelle Max", Correct, "il s'appelle Max", "fr"},
	{"C'est faux, j'habite à Linz", Correct, "j'habite à Linz", "fr"},
	{"En fait non", None, "", "fr"},

	// Chinese.
	{"记住我的狗叫旺财", Remember, "我的狗叫旺财", "zh"},
	{"請記住我的狗叫旺財。", Remember, "我的狗叫旺財", "zh"},
	{"请记住：我住在上海", Remember, "我住在上海", "zh"},
	{"请帮我记住我住在上海，谢谢", Remember, "我住在上海", "zh"},
	{"记得买牛奶", Remember, "买牛奶", "zh"},
	{"别忘了买牛奶！", Remember, "买牛奶", "zh"},
	{"永远不要忘记我的生日", Remember, "我的生日", "zh"},
	{"别把牛奶忘了！", Remember, "牛奶", "zh"},
	{"一定要记住我住在上海", Remember, "我住在上海", "zh"},
	{"忘记密码了怎么办", None, "", "zh"},
	{"把钥匙忘了", None, "", "zh"},
	{"不要忘記買牛奶", Remember, "買牛奶", "zh"},
	{"你能记住我住在上海吗？", Remember, "我住在上海", "zh"},
	{"请记住我住在上海，好吗？", Remember, "我住在上海", "zh"},
	{"我记得那天", None, "", "zh"},
	{"你记得我的狗吗？", Question, "你记得我的狗吗", "zh"},
	{"你还记得我的狗吗", Question, "你还记得我的狗吗", "zh"},
	{"忘记我的地址", Forget, "我的地址", "zh"},
	{"請忘記我的地址", Forget, "我的地址", "zh"},
	{"把我的地址忘掉吧", Forget, "我的地址", "zh"},
	{"忘了带钥匙", None, "", "zh"},
	{"忘记带钥匙了", None, "", "zh"},
	{"算了", None, "", "zh"},
	{"我更喜欢喝茶", Preference, "我更喜欢喝茶", "zh"},
	{"总是用中文回答", Preference, "总是用中文回答", "zh"},
	{"永远不要在九点前打电话。", Preference, "永远不要在九点前打电话", "zh"},
	{"其实，他叫来福", Correct, "他叫来福", "zh"},
	{"现在几点了？", TimeQuestion, "", "zh"},
	{"現在幾點", TimeQuestion, "", "zh"},
	{"东京现在几点？", TimeQuestion, "东京", "zh"},
	{"现在纽约几点了？", TimeQuestion, "纽约", "zh"},
	{"今天星期几？", TimeQuestion, "", "zh"},
	{"会议几点？", Question, "会议几点", "zh"},
	{"我的狗叫什么", Question, "我的狗叫什么", "zh"},
	{"你好", Greeting, "", "zh"},
	{"您好！", Greeting, "", "zh"},
	{"谢谢你", Thanks, "", "zh"},
	{"我今天很累", None, "", "zh"},

	{"请记住这件事", None, "", "zh"},
	{"请保存：我住在上海", Remember, "我住在上海", "zh"},
	{"我要你记住我住在上海", Remember, "我住在上海", "zh"},
	{"请忘掉关于安娜的一切", Forget, "安娜", "zh"},
	{"从你的记忆里删除我的地址", Forget, "我的地址", "zh"},
	{"我从不吃肉", Preference, "我从不吃肉", "zh"},
	{"我说错了，我住在北京", Correct, "我住在北京", "zh"},
	{"其实没事", None, "", "zh"},
	{"我总是忘记带钥匙", None, "", "zh"},

	// Nothing that we know.
	{"", None, "", ""},
	{"   ", None, "", ""},
	{"👍", None, "", ""},
	{"?", None, "", ""},
	{"12345", None, "", ""},
	{"my dog is called Rex", None, "", "en"},
	{"mein Hund heißt Rex", None, "", "de"},
	{"mon chien est petit", None, "", "fr"},
	{"Hallo, Nacre!", Greeting, "", "de"},
	{"mi perro es pequeño", None, "", "es"},
	{"犬の名前は何ですか？", Question, "犬の名前は何ですか", ""},
	{"remember \xff\xfe", Remember, "\xff\xfe", "en"},
}

func TestParse(t *testing.T) {
	for _, r := range rows {
		t.Run(r.text, func(t *testing.T) {
			got := Parse(r.text)
			if got.Kind != r.kind || got.Payload != r.payload || got.Lang != r.lang {
				t.Errorf("got %s %q in %q; want %s %q in %q", got.Kind, got.Payload, got.Lang, r.kind, r.payload, r.lang)
			}
			if got.Payload != r.text[got.Start:got.End] {
				t.Errorf("the payload %q is not at %d:%d", got.Payload, got.Start, got.End)
			}
		})
	}
}

// A phrase in the middle of other words is no command.
func TestParseIsAnchored(t *testing.T) {
	for _, r := range rows {
		if r.kind != Remember && r.kind != Forget || r.lang == "zh" {
			continue
		}
		if got := Parse("yesterday somebody wrote " + r.text); got.Kind == Remember || got.Kind == Forget {
			t.Errorf("%q after other words is %s", r.text, got.Kind)
		}
	}
}

// Whatever is typed, the payload is a piece of it, without blanks around, that
// cuts no character; and the answer is always the same.
func FuzzParse(f *testing.F) {
	for _, r := range rows {
		f.Add(r.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := Parse(text)
		if got.Start < 0 || got.End < got.Start || got.End > len(text) || text[got.Start:got.End] != got.Payload {
			t.Fatalf("%+v is no part of %q", got, text)
		}
		if strings.TrimSpace(got.Payload) != got.Payload {
			t.Errorf("the payload %q has blanks around", got.Payload)
		}
		if utf8.ValidString(text) && !utf8.ValidString(got.Payload) {
			t.Errorf("the payload %q cuts a character", got.Payload)
		}
		switch got.Kind {
		case Remember, Forget, Correct, Preference, Question:
			if got.Payload == "" {
				t.Errorf("%s without a payload", got.Kind)
			}
		case None, Greeting, Thanks:
			if got.Payload != "" {
				t.Errorf("%s with the payload %q", got.Kind, got.Payload)
			}
		}
		if again := Parse(text); again != got {
			t.Errorf("first %+v, then %+v", got, again)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	long := strings.Repeat("my dog is called Rex and my cat is called Tom. ", 400)
	for _, bb := range []struct{ name, text string }{
		{"remember", "please remember that my dog is called Rex"},
		{"chinese", "请记住我的狗叫旺财"},
		{"none", "my dog is called Rex"},
		{"long", long},
	} {
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Parse(bb.text)
			}
		})
	}
}
