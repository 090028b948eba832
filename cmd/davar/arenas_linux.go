package main

/*
#include <malloc.h>

static void bound_arenas(int most) {
#ifdef __GLIBC__
	mallopt(M_ARENA_MAX, most);
#endif
}
*/
import "C"

// mostArenas are enough for what reads pictures and what else allocates beside it.
const mostArenas = 2

// boundArenas keeps memory flat from match to match. OpenCV allocates on whatever thread Go happens to run it, and glibc
// gives each thread an arena of its own, up to eight a core, of which it hardly gives anything back.
func boundArenas() { C.bound_arenas(mostArenas) }
