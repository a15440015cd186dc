package gateway

import (
	"context"

	"nacre"
)

// Move implements Host. Who still speaks to the old id, as a turn that is being made
// or a part that waits, is heard under the new one.
func (g *Gateway) Move(ctx context.Context, from, to nacre.Chat) error {
	if err := g.roster.MoveChat(ctx, from, to); err != nil {
		return err
	}
	if from.ID != to.ID {
		g.courier.move(laneOf(from), laneOf(to))
	}
	return nil
}

// move lets what waits for a chat wait for the one in which it goes on. Where
// something waits for that one already, the two queues are worked off beside each
// other.
func (c *courier) move(from, to lane) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.moved, to) // so that following them ends
	c.moved[from] = to
	q := c.lanes[from]
	if q == nil || c.lanes[to] != nil {
		return
	}
	delete(c.lanes, from)
	q.lane, c.lanes[to] = to, q
}

// home is where a chat goes on.
func (c *courier) home(chat nacre.Chat) nacre.Chat {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.follow(chat)
}

// follow is home for who holds mu.
func (c *courier) follow(chat nacre.Chat) nacre.Chat {
	for to, ok := c.moved[laneOf(chat)]; ok; to, ok = c.moved[laneOf(chat)] {
		chat.ID = to.chat
	}
	return chat
}
