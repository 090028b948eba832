// Package web shows a table to the world: a page with the board, the clocks, the plays and the rulings, kept up to
// date by server-sent events, and one for a screen beside the board, readable from two metres, which for those who sign
// in has clock buttons and the director's decisions.
//
// The director has a console (console.go): all tables, who needs him first; one table with what its camera sees, what is
// open and its evidence; the corners of the board dragged by hand; matches set up, from a draw sheet too; and the tablets
// that may press the clock. Who has signed in is a director or the unit at a table (Role); spectators need no account.
//
// Anybody may look; nothing that changes a match is open without the password. Spectators get a view made by
// list (view.go): what it does not name never leaves the house, above all no legal or better play (EQUIP-9) and
// no ruling meant for the director (PUB-2, MON-4).
//
// Publishing never blocks: what is told is encoded once for all, every viewer has a goroutine of his own that takes the
// newest state when he is ready for it, and a viewer who does not keep up with the events is dropped and comes back by
// himself.
//
// The pages are plain modules and style sheets in page/, served as they lie there.
package web
