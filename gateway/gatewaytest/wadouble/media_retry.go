package wadouble

import (
	"crypto/aes"
	modes "crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"time"

	"go.mau.fi/whatsmeow"
	"go.mau.fi/whatsmeow/proto/waMmsRetry"
	"go.mau.fi/whatsmeow/types"
	"google.golang.org/protobuf/proto"
)

// notOnPhone is the code of the error that a phone answers when it has no such file.
const notOnPhone = 2

// retried answers the receipt of type server-error by which a client asks its phone
// to upload a file again: the notification for the client, without the attributes
// of its delivery. file is what the phone knows the message by its id to tell of;
// nil if it knows none.
func (h *mediaStore) retried(receipt *node, file whatsmeow.DownloadableMessage, now time.Time) (node, error) {
	id := receipt.AttrGetter().String("id")
	answer := node{
		Tag:   "notification",
		Attrs: attrs{"type": "mediaretry", "id": id, "t": now.Unix()},
	}
	asked := receipt.GetChildByTag("rmr")
	path, ok := "", false
	if file != nil {
		if err := checkRetry(receipt, id, file.GetMediaKey()); err != nil {
			return node{}, err
		}
		path, ok = h.again(file.GetDirectPath())
	}
	if !ok {
		refusal := node{Tag: "error", Attrs: attrs{"code": notOnPhone}}
		answer.Content = []node{asked, refusal}
		return answer, nil
	}
	answer.Content = []node{asked, newPath(id, path, file.GetMediaKey())}
	return answer, nil
}

// again uploads a file again, if the phone has it.
func (h *mediaStore) again(directPath string) (newPath string, ok bool) {
	h.mu.Lock()
	f := h.find(directPath)
	ok = f != nil && !f.deleted
	h.mu.Unlock()
	if !ok {
		return "", false
	}
	return h.keep(f.data), true
}

// checkRetry holds what the receipt says in secret against its id.
func checkRetry(receipt *node, id types.MessageID, key []byte) error {
	secret, _ := receipt.GetChildByTag("encrypt", "enc_p").Content.([]byte)
	iv, _ := receipt.GetChildByTag("encrypt", "enc_iv").Content.([]byte)
	if len(iv) != retryCipher(key).NonceSize() {
		return fmt.Errorf("asking for a file again: %d bytes of nonce", len(iv))
	}
	plain, err := retryCipher(key).Open(nil, iv, secret, []byte(id))
	if err != nil {
		return fmt.Errorf("asking for a file again: %w", err)
	}
	var said waMmsRetry.ServerErrorReceipt
	if err := proto.Unmarshal(plain, &said); err != nil {
		return fmt.Errorf("asking for a file again: %w", err)
	}
	if said.GetStanzaID() != id {
		return fmt.Errorf("asking for the file of %s, and in secret for that of %s", id, said.GetStanzaID())
	}
	return nil
}

// newPath tells a client in secret where the file is now.
func newPath(id types.MessageID, directPath string, key []byte) node {
	plain, err := proto.Marshal(&waMmsRetry.MediaRetryNotification{
		StanzaID:   &id,
		DirectPath: &directPath,
		Result:     waMmsRetry.MediaRetryNotification_SUCCESS.Enum(),
	})
	must(err)
	iv := make([]byte, retryCipher(key).NonceSize())
	rand.Read(iv)
	return node{Tag: "encrypt", Content: []node{
		{Tag: "enc_p", Content: retryCipher(key).Seal(nil, iv, plain, []byte(id))},
		{Tag: "enc_iv", Content: iv},
	}}
}

// retryCipher is AES-256-GCM under a key that is derived from that of the file. The
// id of the message is its additional data.
func retryCipher(key []byte) modes.AEAD {
	derived, err := hkdf.Key(sha256.New, key, nil, "WhatsApp Media Retry Notification", 32)
	must(err)
	block, err := aes.NewCipher(derived)
	must(err)
	sealer, err := modes.NewGCM(block)
	must(err)
	return sealer
}
