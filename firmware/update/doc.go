// Package update replaces the program by a newer one that its makers have signed, in one step, and goes back to the last
// good one when the new one does not prove itself.
//
// A store is a folder: versions/VERSION holds each program with its signed manifest, state.json says which is good and
// which is being tried. davar-launch, which systemd starts, chooses by it; a version that was started MaxTries times and
// never called Healthy is not started again.
package update
