// Package journal keeps every event of every match at a table, durable before anybody is shown it.
//
// It is one SQLite file (write-ahead log, synchronous=FULL) with one writer. Events are appended and never
// changed. Each row's hash covers the hash before it and the event's exact bytes, so that Verify can prove that
// nothing was altered, removed or put in between. With the events of a batch goes, in the same transaction, what
// a restart needs: the referee's checkpoint and the table's own resume data.
//
// The chain shows that a log is whole; it is no signature. Who can rewrite the whole file can write a new chain.
package journal
