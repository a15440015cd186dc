package canon

// topicLists are the words and phrases of each topic, separated by commas; a
// word that ends in * stands for all that begin so. The first list are phrases
// that mean something else. One word of a list is enough for its topic.
var topicLists = [...]struct {
	topic   Topic
	entries string
}{
	{"", harmlessPhrases},
	{Health, healthWords},
	{Religion, religionWords},
	{Politics, politicsWords},
	{Sexuality, sexualityWords},
	{Gender, genderWords},
	{Ethnicity, ethnicityWords},
	{Immigration, immigrationWords},
	{Criminal, criminalWords},
}

const harmlessPhrases = `republican calendar,republican era,calendrier républicain,calendario republicano,
turkish coffee,turkish bath,turkish delight,sick of,sick and tired,lovesick,seasick,homesick,heimweh,
birthday party,dinner party,party game*,pool party,third party,tea party,labour day,labor day,labor cost*,green party dress,
race car,race track,race bike,
mass production,mass storage,mass market,holy moly,bishop's move,cardinal direction*,cardinal number*,sunday mass market,
depression era,the great depression,depressed price*,tropical depression,economic depression,
cancer zodiac,zodiac sign,tropic of cancer,wendekreis des krebses,sternzeichen krebs,
convicted of the value,cell phone,prison break,prison architect,arrested development,doctor who,doctor strange,
trans fat*,transfer*,transport*,translat*,transparen*,transition animation,transit*,transact*,transform*,transistor*,trans siberian,transsib,
straight line,straight ahead,straight away,
therapy dog training,retail therapy,bug report,virus scanner,computer virus,antivirus,virenscanner,
conservative estimate*,conservative guess,liberal arts,liberal use,democratic vote in the team,
black coffee,black tea,black forest,black friday,black box,white paper,white wine,native app*,native speaker,native language,native code,native plant*,
roma termini,forza roma,as roma,visa card,visa debit,my visa card,my visa debit,crime novel*,crime fiction,true crime,krimi,asylum seekers album,
mental note,mental arithmetic,mental model*,operating system*,operation manual,
blood orange*,blutorange*,allergy free bedding,healthy recipe*,health check endpoint,
宗教音乐,政治学课本,病毒软件,杀毒软件,手机病毒,operační systém*,
gott sei dank,grüß gott,um gottes willen,oh my god,thank god,mon dieu,gracias a dios,dios mío,
brush stroke*,key stroke*,visual aids,aids for,hospitality,medicine ball,star sign is cancer,
linke hand,die linke seite,la derecha de*,la gauche de,la droite de,
book came out,film came out,movie came out,album came out,song came out,game came out,version came out,it came out,coming out soon,is coming out,
homo sapiens,stole my heart,stole the show,murder myster*,probation period,jailbreak*`

