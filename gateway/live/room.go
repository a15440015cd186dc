package live

import (
	"nacre"
	"nacre/gateway"
)

// room is a chat: its clients, and the parts that wait for the first of them to
// show it. Hub.mu guards it.
type room[F any] struct {
	clients map[*Client[F]]struct{}
	offers  map[nacre.DeliveryID]offer[F]
}

// offer is a part on its way; result holds one, what became of it.
type offer[F any] struct {
	part   F
	result chan error
}

func newRoom[F any]() *room[F] {
	return &room[F]{clients: map[*Client[F]]struct{}{}, offers: map[nacre.DeliveryID]offer[F]{}}
}

// enter adds a client, which also gets the parts that are on their way just now.
func (r *room[F]) enter(c *Client[F]) {
	r.clients[c] = struct{}{}
	for _, o := range r.offers {
		c.Send(o.part)
	}
}

// leave removes a client and reports whether it was the last; then the parts on
// their way find nobody.
func (r *room[F]) leave(c *Client[F]) (last bool) {
	delete(r.clients, c)
	if len(r.clients) > 0 {
		return false
	}
	for id := range r.offers {
		r.settle(id, gateway.ErrAway)
	}
	return true
}

// offer hands a part to all clients.
func (r *room[F]) offer(id nacre.DeliveryID, o offer[F]) {
	r.offers[id] = o
	r.tell(nil, o.part)
}

// settle ends the offer of a part, if it still stands.
func (r *room[F]) settle(id nacre.DeliveryID, result error) {
	if o, ok := r.offers[id]; ok {
		delete(r.offers, id)
		o.result <- result
	}
}

// tell sends a frame to all clients but one.
func (r *room[F]) tell(but *Client[F], f F) {
	for c := range r.clients {
		if c != but {
			c.Send(f)
		}
	}
}

// drop cuts the connections of all clients.
func (r *room[F]) drop() {
	for c := range r.clients {
		c.drop()
	}
}
