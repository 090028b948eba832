// Package panel is what stands beside the board of one table: the players' buttons, the lamps and the buzzer, the
// displays. It hands presses to the table with the moment of their edge and shows the clock as it stands.
//
// Each device has a goroutine of its own and waits for nobody but itself: a display that does not answer holds up no
// lamp, lamps hold up no button, and none of them holds up the clock. What fails is told, and told again when it works.
package panel
