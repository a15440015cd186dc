package phrase

import (
	"strings"
	"unicode/utf8"
)

func timesChinese() speech {
	const (
		later1 = `(?:钟)?(?:以后|之后|后)`
		week   = `(?:周|星期|礼拜)`
		oclock = `(?:点|时)(?:钟|整)?`
		hours  = `(?:在)?(?P<h>\d{1,2}|二十[一二三]?|十[一二三四五六七八九]?|[零二两三四五六七八九])`
		fen    = `{min}分(?P<end>$|[^钟])`
		bare   = `{min}(?P<end>$|[^\d零一二两三四五六七八九十几个钟号位本张片次杯件只人瓶盒粒颗元块斤米公岁天周月年小秒分楼路份条台部名度点遍页篇趟顿场节层套把支包袋碗口])` // not "10个人"
	)
	return speech{
		lang:     "zh",
		tight:    true,
		numerals: `[二三四五六七八九]?十[一二三四五六七八九]?|[零〇][一二三四五六七八九]?|[一二两三四五六七八九]`,
		count:    chineseNumber,
		units: []sense{{"秒|秒钟", int(second)}, {"半小时|半个小时", int(halfHour)}, {"分钟|分", int(minute)}, {"小时|钟头|个小时|个钟头", int(hour)},
			{"天|日", int(daily)}, {"周|星期|礼拜|个星期|个礼拜", int(weekly)}, {"个月|月", int(monthly)}, {"年", int(yearly)}},
		adverbs:  []sense{{"天天", int(daily)}},
		weekdays: []sense{{"日|天", 0}, {"一", 1}, {"二", 2}, {"三", 3}, {"四", 4}, {"五", 5}, {"六", 6}},
		halves:   []sense{{"凌晨|半夜", int(smallHours)}, {"清晨|早晨|早上|上午|一早", int(morning)}, {"中午", int(noon)}, {"下午|午后", int(afternoon)}, {"傍晚|晚上|夜里|晚间", int(evening)}},
		parts:    []sense{{"早", int(morning)}, {"晚", int(evening)}},
		shifts:   []sense{{"半", 30}, {"一刻", 15}, {"三刻", 45}},
		and:      `(?:、|和|与|跟|,|及)` + week + `?|`,
		in:       `none`,
		ofPlace:  `\p{Han}{2,3}时间`,
		rules: []timeRule{
			says(later, 0, `(?:过|再过|在)?{n} ?{unit}(?:(?:零|又)?{n2} ?{unit2})?`+later1),
			says(later, 0, `(?:过|再过){n} ?{unit}`),
			says(after, 30, `(?:过|再过)?半(?:个)?小时`+later1),
			says(after, 15, `(?:过|再过)?一刻钟`+later1),
			says(after, 30, `(?:过|再过)?{n}个半(?P<unit>小时|钟头)`+later1),

			says(ahead, 0, `今天|今日|今`+`(?P<part>早|晚)`),
			says(ahead, 1, `明天|明日|明(?P<part>早|晚)`),
			says(ahead, 2, `后天`),
			says(ahead, 3, `大后天`),
			says(onDay, nearest, week+`{wd}`),
			says(onDay, weekThis, `(?:这个?|本)`+week+`{wd}`),
			says(onDay, weekNext, `下个?`+week+`{wd}`),
			says(said, 0, `(?:(?P<y>\d{4})年)?{mo}月{d}(?:日|号)`),
			says(said, 0, `(?:这个月|本月)?{d}(?:号|日)`),

			says(said, 0, `(?:在)?{half} ?{h}`+oclock+`{shift}?`),
			says(said, 0, `(?:在)?{half} ?{h}`+oclock+fen),
			says(said, 0, `(?:在)?{half} ?{h}`+oclock+bare),
			says(said, 0, `(?:在)?{half} ?{hour}:{m}`),
			says(said, 0, hours+oclock+`{shift}?`),
			says(said, 0, hours+oclock+fen),
			says(said, 0, hours+oclock+bare),
			says(said, 0, `(?:在)?(?P<h>一)点(?:钟|整|{min}分|{shift})`),
			says(named, 12, `正午|中午`),
			says(named, 24, `午夜|零点整?`),
			says(said, 0, `{half}`).only(),

			says(repeat, 0, `每(?:一)?(?:{n} ?)?{unit}`),
			says(repeat, int(hour), `每(?:个)?小时(?:的)?第?{min}分`),
			says(repeat, 0, `{adv}`).softly(),
			says(repeat, int(daily), `每(?:天|日)?{half}|每(?:天|日)?{part}上?`),
			says(repeat, int(weekly), `每(?:个)?`+week+`的?{wds}`),
			says(repeat, int(weekly), `(?:每(?:个)?)?`+week+`{wd}(?:到|至|-|~)(?:`+week+`)?{wd2}`),
			says(repeat, int(weekly), `(?:每个?)?(?:工作日|上班日)`).week(1, 5),
			says(repeat, int(weekly), `每个?周末`).week(6, 0),
			says(repeat, int(monthly), `每(?:个)?月的?{d}(?:日|号)`),
			says(repeat, int(yearly), `每年的?{mo}月{d}(?:日|号)`),

			fails(errLastDay, `每(?:个)?月(?:的)?(?:最后一天|月底|底|第?[一二三四]个`+week+`.)`),
			fails(errCannot, `隔(?:[一二两三四五六七八九十\d]+)?(?:天|日|周|月|年)|[单双]周`),
			fails(errTwo, `(?:每天|每日)?早晚`),
			fails(errVague, `每隔[^\s]{1,4}(?:天|周|小时|分钟|个月)|下下个?`+week+`.?|下个?(?:周末|月|星期|礼拜|周)|周末|圣诞节?|元旦|春节|除夕|中秋节?|国庆节?|以后|待会儿?|等会儿?|一会儿|过会儿?|马上|月底|年底`),
			fails(errPast, `昨[天日晚]|前天`),
			fails(errNever, `现在|立刻`),
		},
		apart:   `(?:的时候)?[,、]?(?:请|要|再|记得|来)?(?:提醒|通知|叫)我们?[,:]?`,
		opens:   `{n}次|连续|持续|前|之前|以前|(?:到|至|和|跟)(?:\d|[零一二两三四五六七八九十]点?|周|星期|礼拜|[今明后]天|[上中下]午|晚上|早上)|或|左右|以后|之后|后|除了|每|的|、|差|多|一点|[早午晚]?饭(?:之|以)?[前后]|(?:[上下]班|吃饭|起床|睡觉|[上放]学|开会|回家)(?:之|以)?[前后]`,
		closes:  `前|之前|以前|到|至|和|或|大约|大概|除了|每|时间|从|在|上个?|于|[一二两三四五六七八九十几数]|次|差[^ ]{1,3}|内|年|月|初|末|[上中下]旬|^[^ ,]{0,3}(?:生日|节)|前后`,
		ask:     `(?:请|麻烦|帮我|你|能不能|可不可以|可以|能|记得|到时候|到时|在)*提醒(?:一下我们?|我们?一下|我们?|一下)|(?:请|麻烦|帮我|你|能不能|可不可以|可以|能|记得|到时候|到时|在)*叫(?:醒我们?|我们?(?P<end>起床|出门|出发|上班|吃药|吃饭|开会|睡觉))|(?:设置|设|创建|新建|添加|加)(?:一?个)?(?:提醒|闹钟)`,
		can:     `[能可]`,
		polite:  `(?:请|麻烦|你|帮我|记得|能不能|可不可以|可以|能|在)*`,
		known:   `none`,
		same:    `[这那](?:个|件事|事)?|它|再|再次|一次|一下`,
		more:    `再|也|然后|还有|和|并`,
		wonders: `[^。！]*(?:什么|谁|哪|怎么|为什么|多少|吗$)`,
	}
}

// chineseNumber is what a number up to 99 means that is written in Chinese.
func chineseNumber(word string) int {
	tens, ones, ten := strings.Cut(strings.TrimLeft(word, "零〇"), "十")
	if !ten {
		return chineseDigit(tens, 0)
	}
	return 10*chineseDigit(tens, 1) + chineseDigit(ones, 0)
}

// chineseDigit is what a digit means, or none.
func chineseDigit(word string, none int) int {
	if word == "" {
		return none
	}
	if word == "两" {
		return 2
	}
	return utf8.RuneCountInString("零一二三四五六七八九"[:strings.Index("零一二三四五六七八九", word)])
}
