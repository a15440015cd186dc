package telegram

// The structs below are the part of the Bot API's objects that we read. See
// https://core.telegram.org/bots/api#update and #message.

// update is one thing that happened. At most one field beside ID is set; kinds
// that are not listed decode to an update without a message.
type update struct {
	ID      int64    `json:"update_id"`
	Message *message `json:"message"`
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
	Date       int64  `json:"date"` // Unix seconds
	ViaBot     *user  `json:"via_bot"`
	ReplyTo    *reply `json:"reply_to_message"`
	Quote      *quote `json:"quote"`
	Album      string `json:"media_group_id"`

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
	Photo     []struct{} `json:"photo"`
	Voice     *struct{}  `json:"voice"`
	Audio     *audio     `json:"audio"`
	Video     *file      `json:"video"`
	VideoNote *struct{}  `json:"video_note"`
	Animation *file      `json:"animation"`
	Document  *file      `json:"document"`
	Sticker   *emoji     `json:"sticker"`
	Contact   *contact   `json:"contact"`
	Poll      *poll      `json:"poll"`
	Venue     *venue     `json:"venue"`
	Location  *location  `json:"location"`
	Dice      *emoji     `json:"dice"`
	Game      *titled    `json:"game"`
	Checklist *titled    `json:"checklist"`
	Story     *struct{}  `json:"story"`
	PaidMedia *struct{}  `json:"paid_media"`
	Rich      *struct{}  `json:"rich_message"`
}

type (
	file struct {
		Name string `json:"file_name"`
	}
	audio struct {
		Title string `json:"title"`
		Name  string `json:"file_name"`
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
