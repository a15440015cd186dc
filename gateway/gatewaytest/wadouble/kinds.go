package wadouble

import (
	"fmt"
	"strings"

	"go.mau.fi/whatsmeow/proto/waE2E"
	"google.golang.org/protobuf/encoding/protowire"
)

// Poll asks a question with answers of which one can be chosen.
func Poll(question string, answers ...string) *waE2E.Message {
	one := uint32(1)
	poll := &waE2E.PollCreationMessage{Name: &question, SelectableOptionsCount: &one}
	for _, a := range answers {
		poll.Options = append(poll.Options, &waE2E.PollCreationMessage_Option{OptionName: &a})
	}
	return &waE2E.Message{PollCreationMessageV3: poll}
}

// Location is a place on the map, in degrees; a place that was picked has a name.
func Location(latitude, longitude float64, name, address string) *waE2E.Message {
	return &waE2E.Message{LocationMessage: &waE2E.LocationMessage{
		DegreesLatitude: &latitude, DegreesLongitude: &longitude, Name: &name, Address: &address,
	}}
}

// LiveLocation shows where somebody is, for a while, with a comment.
func LiveLocation(latitude, longitude float64, comment string) *waE2E.Message {
	return &waE2E.Message{LiveLocationMessage: &waE2E.LiveLocationMessage{
		DegreesLatitude: &latitude, DegreesLongitude: &longitude, Caption: &comment,
	}}
}

// Contact is somebody of the sender's address book, as a vCard.
func Contact(name string, phones ...string) *waE2E.Message {
	return &waE2E.Message{ContactMessage: card(name, phones)}
}

// Contacts is several contacts, each without a phone number.
func Contacts(names ...string) *waE2E.Message {
	title := fmt.Sprintf("%d contacts", len(names))
	list := &waE2E.ContactsArrayMessage{DisplayName: &title}
	for _, name := range names {
		list.Contacts = append(list.Contacts, card(name, nil))
	}
	return &waE2E.Message{ContactsArrayMessage: list}
}

func card(name string, phones []string) *waE2E.ContactMessage {
	var b strings.Builder
	fmt.Fprintf(&b, "BEGIN:VCARD\nVERSION:3.0\nN:;%s;;;\nFN:%s\n", name, name)
	for i, phone := range phones {
		fmt.Fprintf(&b, "item%d.TEL;waid=%s:+%s\nitem%d.X-ABLabel:Mobile\n", i+1, phone, phone, i+1)
	}
	b.WriteString("END:VCARD")
	vcard := b.String()
	return &waE2E.ContactMessage{DisplayName: &name, Vcard: &vcard}
}

// ButtonReply is the press of a button with words on it.
func ButtonReply(id, words string) *waE2E.Message {
	return &waE2E.Message{ButtonsResponseMessage: &waE2E.ButtonsResponseMessage{
		SelectedButtonID: &id,
		Response:         &waE2E.ButtonsResponseMessage_SelectedDisplayText{SelectedDisplayText: words},
		Type:             waE2E.ButtonsResponseMessage_DISPLAY_TEXT.Enum(),
	}}
}

// ListReply is the choice of a row of a list.
func ListReply(row, title string) *waE2E.Message {
	return &waE2E.Message{ListResponseMessage: &waE2E.ListResponseMessage{
		Title:             &title,
		ListType:          waE2E.ListResponseMessage_SINGLE_SELECT.Enum(),
		SingleSelectReply: &waE2E.ListResponseMessage_SingleSelectReply{SelectedRowID: &row},
	}}
}

// Unknown is a message of a kind that no library knows yet.
func Unknown() *waE2E.Message {
	const number = 9999 // of no field that the network uses
	var m waE2E.Message
	field := protowire.AppendTag(nil, number, protowire.BytesType)
	m.ProtoReflect().SetUnknown(protowire.AppendBytes(field, []byte("news")))
	return &m
}
