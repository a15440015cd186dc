// Package nacre holds the nouns that every other package speaks: Owner,
// Address, Message, Reply, Part, Delivery, Turn, their ids and the kinds of
// error. It imports only the standard library, and everyone may import it.
//
// Words are defined once, here, and mean the same in the database, in logs and
// in what people read. Instants are time.Time in Go and Unix milliseconds in
// UTC wherever they are stored.
package nacre
