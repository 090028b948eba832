// Package embargo dates what happens at a table for the public (PUB-1). A turn may be shown only after the window in
// which it can be corrected has closed, with the next throw (IRREG-4), and then late by a fixed delay. Whoever
// publishes to spectators, over MQTT or on pages, asks an Embargo when each event and state is due.
package embargo
