// Package hub shows the tables that publish to a broker, of one club or of many: to spectators by the pages of package
// web's Hall, fed by the public topics of package mqtt, and to directors, who sign in, by a console fed by the private
// ones, from which their decisions go to the tables as commands, and so does what they ask for: the camera's picture, the
// evidence of a ruling, calibration, the next match.
//
// A hub keeps nothing over its own end and is asked nothing by the tables. Everything a page needs is in the state that
// the broker retains, and a director's session is with his browser, sealed, so any number of hubs may stand behind one
// plain load balancer, and whoever is led to another loses nothing. How late the public topics are is the tables' own
// doing: what spectators see is made of those alone.
package hub
