// Package metrics counts and times what a table does, for Prometheus: how old the picture is, what reading it costs and
// how sure it is, presses, events, queues, faults and memory. Names of players, passwords and positions are none of it.
package metrics
