// Package hub shows the tables that publish to a broker, of one club or of many, to spectators: the pages of package
// web's Hall, fed by the public topics of package mqtt.
//
// A hub keeps nothing over its own end and is asked nothing by the tables. Everything a page needs is in the state that
// the broker retains, so any number of hubs may stand behind one plain load balancer, and a spectator whom it leads to
// another loses nothing. How late the public topics are is the tables' own doing: a hub never has what is not yet due.
package hub
