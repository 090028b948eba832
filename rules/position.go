package rules

// Indices of a side's row in Position.Checkers that are not points.
const (
	Off = 0  // borne off
	Bar = 25 // on the bar
)

// Position says where the checkers of both sides stand. Checkers[s][p] is the number of checkers that
// side s has on p in its OWN numbering: 24 (rear) to 1 (ace point), Bar (25), Off (0) (SETUP-1). Point p of
// one side and point 25-p of the other are the same triangle. A side may have fewer than fifteen in all when
// a checker was excluded (IRREG-9). Positions are comparable with == and serve as map keys.
type Position struct {
	Checkers [2][26]uint8
}
