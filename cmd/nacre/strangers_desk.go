package main

import (
	"context"

	"nacre/web"
)

// Strangers implements web.Desk.
func (a *app) Strangers(ctx context.Context) ([]web.Stranger, error) {
	waiting, err := a.gateway.Waiting(ctx)
	list := make([]web.Stranger, len(waiting))
	for i, s := range waiting {
		list[i] = web.Stranger{ID: s.ID, Channel: s.Address.Channel, Address: s.Address.ID, Came: s.Came.In(a.zoneOf(a.operator)), Until: s.Until.In(a.zoneOf(a.operator))}
	}
	return list, err
}

// Decide implements web.Desk.
func (a *app) Decide(ctx context.Context, d web.Decision) (string, error) {
	if d.Admit {
		return a.gateway.Admit(ctx, d.ID)
	}
	if err := a.gateway.Refuse(ctx, d.ID); err != nil {
		return "", err
	}
	return "Refused. They are told nothing.", nil
}
