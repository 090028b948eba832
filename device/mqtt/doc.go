// Package mqtt shows a table to the world and takes decisions from it: the topics below davar/<club>/<table>/.
//
// A Publisher sends events and states to a broker, any broker, and never makes its caller wait: what it is given
// it keeps in memory, and what no longer fits there it fetches again from the journal. A Broker is the broker
// that a single table or club needs, inside this program, with an access list. Commands come in by the same
// connection, each with a transaction and an answer.
//
// Every payload but that of available is a JSON object with v (version of its form), seq and match. Public
// topics hold what the Policy lets out, as late as it says; the private ones hold everything at once and need
// credentials. Delivery is at least once: who follows events goes by seq and leaves out what he has seen.
package mqtt
