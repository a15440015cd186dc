package phrase

import "regexp"

// chinese reads simplified and traditional characters. There are no spaces, so
// nothing tells the end of a word but the word itself.
func chinese() grammar {
	const (
		now    = `(?:现在|現在|目前|此刻)`
		oclock = `(?:是)?(?:几点|幾點)(?:钟|鐘)?(?:了)?`
		place  = `(?P<p>[\p{Han}\p{Latin}/_]{2,20}?)(?:的时间|的時間)?`
		end    = `(?:呢|啊|呀|吗|嗎)?`
		not    = `(?:永远|永遠|千万|千萬)?(?:别|別|不要|勿)`
		polite = `(?:你)?(?:能不能|可不可以|可以|能)(?:帮我|幫我)?`
		memo   = `(?:记住|記住|记下来|記下來|记下|記下|记一下|記一下|记着|記著|牢记|牢記)(?:了|哦|喔)?`
	)
	return grammar{
		lang: "zh",
		lead: compile(`(?:你好|您好|嗨|好的|好|嗯|那|哦|对了|對了|请问|請問|请你|請你|请|請|麻烦你|麻煩你|麻烦|麻煩|谢谢|謝謝|帮我|幫我|你(?:要|得|必须|必須)|我(?:要|想|希望)你|@[\w]+|nacre)[\s\p{Z},:.!，。！：、]*`),
		tail: regexp.MustCompile(`(?:谢谢|謝謝|好吗|好嗎|可以吗|可以嗎|吧|哦|喔|吗|嗎)$`),
		rules: []rule{
			whole(Greeting, `(?:你好|您好|嗨|哈喽|哈囉|早上好|早安|早|下午好|晚上好|晚安|大家好)(?:呀|啊|吗|嗎)?`),
			whole(Thanks, `(?:非常|太|十分)?(?:谢谢|謝謝|多谢|多謝|感谢|感謝|谢了|謝了)(?:你的帮助|你的幫助|你|您|啦|了|啊)*`),

			whole(TimeQuestion, now+`?`+oclock+end),
			whole(TimeQuestion, now+place+oclock+end),
			whole(TimeQuestion, place+now+oclock+end),
			whole(TimeQuestion, now+`(?:是)?(?:什么时间|什麼時間|什么时候|什麼時候)(?:了)?`+end),
			whole(TimeQuestion, `今天(?:是)?(?:星期几|星期幾|礼拜几|禮拜幾|周几|週幾|几号|幾號|几月几号|幾月幾號|几月几日|幾月幾日|什么日子|什麼日子|多少号|多少號)(?:了)?`+end),
			whole(TimeQuestion, `今天(?:的)?日期(?:是什么|是什麼|是多少)?`+end),

			exactly(Remember, polite+memo).asks(),
			exactly(Forget, polite+`(?:忘记|忘記|忘掉|忘了)`).asks(),

			// What "这个" is was said before.
			whole(None, memo+`(?:这个|這個|这一点|這一點|这件事|這件事|这些|這些|那个|那個|它)`),
			whole(None, `(?:其实|其實|实际上|實際上)[，,]?(?:没事|沒事|没关系|沒關係|不用(?:了)?|算了|是的|不是)`),
			whole(None, `(?:算了|没事|沒事|忘了吧|忘掉吧|忘记吧|忘記吧|当我没说|當我沒說)`),
			// The subject is often left out: "忘了…" and "忘记…了" are "I forgot …".
			exactly(None, `(?:忘了|忘(?:记|記)(?:带|帶|说|說|告诉|告訴|拿|做|关|關|买|買)|(?:忘记|忘記)[^，。！？\n]{0,20}了)`),
			exactly(None, `(?:记得|記得)(?:那|我们|我們|当时|當時|小时候|小時候|以前|上次)`),

			exactly(Remember, not+`(?:忘记|忘記|忘了|忘掉|忘)`),
			whole(Remember, not+`把(?P<p>.+?)(?:忘记|忘記|忘了|忘掉)`),
			exactly(Remember, `(?:一定要|要)?`+memo),
			exactly(Remember, `(?:记录|記錄|保存)(?:一下|下来|下來)?[：:]`),
			exactly(Remember, `(?:一定要|要)?(?:记得|記得)(?:要)?`),
			whole(Forget, `(?:忘掉|忘记|忘記|删除|刪除|删掉|刪掉)(?:所有)?(?:关于|關於)(?P<p>.+?)的(?:一切|所有|事情|事|信息|資訊|内容|內容)+`),
			exactly(Forget, `(?:忘掉|忘记|忘記)(?:关于|關於)?`),
			exactly(Forget, `(?:从|從)(?:你的)?(?:记忆|記憶)(?:里|裡|中)(?:删除|刪除|删掉|刪掉)(?:关于|關於)?`),
			whole(Forget, `把(?P<p>.+?)(?:忘掉|忘了吧|忘记吧|忘記吧|从记忆里删除|從記憶裡刪除|从记忆中删除|從記憶中刪除)(?:吧)?`),

			exactly(Preference, `我(?:还是|還是)?(?:更喜欢|更喜歡|比较喜欢|比較喜歡|偏好|偏爱|偏愛|宁愿|寧願|更愿意|更願意)`),
			exactly(None, `我(?:总是|總是|从来不|從來不)(?:忘|记|記|觉得|覺得|想|在)`),
			exactly(Preference, `我(?:总是|總是|从不|從不|从来不|從來不|绝不|絕不)`),
			exactly(Preference, `(?:总是|總是|始终|始終|永远|永遠|从不|從不|绝不|絕不|千万不要|千萬不要|以后都|以後都|以后请|以後請|以后不要|以後不要|以后别|以後別|从现在开始|從現在開始|从现在起|從現在起)`),
			exactly(Correct, `(?:其实|其實|实际上|實際上|更正|纠正|糾正|我是说|我是說|不对|不對|我?(?:说|說|搞|弄|记|記)(?:错|錯)了)`),

			exactly(None, `[^。！\n]{0,40}(?:没什么|沒什麼)`),
			exactly(Question, `[^。！\n]{0,40}?(?:什么|什麼|谁|誰|哪里|哪裡|哪儿|哪兒|哪个|哪個|怎么|怎麼|为什么|為什麼|多少|几个|幾個|几点|幾點|几岁|幾歲|几号|幾號)`),
		},
	}
}