const healthWords = `health,healthcare,sick,sickness,ill,illness*,disease*,diagnos*,symptom*,syndrome*,disorder*,allerg*,intoleran*,coeliac,celiac,
asthma*,diabet*,insulin*,cancer,cancers,tumor*,tumour*,leukaemi*,leukemi*,leukämi*,chemo*,radiotherap*,hiv,aids,an std,an sti,herpes,hepatit*,tubercul*,covid*,
epilep*,seizure*,migraine*,arthrit*,sclerosis,parkinson*,alzheimer*,dementia,stroke,heart attack,heart disease,heart condition,blood pressure,blood sugar,cholesterol,
depress*,anxiety,panic attack*,bipolar,schizo*,psychos*,psychot*,psychiatr*,psychotherap*,a shrink,my shrink,therapist*,therapy,counselling,suicid*,self harm*,eating disorder*,anorexi*,bulimi*,ptsd,adhd,add medication,autis*,asperger*,on the spectrum,ocd,burnout,
addict*,alcoholi*,sober,sobriety,in recovery,rehab,rehabilitation,relapse*,overdos*,
pregnan*,miscarr*,abortion*,ivf,infertil*,menopaus*,endometrios*,time of the month,contracepti*,on the pill,
medication*,medicine,prescri*,antidepress*,antibiotic*,pills,inhaler,dose of,vaccin*,surger*,operated on,biops*,dialys*,transplant*,hospital*,clinic,emergency room,doctor s appointment,see a doctor,my doctor,my gp,
disab*,wheelchair*,deaf,blindness,legally blind,hearing aid*,amput*,prosthe*,insomnia,obes*,overweight,chronic pain,chronically,terminally,the big c,mental health,mental illness,blood type,blood test*,
gesundheit*,krank*,erkrank*,unwohl,allergi*,unverträglich*,zöliakie,krebs,krebsdiagnose,tumor,zucker krank*,zuckerkrank*,bluthochdruck,blutdruck*,herzinfarkt*,schlaganfall*,rheuma*,demenz*,depressiv*,angststörung*,panikattack*,magersucht,essstörung*,süchtig*,alkoholik*,trockener alkoholiker,entzug,entzugsklinik,
schwanger*,fehlgeburt*,abtreib*,wechseljahr*,medikament*,tabletten,rezeptpflicht*,impf*,geimpft*,operiert*,an operation,eine operation,meine operation,op termin,chirurg*,arzttermin*,zum arzt,meine ärztin,mein arzt,therapie*,therapeut*,psycholog*,behindert*,behinderung*,schwerbehindert*,rollstuhl*,gehörlos*,schwerhörig*,blutgruppe,migräne*,epilepsie*,schlafstörung*,übergewicht*,
salud,enferm*,diagnóstic*,síntoma*,alérg*,alergi*,asma,cáncer,diabétic*,tumores,infarto*,derrame cerebral,hipertens*,depresión,deprimid*,ansiedad,ataque de pánico,bipolaridad,esquizofren*,terapia*,psicólog*,psiquiatr*,embaraz*,aborto*,menopausia,medicament*,medicina,pastillas,vacun*,cirugía*,operaron,discapac*,silla de ruedas,sordo,sorda,adicc*,adicto*,alcohólic*,en rehabilitación,mi médico,mi doctora,tensión arterial,migraña*,vih,sida,celíac*,sobrepeso,
santé,malad*,souffrant*,symptôme*,asthm*,diabèt*,tumeur*,infarctus,avc,tension artérielle,dépress*,déprim*,anxiété,anxieu*,crise de panique,schizophrèn*,thérap*,psychologue*,psy,enceinte,grossesse,fausse couche,avort*,ivg,ménopause,médicament*,ordonnance,vaccin*,chirurgi*,opéré*,handicap*,fauteuil roulant,sourd*,addiction*,toxicoman*,alcooli*,mon médecin,séropositi*,coeliaque,cœliaque,obèse*,surpoids,
malatt*,malat*,allergic*,incinta,gravidanz*,depression*,doença*,doente*,alergia*,grávid*,depressão,gravidez,ziek*,zwanger*,depressie*,allergie*,болен,больна,болезн*,болею,аллерги*,диабет*,беременн*,депресси*,рак груди,инвалид*,ВИЧ,
生病,有病,患病,疾病,病人,病史,病情,症状,过敏,過敏,哮喘,糖尿病,癌,肿瘤,腫瘤,高血压,高血壓,心脏病,心臟病,中风,抑郁,抑鬱,焦虑症,躁郁,精神病,精神科,心理医生,心理咨询,自杀,怀孕,懷孕,流产,堕胎,月经,艾滋,肝炎,吃药,服药,药物,胰岛素,手术,住院,看医生,看病,残疾,轮椅,聋,失眠,酗酒,戒毒,戒酒,上瘾,疫苗,体检报告,自闭症,肥胖,乳糖不耐,
nemoc*,onemocněn*,alergick*,cukrovk*,rakovin*,astma,těhotn*,depres*,léky,operac*,diagnóz*,invalid*,úzkost*,病気,アレルギー,喘息,妊娠,うつ病,鬱病,薬を飲,服薬,手術を,入院,障害者,がん患者,がんに,通院,持病,高血圧,てんかん,مريض*,مرض*,السكري,سكري,سرطان*,حساسية,حامل,اكتئاب,الربو`

