package terms

import (
	"sync"

	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/spanish"
)

var spanishLexicon = sync.OnceValue(func() *lexicon {
	return newLexicon(func(w string) string { return snowball(spanish.Stem, w) }, spanishForms, spanishAsTheyStand)
})

const spanishForms = `tener tengo tienes tenemos tuve tuvo tuvieron tendré tendría, ir fui fuimos fueron voy vamos iré iría iremos, hacer hago hice hizo hicieron hecho haré haría haciendo,
decir digo dices dije dijo dijeron dicho diré diría diciendo, poder puedo puedes puede pueden pude pudo pudieron podré podría, querer quiero quieres quiere quieren quise quiso quisieron querré quisiera,
saber sé sabes supe supo supieron sabré, venir vengo vienes viene vienen vendré, poner pongo puse puso pusieron puesto pondré, salir salgo saldré,
dar doy di dio dieron dado, ver veo vi vio vieron visto, oír oigo oyes oye oyó, traer traigo trajeron traído, dormir duermo duermes duerme duermen durmió durmieron durmiendo,
pedir pido pides pide piden pidió pidieron pidiendo, sentir siente sienten sintió sintieron sintiendo, jugar juegas juega juegan juego, pensar pienso piensas piensa piensan,
volver vuelvo vuelves vuelve vuelven vuelto, encontrar encuentro encuentras encuentra encuentran, contar cuentas cuenta cuentan cuento, morir muere mueren murió murieron muerto,
romper roto, escribir escrito, abrir abierto, leer leyó leyeron leyendo, conocer conozco, creer creyó creyeron, caer caigo cayó cayeron, conducir conduzco condujo condujeron,
empezar empiezo empieza empiezan, comenzar comienzo comienza, cerrar cierro cierra cierran, perder pierdo pierde pierden, entender entiendo entiende entienden, recordar recuerdo recuerda recuerdan,
seguir sigo sigue siguen siguió siguieron siguiendo, servir sirve sirven sirvió, preferir prefiero prefiere prefirió, mostrar muestro muestra muestran, costar cuesta cuestan, andar anduve anduvo,
despertar despierto despierta, acostar acuesto acuesta, almorzar almuerzo almuerza, probar pruebo prueba, soñar sueño sueña, volar vuelo vuela vuelan, bueno mejor, malo peor`

const spanishAsTheyStand = `ir va van iba iban ido, tener tiene tienen, venir vine vinieron`

var frenchLexicon = sync.OnceValue(func() *lexicon {
	return newLexicon(func(w string) string { return snowball(french.Stem, w) }, frenchForms, frenchAsTheyStand)
})

const frenchForms = `aller vais allons allez allé allée iras irai ira irez, prendre prends prend prenons prenez prennent prise prises, apprendre apprends apprend apprenons appris, comprendre comprends comprend compris,
mettre mets met mettons mettez mettent mis mise, promettre promets promis, voir vois voit voyons voyez vu vue verrai verra, dire dis dit dites disons disent, pouvoir peux peut pouvons pouvez peuvent pu pourrai pourrait,
vouloir veux veut voulons voulez veulent voulu voudrais voudrait, devoir dois doit devons devez doivent dû devrais devrait, savoir sais sait savons savez savent su saurai,
venir viens vient venons venez viennent venu venue viendrai viendra, revenir reviens revient revenu, devenir deviens devient devenu, tenir tiens tient tenu, recevoir reçois reçoit reçu,
lire lis lisons lisez lisent lu lue, écrire écris écrit écrivons écrivez écrivent, boire boit buvons buvez boivent bu, croire crois croit croyons cru, connaître connais connaît, conduire conduis conduit,
ouvrir ouvre ouvert ouverte, offrir offre offert, découvrir découvert, souffrir souffert, vivre vit vivons vivent vécu, mourir meurt mort morte mourut, naître né née naît, courir couru, dormir dort,
partir, sortir, sentir sent, servir sert, finir finis finit, choisir choisis choisit choisissons, plaire plaît plu, rire ris rit, perdre perd perds perdu, vendre vend vends vendu, attendre attend attends attendu,
rendre rend rends rendu, répondre répond réponds répondu, entendre entend entends entendu, descendre descend descendu, acheter achète achètes achètent, appeler appelles appellent, jeter jette jettent, œil yeux, bon meilleur meilleure, mauvais pire`

const frenchAsTheyStand = `aller va vont vas, prendre pris, faire faisons faites font ferai fera ferait faisait, connaître connu, dormir dors, partir pars, sortir sors, servir sers, voir voient, aller irons`

var italianLexicon = sync.OnceValue(func() *lexicon {
	return newLexicon(func(w string) string { return snowball(italian.Stem, w) }, italianForms, "andare va vai, fare fa fai")
})

const italianForms = `andare vado vanno, dire dico dice dicono detto disse, fare faccio fanno fatto fece, venire vengo viene vengono venuto venne, vedere visto vide, prendere preso prese, mettere messo mise, scrivere scritto scrisse,
leggere lesse, perdere perso, aprire aperto, chiudere chiuso, rompere rotto, vivere vissuto visse, nascere nato nacque, morire muore morto, bere bevo beve bevuto, uscire esco esce escono, rimanere rimasto rimango, scegliere scelto scelgo, rispondere risposto,
sapere so sanno seppe, potere posso può possono, volere voglio vuole vogliono, dovere devo deve devono, dare diede, stare stavo, tenere tengo tiene, uomo uomini, buono migliore, cattivo peggiore`

var portugueseLexicon = sync.OnceValue(func() *lexicon {
	return newLexicon(func(w string) string { return snowball(portuguese.Stem, w) }, portugueseForms, "ir vai vão ia")
})

const portugueseForms = `ir vou vamos, fazer faço faz fiz fez fizeram feito, dizer digo diz disse disseram dito, poder posso pode podem pude pôde, querer quero quer querem quis quiseram, saber sei sabe soube, vir venho vem vêm veio vieram,
pôr ponho põe pus pôs, ver vejo vê viu visto, dar dou dá deu deram, trazer trago trouxe, escrever escrito, abrir aberto, perder perco, dormir durmo, ouvir ouço, ler leu, sair saio saiu, cair caio caiu, bom melhor, mau pior`
