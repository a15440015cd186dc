package whatsapp

import (
	"bytes"
	"testing"
	"time"

	"nacre"
	"nacre/gateway/gatewaytest/wadouble"
)

func TestSendFiles(t *testing.T) {
	tests := []struct {
		name string
		text string
		file nacre.File
		mime string
		as   string // the name that is shown
	}{
		{"image", "Look", nacre.File{Name: "a.png", MIME: "image/png", Data: picture(t, 30, 20)}, "image/png", ""},
		{"voice", "", nacre.File{Name: "a.ogg", MIME: "audio/ogg", Data: opus(48000)}, "audio/ogg; codecs=opus", ""},
		{"audio", "", nacre.File{Name: "a.mp3", MIME: "audio/mpeg", Data: []byte("sound")}, "audio/mpeg", ""},
		{"video", "See", nacre.File{Name: "a.mp4", MIME: "video/mp4", Data: []byte("moves")}, "video/mp4", ""},
		{"document", "", nacre.File{Name: "../tide table.csv", MIME: "text/csv", Data: []byte("noon,6.9")}, "text/csv", "tide table.csv"},
		{"document with text", "Read", nacre.File{Name: "a.bin", Data: []byte("x")}, "application/octet-stream", "a.bin"},
	}
	play(t, false, func(p *scene) {
		for _, tt := range tests {
			p.after(10 * time.Second)
			if _, err := p.send(p.ann.LID(), nacre.DeliveryID(tt.name), nacre.Part{Text: tt.text, File: &tt.file}); err != nil {
				p.Errorf("%s: Send = %v", tt.name, err)
				continue
			}
			p.after(time.Second)
			all := p.shown()
			got := all[len(all)-1]
			if got.ID != p.ownID(tt.name) || got.Text != tt.text || !bytes.Equal(got.File, tt.file.Data) || got.MIME != tt.mime || got.Name != tt.as {
				p.Errorf("%s: shown %+v", tt.name, got)
			}
		}
	})
}

func TestSendFileNotUploaded(t *testing.T) {
	play(t, false, func(p *scene) {
		p.wa.Fail(wadouble.Fault{Kind: wadouble.UploadError, Code: 507})
		part := nacre.Part{Text: "Read", File: &nacre.File{Name: "a.txt", Data: []byte("x")}}
		if _, err := p.send(p.ann.LID(), "one", part); nacre.KindOf(err) != nacre.Transient {
			p.Errorf("Send = %v, of kind %v", err, nacre.KindOf(err))
		}
		p.wantShown()
		if _, err := p.send(p.ann.LID(), "one", part); err != nil {
			p.Errorf("Send = %v", err)
		}
		p.wantShown("Read")
	})
}
