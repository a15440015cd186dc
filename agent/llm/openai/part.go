package openai

import (
	"encoding/base64"

	"nacre/agent/llm"
)

// parts is what a message holds: texts and pictures.
type parts []part

type part struct {
	Type         string        `json:"type"`
	Text         string        `json:"text,omitempty"`
	ImageURL     *imageURL     `json:"image_url,omitempty"`
	CacheControl *cacheControl `json:"cache_control,omitempty"`
}

type imageURL struct {
	URL    string `json:"url"`
	Detail string `json:"detail"`
}

type cacheControl struct {
	Type string `json:"type"`
}

func textPart(text string) part { return part{Type: "text", Text: text} }

// userParts is a message of the user: its text, then its pictures, which
// servers take as data URLs.
func userParts(m *llm.Message) parts {
	p := parts{}
	if m.Text != "" {
		p = append(p, textPart(m.Text))
	}
	for _, image := range m.Images {
		if len(image.Data) > 0 {
			url := "data:" + image.MIME + ";base64," + base64.StdEncoding.EncodeToString(image.Data)
			p = append(p, part{Type: "image_url", ImageURL: &imageURL{URL: url, Detail: "auto"}})
		}
	}
	return p
}

// mark sets a cache breakpoint on the last text that is not empty and reports
// whether there was one.
func (p parts) mark() bool {
	for i := len(p) - 1; i >= 0; i-- {
		if p[i].Text != "" {
			p[i].CacheControl = &cacheControl{Type: "ephemeral"}
			return true
		}
	}
	return false
}

// simple joins texts in a row by a blank line, and returns a string where that
// leaves one text or nothing.
func (p parts) simple() any {
	var out parts
	for _, next := range p {
		if n := len(out); n > 0 && next.Type == "text" && out[n-1].Type == "text" {
			out[n-1].Text += "\n\n" + next.Text
		} else {
			out = append(out, next)
		}
	}
	switch {
	case len(out) == 0:
		return ""
	case len(out) == 1 && out[0].Type == "text":
		return out[0].Text
	}
	return out
}