const religionWords = `religio*,faith community,my faith,of faith,believe in god,god,allah,jesus,christ,a christian,am christian,is christian,are christian,christian faith,christian church,christian family,raised christian,devout christian,practising christian,practicing christian,christians,christianity,catholic*,protestant*,evangelical*,orthodox church,orthodox jew*,lutheran*,baptist*,methodist*,mormon*,jehovah*,quaker*,muslim*,moslem*,islam*,sunni*,shia,shiite*,sufi*,mosque*,quran*,koran*,ramadan*,hajj,hijab*,halal,jew,jews,jewish*,judaism,synagog*,kosher,shabbat,sabbath,torah,rabbi*,bar mitzvah,bat mitzvah,hindu*,buddhis*,sikh*,jain,taois*,atheis*,agnosti*,pagan*,wicca*,scientolog*,bahai*,church*,chapel,go to temple,go to mass,sunday mass,pray,prays,prayed,prayer*,praying,baptis*,baptiz*,confirmation class,communion,bible*,gospel,priest*,pastor,imam*,a nun,a monk,
religiös*,glaube an gott,gläubig*,gott,christlich*,bin christ,bin christin,überzeugter christ,katholi*,evangelisch*,protestantisch*,konfession*,konfessionslos*,muslimisch*,moschee*,bin jude,ist jude,ein jude,juden,jüdin*,jüdisch*,judentum,synagoge*,koscher*,hinduis*,buddhist*,atheist*,ungläubig*,kirche*,kirchlich*,gottesdienst*,beten,betet,bete,gebet*,getauft*,taufe,konfirmation,kommunion,bibel*,pfarrer*,priester*,fasten im ramadan,
religión*,dios,soy cristian*,es cristian*,cristianismo,católic*,evangélic*,testigo de jehová,musulm*,islámic*,mezquita*,judí*,sinagoga*,hinduist*,budist*,ateo,atea,agnóstic*,iglesia*,misa,rezar,rezo,reza,oración*,bautiz*,biblia*,cura párroco,sacerdote*,monja*,
religieu*,dieu,chrétien*,catholiqu*,témoin de jéhovah,musulman*,islamiqu*,mosquée*,juif,juive*,juifs,judaïsme,synagogue*,casher,bouddhist*,athée*,agnostiqu*,église*,la messe,prier,je prie,prière*,baptisé*,baptême*,prêtre*,laïque,
religios*,sono cristian*,cattolic*,musulman*,ebre*,chiesa,igreja*,católico*,gelovig*,kerk*,moslim*,joods*,верующ*,православн*,мусульман*,еврей*,церков*,молюсь,атеист*,
宗教,信教,信仰,基督,天主教,新教,教会,教會,教堂,祷告,禱告,祈祷,上帝,耶稣,圣经,伊斯兰,穆斯林,清真,斋月,古兰经,犹太教,佛教,信佛,念佛,拜佛,寺庙,道教,印度教,无神论,法轮功,受洗,牧师,
nábožen*,mešit*,katolík*,katolič*,evangelík*,muslim*,židov*,žid,kostel*,mše,modlí*,ateist*,křesťan*,仏教,キリスト教,カトリック,プロテスタント,モスク,イスラム教,ユダヤ,神道,礼拝,お祈り,مسلم*,مسيحي*,يهودي*,ملحد*,كنيسة,مسجد,صلاة`

