package main

import (
	"encoding/base64"
	"fmt"
	"testing"

	"nacre/web/webtest"
)

// exported is an export of ChatGPT with one conversation.
const exported = `[{"title":"Boats","create_time":1767261600,"update_time":1767261660,"conversation_id":"c1","current_node":"b","mapping":{
"root":{"id":"root","message":null,"parent":null,"children":["a"]},
"a":{"id":"a","parent":"root","children":["b"],"message":{"id":"a","author":{"role":"user"},"create_time":1767261600,"content":{"content_type":"text","parts":["Which sail is best for a dinghy?"]}}},
"b":{"id":"b","parent":"a","children":[],"message":{"id":"b","author":{"role":"assistant"},"create_time":1767261660,"content":{"content_type":"text","parts":["A lug sail."]}}}}}]`

// An archive of another assistant's is looked at before it is imported, and both tell
// what becomes of what.
func TestPageImportsAnArchive(t *testing.T) {
	p := newPaged(t)
	p.start()
	p.logIn()
	p.goTo("/memory/moving")
	p.Sees(".drop", "What it answered")
	archive := parcelOf(t, map[string]string{"conversations.json": exported, "picture.png": "\x89PNG"})
	webtest.Eval[bool](p.Browser, fmt.Sprintf(`(() => {
		const data = new DataTransfer();
		data.items.add(new File([Uint8Array.from(atob(%q), (c) => c.charCodeAt(0))], "export.zip"));
		return document.querySelector(".drop").dispatchEvent(new DragEvent("drop", { dataTransfer: data, cancelable: true, bubbles: true })) || true;
	})()`, base64.StdEncoding.EncodeToString([]byte(archive))))
	p.Sees(".imported h4", "What would be imported")
	p.Sees(".drop", "export.zip")
	p.Sees(".imported [role=status]", "ChatGPT")
	p.Sees(".imported [role=status]", "2 messages, 1 conversation")
	p.Sees(".imported", "picture.png")
	p.Size(360, 780)
	p.sound("what would be imported")
	p.Size(1280, 800)
	if n := webtest.Eval[int](p.Browser, `fetch("/api/status").then((r) => r.json()).then((s) => s.messages)`); n != 0 {
		t.Errorf("after a preview there are %d messages", n)
	}
	p.Press("Import all of this")
	p.Sees(".imported h4", "What was imported")
	p.Press("History")
	p.Fill("Words", "dinghy")
	p.Sees(".hits", "Which sail is best for a dinghy?")
	p.Sees(".hits .from", "You · a chat with ChatGPT")
	p.Press("Show in the conversation")
	p.Sees("h2", "What was said: a chat with ChatGPT")
}
