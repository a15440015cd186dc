package main

import "nacre/web"

// Access implements web.Desk.
func (a *app) Access(h web.Hand) web.Access {
	h.Owner = a.ownerOf(h)
	return a.porter.Access(h)
}