const politicsWords = `politic*,vote for,voted for,voting for,vote left,vote right,how i vote,votes for,republican*,democrat,democrats,democratic party,conservative*,liberal,liberals,libertarian*,socialist*,socialism,communis*,marxis*,anarchis*,fascis*,left wing*,right wing*,far right,far left,centrist*,labour party,tory,tories,lib dem*,green party,the greens,reform uk,trump,maga,biden,brexit*,party member*,member of the party,political party,trade union*,union member*,activis*,protest*,a demonstration,demonstrated against,feminis*,pro life,pro choice,gun rights,immigration policy,
politisch*,politik*,wähle die,wähle ich,wählt die,gewählt habe,habe die grünen,bei den grünen,für die grünen,bündnis 90,bei der linken,partei die linke,cdu,csu,spd,fdp,afd,bsw,npd,konservativ*,sozialist*,kommunist*,sozialdemokrat*,linksradikal*,rechtsradikal*,rechtsextrem*,parteimitglied*,mitglied der partei,parteibuch,gewerkschaft*,aktivist*,demonstration*,auf der demo,auf die demo,impfgegner*,reichsbürger*,
polític*,voto a,voté,voté por,votar a,votaré,votamos,republicano*,conservador*,socialist*,comunist*,anarquist*,izquierd*,de derechas,la derecha,extrema derecha,partido popular,psoe,vox,sindicato*,sindicalist*,independentist*,militante*,manifestación,peronist*,
politique*,je vote,vote pour,voté pour,voter pour,républicains,socialiste*,communiste*,de gauche,de droite,extrême droite,extrême gauche,la gauche,la droite,macron*,mélenchon*,le pen,rassemblement national,la france insoumise,syndicat*,syndiqué*,syndicalist*,militant*,manif,manifestation,gilet* jaune*,écologistes,
politic*,sinistra,di destra,esquerda,direita,votei,bolsonar*,lulista*,pvv,vvd,stem op,политик*,голосовал*,коммунист*,оппозици*,
政治,政党,投票给,投给,选民,共产党,国民党,民进党,民主党,共和党,左派,右派,左翼,右翼,党员,入党,工会,游行,抗议,异见,政见,独立运动,反政府,
politick*,volil*,volím,volič*,komunist*,člen strany,自民党,共産党,立憲民主党,投票した,支持政党,社会主義,共産主義,سياسي*,انتخبت,حزب`

const sexualityWords = `sexual*,sex life,sexuality,gay,gays,lesbian*,bisexual*,bi curious,homosexual*,heterosexual,asexual*,pansexual*,queer*,lgbt*,same sex,came out,coming out,come out to,out of the closet,closeted,swing both ways,bats for,polyamor*,open marriage,swinger*,kink*,bdsm,fetish*,porn*,libido,erectile,erection*,orgasm*,one night stand*,affair with,virginity,sleeping with,slept with,grindr,my boyfriend and i are both men,
sexuell*,sexleben,schwul*,lesbisch*,lesbe*,homosexuell*,hetero,bisexuell*,asexuell*,geoutet,mein outing,outing als,vom anderen ufer,gleichgeschlechtlich*,polyamorie,offene beziehung,
sexualidad,vida sexual,gai,gais,lesbiana*,homosexual*,bisexualidad,asexualidad,salí del armario,salir del armario,salió del armario,del mismo sexo,poliamor*,relación abierta,
sexuel*,vie sexuelle,homo,homos,homosexuel*,bisexuel*,asexuel*,lesbienne*,coming out,sorti du placard,du même sexe,polyamour*,couple libre,
omosessual*,lesbica,gay pride,lésbica*,homoseksueel,lesbisch,гей,геи,лесбиянк*,гомосексуал*,бисексуал*,
同性恋,同性戀,同志酒吧,男同,女同,双性恋,雙性戀,异性恋,性取向,性生活,性向,出柜,出櫃,拉拉,无性恋,一夜情,开放式关系,
homosexuál*,bisexuál*,sexuál*,lesb*,同性愛,ゲイです,ゲイの,ゲイだ,レズビアン,バイセクシュアル,カミングアウト,مثلي*`

