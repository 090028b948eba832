package referee

import "time"

// lostAfter is how long the camera may show nothing that can be judged before the players are told (X2).
const lostAfter = 1600 * time.Millisecond

// watchCamera tells once when the camera is blocked or lost, and forgets it when it sees again.
func (r *Referee) watchCamera() {
	e := &r.Eyes
	switch {
	case e.Last == e.Clear:
		if r.Notice == tellCamera {
			r.Notice = ""
		}
	case e.Last-e.Clear >= lostAfter && r.Notice != tellCamera:
		r.attention(tellCamera, r.ruling("X2", nil), nil)
	}
}
