package ollama

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
)

// ModelInfo is what a server knows about one of its models.
type ModelInfo struct {
	Name   string
	Size   int64 // bytes on disk
	Remote bool  // it runs elsewhere, in Ollama's cloud: nothing stays on the machine

	// What Show adds.
	Chat   bool // it writes text, and not only vectors
	Tools  bool
	Vision bool
	Window int // the longest window it was trained for, in tokens; 0 if not known
}

// maxInfo is the bytes read of one answer about models; licences are long.
const maxInfo = 16 << 20

// Models lists the models of a server, the newest first, as /api/tags does. It
// asks once, so a short deadline of ctx is enough to find out whether an Ollama
// is there at all. An empty base means DefaultURL and a nil client the default
// one; no connection is kept.
func Models(ctx context.Context, base string, client *http.Client) ([]ModelInfo, error) {
	var list struct {
		Models []struct {
			Name       string `json:"name"`
			Size       int64  `json:"size"`
			RemoteHost string `json:"remote_host"`
		} `json:"models"`
	}
	if err := ask(ctx, client, http.MethodGet, address(base, "/api/tags"), nil, &list); err != nil {
		return nil, fmt.Errorf("list the models of Ollama: %w", err)
	}
	var out []ModelInfo
	for _, m := range list.Models {
		out = append(out, ModelInfo{Name: m.Name, Size: m.Size, Remote: m.RemoteHost != ""})
	}
	return out, nil
}

// Show returns m with what /api/show tells about it. Versions before 0.6.4 do
// not say what a model can do; every one of theirs counts as one for Chat.
func Show(ctx context.Context, base string, client *http.Client, m ModelInfo) (ModelInfo, error) {
	body, err := json.Marshal(map[string]string{"model": m.Name})
	if err != nil {
		return m, err
	}
	var info struct {
		Capabilities []string                   `json:"capabilities"`
		ModelInfo    map[string]json.RawMessage `json:"model_info"`
	}
	if err := ask(ctx, client, http.MethodPost, address(base, "/api/show"), body, &info); err != nil {
		return m, fmt.Errorf("ask Ollama about the model %s: %w", m.Name, err)
	}
	m.Chat = info.Capabilities == nil || slices.Contains(info.Capabilities, "completion")
	m.Tools = slices.Contains(info.Capabilities, "tools")
	m.Vision = slices.Contains(info.Capabilities, "vision")
	var family string
	json.Unmarshal(info.ModelInfo["general.architecture"], &family)
	json.Unmarshal(info.ModelInfo[family+".context_length"], &m.Window)
	return m, nil
}

// ask does one request and decodes the answer into out.
func ask(ctx context.Context, client *http.Client, method, url string, body []byte, out any) error {
	r, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Close = true
	resp, err := cmp.Or(client, http.DefaultClient).Do(r)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("it answered %s", resp.Status)
	}
	return json.NewDecoder(io.LimitReader(resp.Body, maxInfo)).Decode(out)
}