const genderWords = `transgender*,transsex*,trans woman,trans man,trans women,trans men,trans person,trans people,i am trans,i m trans,is trans,as trans,nonbinary,non binary,genderqueer,genderfluid*,gender fluid*,agender,gender identity,gender dysphori*,gender transition,transitioned,my transition,cisgender*,cis woman,cis man,deadname*,assigned male,assigned female,intersex*,top surgery,bottom surgery,hormone therapy,my pronouns,pronouns are,drag queen,crossdress*,
transfrau*,transmann*,transgeschlecht*,trans frau,trans mann,bin trans,ist trans,nichtbinär*,nicht binär*,geschlechtsidentität,geschlechtsangleich*,geschlechtsumwandlung,divers eingetragen,intergeschlecht*,hormontherapie,meine pronomen,
transgénero*,transexual*,mujer trans,hombre trans,soy trans,es trans,no binari*,identidad de género,disforia de género,intersexual*,mis pronombres,terapia hormonal,
transgenre*,transsexuel*,femme trans,homme trans,suis trans,est trans,non binaire*,identité de genre,dysphorie de genre,transidentité,intersexe*,mes pronoms,
persona trans,transgender persoon,трансгендер*,
跨性别,跨性別,变性,變性,性别认同,性別認同,性别焦虑,非二元,双性人,激素治疗,
nebinární*,trans žena,trans muž,jsem trans,トランスジェンダー,ノンバイナリー,性同一性,متحول جنسيا,متحولة جنسيا`

const ethnicityWords = `ethnic*,ethnicity,my race,racial*,mixed race,biracial,multiracial,person of color,person of colour,people of color,people of colour,i am black,i m black,is black and,black woman,black man,black family,black american*,african american*,afro*,of african,i am white,i m white,white woman,white man,caucasian*,asian american*,i am asian,i m asian,latino*,latina*,latinx,hispanic*,chicano*,native american*,indigenous,first nations,aboriginal*,maori,inuit*,romani,i am roma,i m roma,is roma,are roma,gypsy,gypsies,sinti,kurdish,kurd,kurds,uyghur*,uighur*,han chinese,tamil heritage,pashtun*,tutsi*,hutu*,rohingya*,armenian origin,ashkenazi*,sephardi*,arab,arabs,descent,ancestry,ancestors came,heritage is,origins are,my roots,ethnic minority,skin color,skin colour,
ethnisch*,ethnie,herkunft,abstammung,abstamm*,wurzeln in,migrationshintergrund,schwarze frau,schwarzer mann,bin schwarz,hautfarbe,afrodeutsch*,sinti und roma,romni,kurdisch*,kurde,kurden,kurdin,araber*,arabischer herkunft,türkischer herkunft,mischling,
étnic*,etnia,raza,mestiz*,mulat*,afrodescend*,soy negro,soy negra,indígena*,gitano*,gitana*,ascendencia,de origen,descendiente de,mis raíces,color de piel,
ethniqu*,ethnie*,métis*,origines,d'origine,d origine,racisé*,je suis noir*,je suis blanc*,couleur de peau,maghrébin*,arabe,arabes,kabyle*,berbère*,roms,gens du voyage,descendant de,ascendance,
etnic*,afkomst,этническ*,национальност*,по происхождению,цыган*,
种族,種族,民族,少数民族,汉族,漢族,藏族,维吾尔,維吾爾,回族,蒙古族,满族,壮族,苗族,血统,血統,族裔,黑人,白人,混血,华裔,祖籍,肤色,
etnick*,romsk*,jsem rom,jsem romka,je rom,je romka,národnost*,původem z,在日韓国人,在日朝鮮人,アイヌ,先祖は,كردي*,عرقي*,امازيغي*`

