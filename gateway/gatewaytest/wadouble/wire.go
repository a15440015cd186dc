package wadouble

import (
	"errors"
	"fmt"
	"io"

	"github.com/gorilla/websocket"
	"go.mau.fi/whatsmeow/socket"
)

// wire carries frames over a websocket: three bytes of length, then the data. The
// client begins with a header of its own. Frames do not keep to the messages of the
// websocket, which are read as one stream.
type wire struct {
	ws      *websocket.Conn
	message io.Reader // what is left of the message being read; nil between them
}

func (w *wire) Read(p []byte) (n int, err error) {
	for n == 0 && err == nil {
		if w.message == nil {
			if _, w.message, err = w.ws.NextReader(); err != nil {
				return 0, err
			}
		}
		if n, err = w.message.Read(p); errors.Is(err, io.EOF) {
			w.message, err = nil, nil
		}
	}
	return n, err
}

// begin reads the client's header.
func (w *wire) begin() error {
	header := make([]byte, len(socket.WAConnHeader))
	if _, err := io.ReadFull(w, header); err != nil {
		return err
	}
	if string(header) != string(socket.WAConnHeader) {
		return fmt.Errorf("a client of another protocol: %x", header)
	}
	return nil
}

func (w *wire) receive() ([]byte, error) {
	var length [socket.FrameLengthSize]byte
	if _, err := io.ReadFull(w, length[:]); err != nil {
		return nil, err
	}
	frame := make([]byte, int(length[0])<<16|int(length[1])<<8|int(length[2]))
	_, err := io.ReadFull(w, frame)
	return frame, err
}

func (w *wire) send(frame []byte) error {
	n := len(frame)
	if n >= socket.FrameMaxSize {
		return fmt.Errorf("a frame of %d bytes", n)
	}
	head := []byte{byte(n >> 16), byte(n >> 8), byte(n)}
	return w.ws.WriteMessage(websocket.BinaryMessage, append(head, frame...))
}

// exchange is for the handshake.
func (w *wire) exchange(out []byte) (in []byte, err error) {
	if out != nil {
		if err := w.send(out); err != nil {
			return nil, err
		}
	}
	return w.receive()
}

// close ends the connection without a farewell. It does not block.
func (w *wire) close() { w.ws.Close() }
