// Package ledger is the one database: owners, inbox, turns, outbox, jobs and the
// history of memory, with their migrations. All SQL of Nacre is here.
//
// One goroutine writes. Writers hand it closures, and all that wait at a moment
// share one transaction and one sync to disk (group commit); a closure may
// be run again when another one fails, so it must only depend on its
// transaction and set its results anew. A write
// is durable against power loss when its method returns. Readers have their own
// connections and never wait for the writer.
//
// Content is sealed before it comes near SQL; see package vault.
package ledger
