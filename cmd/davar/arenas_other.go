//go:build !linux

package main

// boundArenas is not needed here.
func boundArenas() {}
