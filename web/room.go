package web

import (
	"nacre"
	"nacre/gateway"
)

// room is the chat of one owner: the pages that are open, and the parts that
// wait for the first of them to show it. Chat.mu guards it. A nil room has no
// pages.
type room struct {
	pages  map[*page]struct{}
	offers map[nacre.DeliveryID]offer
}

// offer is a part on its way; result holds one, what became of it.
type offer struct {
	frame  frame
	result chan error
}

func newRoom() *room {
	return &room{pages: map[*page]struct{}{}, offers: map[nacre.DeliveryID]offer{}}
}

func newOffer(f frame) offer { return offer{f, make(chan error, 1)} }

// enter adds a page, which also gets the parts that are on their way just now.
func (r *room) enter(p *page) {
	r.pages[p] = struct{}{}
	p.send(frame{T: frameReady})
	for _, o := range r.offers {
		p.send(o.frame)
	}
}

// leave removes a page and reports whether it was the last; then the parts on
// their way find nobody.
func (r *room) leave(p *page) (last bool) {
	delete(r.pages, p)
	if len(r.pages) > 0 {
		return false
	}
	for id := range r.offers {
		r.settle(id, gateway.ErrAway)
	}
	return true
}

// offer hands a part to all pages.
func (r *room) offer(id nacre.DeliveryID, o offer) {
	if r == nil {
		o.result <- gateway.ErrAway
		return
	}
	r.offers[id] = o
	r.tell(nil, o.frame)
}

// settle ends the offer of a part, if it still stands.
func (r *room) settle(id nacre.DeliveryID, result error) {
	if r == nil {
		return
	}
	if o, ok := r.offers[id]; ok {
		delete(r.offers, id)
		o.result <- result
	}
}

// tell sends a frame to all pages but one.
func (r *room) tell(but *page, f frame) {
	if r == nil {
		return
	}
	for p := range r.pages {
		if p != but {
			p.send(f)
		}
	}
}

// hint sends a frame that nobody misses to the pages that have room for it.
func (r *room) hint(f frame) {
	if r == nil {
		return
	}
	for p := range r.pages {
		p.hint(f)
	}
}

// drop cuts the connections of all pages.
func (r *room) drop() {
	if r == nil {
		return
	}
	for p := range r.pages {
		p.drop()
	}
}
