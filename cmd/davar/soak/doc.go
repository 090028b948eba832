// Command soak drives the whole program for hours while what it leans on fails. It plays a filmed game over and over before
// davar run, as a camera on the network and a player's presses would, with a broker, viewers on MQTT and spectators of the
// page, and a director who sets up a match anew each time. A fault happens every so often: the camera is unplugged or hangs,
// the broker stops, the network is cut, the disk is full, the process is killed, the wall clock jumps by an hour and back.
//
// The clock that jumps is the one program's alone; that of the machine, on which others run, stays what it is (see wall).
//
// At the end it proves that every event that anybody was shown is in the match log, that the log is whole, that the table
// got over every fault, and that memory and goroutines stayed what they were. Run it as make soak HOURS=1.
package main
