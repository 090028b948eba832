// Package watchdog tells systemd that the program lives only while its loops truly turn: a program that hangs is
// killed and started again, and goes on with the match where it was.
package watchdog
