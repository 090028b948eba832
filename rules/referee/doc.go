// Package referee turns what is seen and pressed at a table into rolls, plays and rulings.
//
// It is one deterministic function: Handle takes one Input after the other, each with its own time, and
// returns the events that follow from it. No goroutine, file, device or wall clock is used; the same inputs
// give the same events, byte for byte. All it knows is plain data: a checkpoint of it goes on where it was.
//
// # The table's life
//
// setup → opening → await → rolled → (ended →) await … → over → setup, as the rule book's life-cycle has it: in
// await a double or a throw is looked for, in rolled the moves are let alone until the turn ends by the clock or by
// lifting the dice (TURN-2 to TURN-4), in ended an illegal play waits to be corrected (IRREG-4).
//
// # How it decides
//
// Still pictures of one unmoving board are added up as logarithms of probability. When a turn has ended, every
// legal result of the roll is weighed against them, and beside those what else the dice, the turn before, or no move
// at all would explain. A legal play that explains the pictures and leads the others is taken at once. A ruling
// needs a position that was seen for a while, contradicts every legal play in two places at least and beats each by a
// wide margin, whatever the dice may have been misread for. Between the two the referee asks, politely and once, and
// goes on looking; should play go on, the likeliest is taken, and put right when what follows shows it to be wrong.
//
// Nothing is held against a player whose turn may have begun elsewhere than the referee believes, whose throw is in dispute,
// or of whom it is certain that he broke a rule but not which: that is asked about.
// What speaks for a player need be no more than likely, such as dice of a throw before that were seen faintly.
//
// A roll of which nothing was seen is inferred from what was played; two turns of which only the end was seen are made
// out together if one pair of plays explains it clearly better than any other; a turn that cannot be made out is asked
// about and let go, and the game is followed on from the position on the board.
//
// A person's word puts right whatever proves to have been otherwise, also when the match was thought to be over, until the
// next one begins: what was played, the cube, the score, or that a game was the Crawford game (CUBE-12). What follows is
// derived anew, and a match that was not won after all goes on.
//
// # What it says
//
// Every announcement of RULES §3 has one row in announcements: rules, severity, remedy, who may act and until when. One
// that asks for something stays open until it is acted upon, put right in time (it is withdrawn) or lapses because play
// has gone on. What stops play stops the clocks until it is settled. Questions are announcements too: an attention event
// carries X1 and the decisions that answer it.
package referee