const immigrationWords = `immigra*,undocumented,illegal alien*,asylum,refugee*,deport*,green card*,greencard*,work permit*,residence permit*,residency permit*,visa status,my visa,visa expired,visa expire*,visa runs out,visa overstay*,student visa*,work visa*,overstay*,overstayed,h1b,h 1b,daca,dreamer status,naturaliz*,naturalis*,citizenship*,stateless,leave to remain,settled status,papers expired,without papers,no papers,migrant*,
einwander*,eingewandert*,aufenthaltstitel*,aufenthaltserlaubnis*,aufenthaltsgenehmigung*,aufenthaltsstatus,niederlassungserlaubnis,asyl*,flüchtling*,geflüchtet*,abschieb*,abgeschoben*,geduldet*,duldung,ohne papiere,staatenlos*,einbürger*,eingebürgert*,staatsangehörigkeit*,staatsbürgerschaft*,arbeitserlaubnis,mein visum,visum*,
inmigra*,indocumentad*,sin papeles,asilo,refugiad*,deporta*,permiso de residencia,permiso de trabajo,tarjeta verde,mi visa,mi visado,visado*,ciudadanía,nacionaliza*,nacionalidad,apátrida*,arraigo,
immigré*,immigration,sans papiers,sans papier,asile,réfugié*,expuls*,titre de séjour,carte de séjour,permis de séjour,permis de travail,mon visa,naturalisation,naturalisé*,nationalité,apatride*,oqtf,
permesso di soggiorno,imigra*,verblijfsvergunning*,asielzoeker*,беженец*,вид на жительство,гражданств*,эмигр*,иммигр*,
移民,签证,簽證,绿卡,綠卡,难民,難民,庇护,偷渡,黑户,非法居留,居留证,居留,遣返,入籍,国籍,國籍,无证,
imigra*,azyl*,povolení k pobytu,občanství,uprchlík*,vízum,víza,在留資格,在留カード,ビザ,不法滞在,難民,永住権,国籍,لاجئ*,اقامة,جنسية,لجوء`

const criminalWords = `criminal*,crime,crimes,convict*,felon*,misdemean*,arrest*,jail*,prison*,incarcerat*,inmate*,behind bars,did time,doing time,served time,served two years,on parole,parole,probation*,on bail,out on bail,sentenced*,pleaded guilty,plead guilty,pled guilty,found guilty,dui,dwi,drunk driving,shoplift*,burglar*,theft,stole,robbery,assault*,manslaughter,murder*,fraud,drug dealing,dealing drugs,restraining order*,sex offender*,police record,rap sheet,charged with,ankle monitor,juvenile detention,
vorbestraft*,vorstrafe*,vorstrafen*,straftat*,straffällig*,strafregister*,führungszeugnis,gefängnis*,knast*,haft,haftstrafe*,inhaftiert*,untersuchungshaft,verhaftet*,festgenommen*,verurteilt*,bewährung,bewährungsstrafe*,diebstahl*,geklaut,gestohlen habe,körperverletzung*,betrug,betrugs*,totschlag,trunkenheit am steuer,saß im,hinter gittern,
antecedentes,delito*,delincuen*,cárcel,prisión,preso,encarcel*,detenid*,arrestad*,condenad*,condena,libertad condicional,robo,robé,hurto,estafa*,asesin*,homicidio,conducir borracho,tras las rejas,
casier judiciaire,délit*,crime*,criminel*,prison,emprisonn*,incarcér*,détenu*,arrêté par,garde à vue,condamn*,sursis,liberté conditionnelle,mise en examen,vol à l étalage,cambriol*,escroquer*,agression*,meurtre*,conduite en état d ivresse,derrière les barreaux,en taule,
precedenti penali,carcere,arrestato,cadeia,preso por,condenado,strafblad,gevangenis*,veroordeeld*,судим*,тюрьм*,арестован*,уголовн*,осуждён*,осужден*,
犯罪,前科,案底,坐牢,监狱,監獄,入狱,服刑,刑满,判刑,被捕,逮捕,拘留,缓刑,假释,盗窃,偷窃,诈骗,抢劫,醉驾,酒驾,吸毒被抓,罪犯,
trestn*,vězen*,odsouzen*,zatčen*,kriminál*,v base,za mřížemi,刑務所,有罪,執行猶予,سجن*,جريمة,محكوم*,اعتقال*`
