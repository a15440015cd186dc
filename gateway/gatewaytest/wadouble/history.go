package wadouble

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"time"

	"go.mau.fi/whatsmeow/proto/waCommon"
	"go.mau.fi/whatsmeow/proto/waE2E"
	"go.mau.fi/whatsmeow/proto/waHistorySync"
	"go.mau.fi/whatsmeow/proto/waWeb"
	"go.mau.fi/whatsmeow/types"
	"google.golang.org/protobuf/proto"
)

// History gives the companions messages of the past, which the phone does not show,
// oldest first, as a phone does after linking.
func (a *Account) History(chat types.JID, texts ...string) {
	a.server.mu.Lock()
	defer a.server.mu.Unlock()
	talk := &waHistorySync.Conversation{ID: proto.String(chat.String())}
	for _, text := range texts {
		talk.Messages = append(talk.Messages, &waHistorySync.HistorySyncMsg{Message: &waWeb.WebMessageInfo{
			Key: &waCommon.MessageKey{
				RemoteJID: proto.String(chat.String()), FromMe: proto.Bool(false), ID: proto.String(a.server.next("3A")),
			},
			Message:          Text(text),
			MessageTimestamp: proto.Uint64(uint64(time.Now().Unix())),
		}})
	}
	kind := waHistorySync.HistorySync_INITIAL_BOOTSTRAP
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	z.Write(marshal(&waHistorySync.HistorySync{SyncType: &kind, Conversations: []*waHistorySync.Conversation{talk}}))
	z.Close()
	a.tell(&waE2E.Message{ProtocolMessage: &waE2E.ProtocolMessage{
		Type: waE2E.ProtocolMessage_HISTORY_SYNC_NOTIFICATION.Enum(),
		HistorySyncNotification: &waE2E.HistorySyncNotification{
			SyncType:                          waE2E.HistorySyncType_INITIAL_BOOTSTRAP.Enum(),
			InitialHistBootstrapInlinePayload: packed.Bytes(),
		},
	}})
}

// tell sends a message from the phone to the account's companions, for no chat.
func (a *Account) tell(m *waE2E.Message) {
	l := letter{from: a, to: a.lid, m: m, Opts: Opts{ID: a.server.next("3A"), At: time.Now()}}
	a.wrote[l.ID] = l
	for _, d := range a.companions {
		d.deliver(node{Tag: "message", Content: []node{l.encrypt(d, nil, m)}, Attrs: attrs{
			"from": a.lid, "id": l.ID, "t": l.At.Unix(), "type": "text", "category": "peer",
		}})
	}
}

// Timelock tells the companions that the account may write to nobody new until a
// time; with none that it may again.
func (a *Account) Timelock(until time.Time) {
	a.server.mu.Lock()
	defer a.server.mu.Unlock()
	lock := `{"is_active":false}`
	if !until.IsZero() {
		lock = fmt.Sprintf(`{"is_active":true,"enforcement_type":"DEFAULT","time_enforcement_ends":"%d"}`, until.Unix())
	}
	update := node{Tag: "update", Attrs: attrs{"op_name": "NotificationAccountReachoutTimelock"},
		Content: []byte(`{"data":{"xwa2_notify_account_reachout_timelock":` + lock + `}}`)}
	for _, d := range a.companions {
		d.deliver(node{Tag: "notification", Content: []node{update},
			Attrs: attrs{"from": types.ServerJID, "type": "mex", "id": a.server.next(""), "t": time.Now().Unix()}})
	}
}
