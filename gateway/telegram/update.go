package telegram

// The structs below are the part of the Bot API's objects that we read. See
// https://core.telegram.org/bots/api#update and #message.

// update is one thing that happened. At most one field beside ID is set; of
// kinds that are not listed none is.
type update struct {
	ID         int64          `json:"update_id"`
	Message    *message       `json:"message"`
	Edited     *message       `json:"edited_message"`
	Callback   *callbackQuery `json:"callback_query"`
	Reaction   *reaction      `json:"message_reaction"`
	Membership *membership    `json:"my_chat_member"`
}

// callbackQuery is a press of a button. Message is only its chat and id if it
// is too old, and missing for a button that is under no message of ours.
type callbackQuery struct {
	ID      string   `json:"id"`
	From    *user    `json:"from"`
	Message *message `json:"message"`
	Data    string   `json:"data"`
}

// reaction says that somebody's reactions to a message changed. Those of
// anonymous people have no User.
type reaction struct {
	Chat    chat           `json:"chat"`
	Message int64          `json:"message_id"`
	User    *user          `json:"user"`
	Date    int64          `json:"date"`
	Old     []reactionType `json:"old_reaction"`
	New     []reactionType `json:"new_reaction"`
}

type reactionType struct {
	Type   string `json:"type"` // emoji, custom_emoji or paid
	Emoji  string `json:"emoji"`
	Custom string `json:"custom_emoji_id"`
}

// membership is what the bot now is in a chat; in a private one it is kicked
// while the person blocks it.
type membership struct {
	Chat chat `json:"chat"`
	New  struct {
		Status string `json:"status"`
	} `json:"new_chat_member"`
}

type user struct {
	ID       int64  `json:"id"`
	IsBot    bool   `json:"is_bot"`
	Username string `json:"username"`
	Language string `json:"language_code"`
}

type chat struct {
	ID   int64  `json:"id"`
	Type string `json:"type"` // private, group, supergroup or channel
}

type message struct {
	ID         int64  `json:"message_id"`
	Thread     int64  `json:"message_thread_id"` // also set for plain replies in a supergroup
	IsTopic    bool   `json:"is_topic_message"`
	From       *user  `json:"from"`
	SenderChat *chat  `json:"sender_chat"` // an anonymous admin or a channel speaks
	Chat       chat   `json:"chat"`
	Date       int64  `json:"date"`      // Unix seconds
	EditDate   int64  `json:"edit_date"` // Unix seconds
	ViaBot     *user  `json:"via_bot"`
	ReplyTo    *reply `json:"reply_to_message"`
	Quote      *quote `json:"quote"`
	Album      string `json:"media_group_id"`

	// A group that becomes a supergroup gets another id: the old one's last
	// message tells the new id, the new one's first message the old.
	MigrateTo   int64 `json:"migrate_to_chat_id"`
	MigrateFrom int64 `json:"migrate_from_chat_id"`

	forwarding
	words
	media
}

// forwarding is set on messages that their sender did not write. The fields
// after Origin are those of Bot API servers before 7.0.
type forwarding struct {
	Origin     *struct{} `json:"forward_origin"`
	From       *struct{} `json:"forward_from"`
	FromChat   *struct{} `json:"forward_from_chat"`
	SenderName string    `json:"forward_sender_name"`
	Date       int64     `json:"forward_date"`
	Automatic  bool      `json:"is_automatic_forward"` // a channel's post in its discussion group
}

func (f *forwarding) forwarded() bool {
	return f.Origin != nil || f.From != nil || f.FromChat != nil ||
		f.SenderName != "" || f.Date != 0 || f.Automatic
}

// words are what was written: a message has either a text or a caption.
type words struct {
	Text            string   `json:"text"`
	Entities        []entity `json:"entities"`
	Caption         string   `json:"caption"`
	CaptionEntities []entity `json:"caption_entities"`
}

func (w *words) written() (string, []entity) {
	if w.Text != "" {
		return w.Text, w.Entities
	}
	return w.Caption, w.CaptionEntities
}

// entity marks a run of a text. Offset and Length count UTF-16 units.
type entity struct {
	Type   string `json:"type"`
	Offset int    `json:"offset"`
	Length int    `json:"length"`
	User   *user  `json:"user"` // of a text_mention
}

// reply is the message that was replied to. In a forum topic, a message that
// replies to nothing names the topic's creation here.
type reply struct {
	From         *user     `json:"from"`
	Text         string    `json:"text"`
	Caption      string    `json:"caption"`
	TopicCreated *struct{} `json:"forum_topic_created"`
}

type quote struct {
	Text string `json:"text"`
}

// media is what a message carries beside words.
type media struct {
	Photo     []photoSize `json:"photo"`
	Voice     *file       `json:"voice"`
	Audio     *audio      `json:"audio"`
	Video     *file       `json:"video"`
	VideoNote *file       `json:"video_note"`
	Animation *file       `json:"animation"`
	Document  *file       `json:"document"`
	Sticker   *sticker    `json:"sticker"`
	Contact   *contact    `json:"contact"`
	Poll      *poll       `json:"poll"`
	Venue     *venue      `json:"venue"`
	Location  *location   `json:"location"`
	Dice      *emoji      `json:"dice"`
	Game      *titled     `json:"game"`
	Checklist *titled     `json:"checklist"`
	Story     *struct{}   `json:"story"`
	PaidMedia *struct{}   `json:"paid_media"`
	Rich      *struct{}   `json:"rich_message"`
}

type (
	file struct {
		ID   string `json:"file_id"`
		Size int64  `json:"file_size"` // bytes; 0 if Telegram does not say
		Name string `json:"file_name"`
		MIME string `json:"mime_type"`
	}
	photoSize struct {
		file
		Width  int `json:"width"`
		Height int `json:"height"`
	}
	audio struct {
		file
		Title string `json:"title"`
	}
	sticker struct {
		file
		Emoji    string `json:"emoji"`
		Animated bool   `json:"is_animated"`
		Video    bool   `json:"is_video"`
	}
	emoji struct {
		Emoji string `json:"emoji"`
	}
	contact struct {
		First string `json:"first_name"`
		Last  string `json:"last_name"`
	}
	poll struct {
		Question string `json:"question"`
	}
	venue struct {
		Title   string `json:"title"`
		Address string `json:"address"`
	}
	location struct {
		Latitude  float64 `json:"latitude"`
		Longitude float64 `json:"longitude"`
	}
	titled struct {
		Title string `json:"title"`
	}
)
