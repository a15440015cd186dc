package nacre

// LoginKind says what a secret of the web page is good for.
type LoginKind string

// The kinds of logins.
const (
	LoginLink    LoginKind = "link"    // one login
	LoginSession LoginKind = "session" // a browser that has logged in
)
