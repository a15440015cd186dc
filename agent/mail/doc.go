// Package mail reads what somebody typed in a mail that they sent, and nothing else.
//
// A mail comes as it is stored, in the form of RFC 5322, and what comes of it is its
// sender's own words: without what they quote or forward, without signatures, and not
// at all if a program wrote it. It is pure: bytes in, words out. Nothing of it is
// kept or logged anywhere.
package mail
