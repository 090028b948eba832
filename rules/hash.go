package rules

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
)

// ResultHash returns the fingerprint of a set of plays by which programs compare their generators: the SHA-256, in
// lower-case hex, of the GNU position IDs of all final positions, mover still on roll, sorted and joined by
// newlines. The empty set has the hash of the empty text.
func ResultHash(plays []Play, mover Side) string {
	ids := make([]string, len(plays))
	for i := range plays {
		ids[i] = plays[i].Final.ID(mover)
	}
	slices.Sort(ids)
	sum := sha256.Sum256([]byte(strings.Join(ids, "\n")))
	return hex.EncodeToString(sum[:])
}

// DiceUsed returns how many numbers of a roll must be played: the moves of each of its plays, 0 when there is none.
func DiceUsed(plays []Play) int {
	if len(plays) == 0 {
		return 0
	}
	return int(plays[0].N)
}
