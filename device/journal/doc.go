// Package journal keeps every event of every match at a table, durable before anybody is shown it.
//
// It is one SQLite file (write-ahead log, synchronous=FULL) with one writer. Events are appended and never
// changed. Each row's hash covers the hash before it and the event's exact bytes, so that Verify can prove that
// nothing was altered, removed or put in between. With the events of a batch goes, in the same transaction, what
// a restart needs: the referee's checkpoint and the table's own resume data.
//
// Evidence pictures lie in files beside it, davar.pictures for davar.db, with their hashes in the chain; a budget
// bounds them. Names put right, matches deleted and pictures removed are rows of the chain like any other.
//
// The chain shows that a log is whole; it is no signature. Who can rewrite the whole file can write a new chain. What
// leaves the house, Export signs with the journal's own ed25519 key (davar.db.key), made when it is first opened.
package journal
