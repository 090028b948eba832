package main

import "time"

// provenAfter is how long a new version must have worked before it counts as good.
const provenAfter = 20 * time.Second

// proven is called when this version has worked for provenAfter.
func proven() {}
