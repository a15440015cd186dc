package gatewaytest

import (
	"fmt"
	"net/http"
	"path"
	"strings"
	"time"
)

const (
	downloadLimit = 20 << 20  // bytes of the largest file that a bot gets
	linkLife      = time.Hour // how long a link to a file is good
)

// File is a file that the double has for the bot.
type File struct {
	Data []byte
	Size int64 // what getFile says that its size is; 0 stands for the truth
	Mute bool  // getFile and the download say nothing of its size

	linked time.Time // when its link was last given out
}

// Keep makes a file exist under a handle, or another one take its place.
func (b *BotAPI) Keep(handle string, f File) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.files == nil {
		b.files = map[string]*File{}
	}
	b.files[handle] = &f
}

// getFile gives the path of a file, which can be downloaded for an hour.
func (b *BotAPI) getFile(args Params) answer {
	handle := args["file_id"]
	f := b.files[handle]
	if f == nil {
		return badRequest("wrong file_id or the file is temporarily unavailable")
	}
	size := f.Size
	if size == 0 {
		size = int64(len(f.Data))
	}
	if size > downloadLimit {
		return badRequest("file is too big")
	}
	f.linked = time.Now()
	object := map[string]any{"file_id": handle, "file_unique_id": "u" + handle, "file_path": "documents/" + handle}
	if !f.Mute {
		object["file_size"] = size
	}
	return result(object)
}

// download answers /file/bot<token>/<path>. Fail knows it by this name.
func (b *BotAPI) download(w http.ResponseWriter, r *http.Request) {
	call, fault := b.arrive("download", Params{"path": r.URL.Path})
	defer b.leave(call)
	if b.failBefore(w, r, call, fault) {
		return
	}
	data, ok := b.linkedData(r.URL.Path)
	if !ok {
		b.note(call, http.StatusNotFound)
		write(w, http.StatusNotFound, "application/json", refusal(404, "Not Found").body())
		return
	}
	b.note(call, http.StatusOK)
	given := b.failAfter(r, data, fault)
	if !b.isMute(r.URL.Path) {
		w.Header().Set("Content-Length", fmt.Sprint(len(data)))
	}
	write(w, http.StatusOK, "application/octet-stream", given)
	if len(given) < len(data) {
		http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
}

// linkedData is the file at a path with the bot's token, if its link is good.
func (b *BotAPI) linkedData(url string) ([]byte, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	f := b.files[path.Base(url)]
	if f == nil || !strings.HasPrefix(url, "/file/bot"+b.token+"/documents/") || time.Since(f.linked) > linkLife {
		return nil, false
	}
	return f.Data, true
}

func (b *BotAPI) isMute(url string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	f := b.files[path.Base(url)]
	return f != nil && f.Mute
}
