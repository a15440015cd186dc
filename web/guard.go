package web

import (
	"net/http"

	"nacre"
)

// policy lets the page use what is its own and nothing else: no inline script
// or style, no other server, no frame around it.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

// guard answers only requests that name one of the site's hosts, refuses what
// pages of others send, and tells the browser what it must not do. Websockets,
// which begin with a GET, look at their Origin by themselves.
func guard(s Site, next http.Handler) http.Handler {
	next = s.posts.Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "same-origin") // with no-referrer forms of ours would come from nowhere
		h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		if s.pledged(r) {
			h.Set("Strict-Transport-Security", "max-age=31536000")
		}
		if s.originOf(r) == "" {
			newProblem(nacre.Denied, "This page is not reached by this name; set NACRE_WEB_URL to its public address.").answer(w, http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}
