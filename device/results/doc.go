// Package results hands each finished match of a journal to the tournament: as files in a folder, or to an address on
// the web. What has been handed over is written into the journal's chain, so that nothing is lost over failures and
// restarts and nothing is sent again.
package results
