package vision

import (
	"fmt"
	"time"

	"davar/rules"
	"davar/rules/sighting"

	"gocv.io/x/gocv"
)

// WatcherSettings say what a watcher knows of its table beforehand.
type WatcherSettings struct {
	// Layout says who sits where; both words must be set.
	Layout Layout
	// Corners are the playing surface's, TL, TR, BR, BL of the rectified view; nil: they are found in the picture.
	Corners *[4]Pixel
	// BarLeft and BarRight are the bar's edges as shares of the rectified width; both 0: found in the picture.
	BarLeft, BarRight float64
	// Bend is how the lens bends the picture, as a calibration has it; 0: not at all, or not known.
	Bend float64
	// FrozenAfter is how long one and the same picture may come before the camera counts as frozen; 0: for ever, as
	// it must be with films, which hold still pictures.
	FrozenAfter time.Duration
	// Looks are what the board was seen to look like when it was calibrated; nil: not known before the starting
	// position is seen. They are learned anew whenever it is.
	Looks *Appearance
}

// How a watcher goes about its work.
const (
	averaged      = 4    // readings of a still region that are averaged at most; then it is not read again
	doubtless     = 0.99 // probability from which one reading is enough
	changeShows   = 0.02 // share of a region's pixels that must have changed since it was read for it to be read again
	wholeMoves    = 0.45 // share of all pixels that changes when camera or board move, or somebody bends over
	spreadMoves   = 0.6  // share of all regions in which something moves when camera or board may have moved
	darkest       = 9    // mean grey level below which nothing can be read
	blurs         = 0.15 // share of the usual detail below which the picture is blurred
	seekEvery     = 5    // frames between two searches for a lost board
	checkEvery    = 25   // frames between two looks at the frame of a known board
	bumpedBy      = 0.01 // share of the board a corner must move by to count as moved
	bumpedCorners = 3    // corners that must, for the board to count as moved
	bumpedChecks  = 2    // checks in a row that must agree
)

// armSure is the probability that what reaches over the board's edge is an arm.
const armSure = 0.9

// finder is what a watcher needs of the finder of dice and cube.
type finder interface {
	Begin()
	Step(img gocv.Mat, g *Geometry) (dice []Die, cube *Cube, done bool, err error)
	Close() error
}

// Watcher follows one board through the frames of a camera or film. It owns its Mats and networks; Close frees
// them. It is not safe for concurrent use.
type Watcher struct {
	settings WatcherSettings
	picture  *picture
	flicker  *flicker
	board    *boardFinder
	points   *pointReader
	dice     finder
	motion   *motion
	arm      armWatch
	looks    looks
	light    light

	size     [2]int // of the frames
	geometry *Geometry
	bias     offsets       // where the corners are seen beside those of geometry
	bumps    int           // checks in a row that saw the board elsewhere
	frames   int           // seen
	seenAt   time.Duration // the time of the last one
	pace     time.Duration // between the last two
	checked  int           // the frame of the last check of where the board lies
	sharp    float64       // the usual detail

	fused     Reading          // the mean of what was read of each region since it changed
	likely    Reading          // fused, sharpened by the number of checkers there are
	reads     [regionCount]int // readings averaged in each region
	pointsAt  snapshot         // the view when the points were last read
	readAt    time.Duration    // and the time
	diceAt    snapshot         // the view when the dice were last read
	seekAt    snapshot         // the view when the finding of dice that is under way began; not taken: none is
	diceReads int              // of the dice since they changed
	diceLast  bool             // the dice were read last, not the points
	suspect   bool             // the board may have been moved
	strayed   bool             // it was lost where it had been placed by hand: it must be found
	same      time.Duration    // since when one and the same picture comes
	hadSame   bool
}

// NewWatcher returns a watcher; it fails on settings that make no sense and when the installed OpenCV cannot run
// the networks.
func NewWatcher(s WatcherSettings) (*Watcher, error) {
	if err := s.Layout.check(); err != nil {
		return nil, err
	}
	if s.Corners != nil {
		if _, err := s.geometry(0.5, 0.5); err != nil {
			return nil, err
		}
	}
	board, points, dice, err := openNetworks()
	if err != nil {
		return nil, err
	}
	w := &Watcher{settings: s, picture: newPicture(), flicker: newFlicker(), board: board, points: points, dice: dice, motion: newMotion(), looks: newLooks(&s)}
	return w, nil
}

// geometry returns the geometry the settings give, with the bar's edges seen where they give none.
func (s *WatcherSettings) geometry(seenLeft, seenRight float64) (*Geometry, error) {
	left, right := s.BarLeft, s.BarRight
	if left == 0 && right == 0 {
		left, right = seenLeft, seenRight
	}
	return NewGeometry(*s.Corners, left, right)
}

// Close frees the watcher's Mats and networks.
func (w *Watcher) Close() error {
	w.picture.close()
	w.flicker.close()
	w.board.close()
	w.points.close()
	w.motion.close()
	w.looks.close()
	return w.dice.Close()
}

// Geometry returns where the board lies as far as the watcher knows, nil when it does not.
func (w *Watcher) Geometry() *Geometry { return w.geometry }

// Reading returns what was last read, averaged over the frames since each region changed, in the picture's own terms.
// It is overwritten by the next Watch.
func (w *Watcher) Reading() *Reading { return &w.likely }

// Watch takes the frame numbered n, taken at t since the match's first frame, and returns what it shows. An empty
// frame is a lost camera, not an error; a frame that is no picture (OpenCV type) is.
func (w *Watcher) Watch(frame gocv.Mat, t time.Duration, n int) (*sighting.Sighting, error) {
	s := &sighting.Sighting{T: t, Frame: n}
	if w.pace = atLeisure; w.frames > 0 {
		w.pace = t - w.seenAt
	}
	w.frames++
	w.seenAt = t
	if frame.Empty() {
		return unseen(s, sighting.SceneLost), nil
	}
	bgr, err := w.picture.take(frame)
	if err != nil {
		return nil, err
	}
	bgr, evened, err := w.flicker.take(bgr)
	if err != nil {
		return nil, fmt.Errorf("vision: watch the board: %w", err)
	}
	if evened {
		w.forget()
	}
	if size := [2]int{bgr.Cols(), bgr.Rows()}; size != w.size {
		w.size = size
		w.lose()
	}
	if w.geometry == nil {
		if ok, err := w.locate(bgr); !ok {
			return unseen(s, sighting.SceneNoBoard), err
		}
	}
	last, err := w.motion.observe(bgr, w.geometry)
	if err != nil {
		return nil, fmt.Errorf("vision: watch the board: %w", err)
	}
	if scene := w.scene(t, &last); scene != sighting.SceneClear {
		return unseen(s, scene), nil
	}
	w.light.see(w.motion.levels)
	w.suspect = w.suspect || last.spread() > spreadMoves
	if !last.any() && (w.suspect || w.frames-w.checked >= checkEvery) {
		if moved, err := w.check(bgr); err != nil || moved {
			return unseen(s, sighting.SceneBumped), err
		}
	}
	if err := w.read(bgr, &last, t); err != nil {
		return nil, err
	}
	if last.relit() {
		w.arm.relit(&w.motion.last.levels)
	}
	arm := w.arm.observe(&w.motion.last.levels, t, w.points.hand, w.readAt)
	covered := last
	if arm { // what changed since it came may be the arm, or behind it
		covered = w.motion.since(&w.motion.free)
	} else if !last.any() {
		w.motion.keepFree()
	}
	w.report(s, &last, &covered, arm)
	return s, nil
}

// unseen makes s a sighting that shows nothing.
func unseen(s *sighting.Sighting, scene sighting.Scene) *sighting.Sighting {
	s.Scene, s.Still, s.DiceHidden = scene, false, true
	for i := range s.Points {
		s.Points[i] = sighting.Point{Hidden: true}
	}
	for i := range s.Bar {
		s.Bar[i], s.Off[i] = sighting.Pile{}, sighting.Pile{}
	}
	s.Dice, s.Cube = nil, nil
	return s
}

// read reads what has changed since it was last read, or was not yet read often enough to be sure: the points or the
// dice, in turns when it is both, and these in parts (Finder.Step), so that no frame costs as much as all of it does.
func (w *Watcher) read(bgr gocv.Mat, last *changes, now time.Duration) error {
	points, dice := w.motion.since(&w.pointsAt), w.motion.since(&w.diceAt)
	pointsDue, diceDue := w.pointsDue(&points, last), w.diceDue(&dice, last)
	switch {
	case pointsDue && (!diceDue || w.diceLast):
		w.diceLast = false
		w.readAt = now
		return w.readPoints(bgr, &points)
	case diceDue:
		w.diceLast = true
		return w.seekDice(bgr, &dice)
	}
	return nil
}

// pointsDue tells whether the points must be read: some changed since they were and have come to rest, or leave doubt.
func (w *Watcher) pointsDue(since, last *changes) bool {
	if !w.pointsAt.taken {
		return true
	}
	for i := range since.region {
		if since.settled(last, i) || !last.moves(i) && w.reads[i] < averaged && w.doubt(i) {
			return true
		}
	}
	return false
}

// nextLook returns in which of everyAspect the points are looked at: what changed, as it is; what leaves doubt, differently each time, for
// the same look at a still board says the same again.
func (w *Watcher) nextLook(since *changes) int {
	next := averaged
	for i, n := range w.reads {
		switch {
		case !w.pointsAt.taken || since.region[i] > changeShows:
			return 0
		case w.doubt(i):
			next = min(next, n)
		}
	}
	return next % len(everyAspect)
}

// doubt tells whether what was read of a region leaves doubt.
func (w *Watcher) doubt(region int) bool {
	if region == regionBar {
		_, light := w.likely.Bar[rules.Light].Best()
		_, dark := w.likely.Bar[rules.Dark].Best()
		return min(light, dark) < doubtless
	}
	point := &w.likely.Top[region%12]
	if region >= 12 {
		point = &w.likely.Bottom[region-12]
	}
	_, p := point.Counts.Best()
	return min(p, max(point.Mixed, 1-point.Mixed)) < doubtless
}

// readPoints reads the points and averages them with the readings before, region by region, where nothing changed.
func (w *Watcher) readPoints(bgr gocv.Mat, since *changes) error {
	now := Reading{Geometry: w.geometry}
	look := w.nextLook(since)
	if err := w.points.read(bgr, w.geometry, everyAspect[look:look+1], &now); err != nil {
		return err
	}
	if err := w.looks.weigh(w.motion.view(), &now); err != nil {
		return err
	}
	for i := range w.reads {
		if !w.pointsAt.taken || since.region[i] > changeShows {
			w.reads[i] = 0
		}
		w.reads[i] = min(w.reads[i]+1, averaged)
	}
	for i := range 12 {
		blend(&w.fused.Top[i], &now.Top[i], w.reads[i])
		blend(&w.fused.Bottom[i], &now.Bottom[i], w.reads[12+i])
	}
	for i := range now.Bar {
		blendPile(&w.fused.Bar[i], &now.Bar[i], w.reads[regionBar])
	}
	w.fused.Geometry = w.geometry
	dice, cube := w.likely.Dice, w.likely.Cube
	w.likely = w.fused
	conserve(&w.likely, blankTrays())
	w.likely.Dice, w.likely.Cube = dice, cube
	w.pointsAt = w.motion.last
	return w.looks.recheck(w.motion.view(), &w.likely)
}

// report fills s with what was last read, less what moves now, is covered or has changed since; arm tells whether
// somebody reaches over the board.
func (w *Watcher) report(s *sighting.Sighting, last, covered *changes, arm bool) {
	shown := w.likely
	old, oldDice := w.motion.since(&w.pointsAt), w.motion.since(&w.diceAt)
	gone := func(region int) bool { return last.moves(region) || covered.moves(region) }
	hides := func(region int) bool { return gone(region) || old.moves(region) || !w.pointsAt.taken }
	for i := range 12 {
		shown.Top[i].Hidden = shown.Top[i].Hidden || hides(i)
		shown.Bottom[i].Hidden = shown.Bottom[i].Hidden || hides(12+i)
	}
	for i := range shown.Bar {
		shown.Bar[i].Visible = shown.Bar[i].Visible && !hides(regionBar)
	}
	s.Points = w.settings.Layout.points(&shown)
	s.Bar, s.Off = shown.Bar, shown.Off
	s.Hand = w.points.hand
	if arm {
		s.Hand = max(s.Hand, armSure)
	}
	s.Reach = w.settings.Layout.reach(w.arm.from)
	hidden := arm
	for i := range s.Points {
		hidden = hidden || s.Points[i].Hidden
	}
	s.Still = !hidden && !last.any()
	s.DiceHidden = !s.Still || !w.diceAt.taken || oldDice.any()
	for i := range shown.Dice {
		d := &shown.Dice[i]
		if region := regionOf(float64(d.U), float64(d.V), w.geometry); gone(region) || oldDice.moves(region) {
			continue
		}
		s.Dice = append(s.Dice, d.Die)
	}
	s.Cube = w.cube(shown.Cube)
}

// cube translates the cube to the players' terms.
func (w *Watcher) cube(c *Cube) *sighting.Cube {
	if c == nil {
		return nil
	}
	seen := &sighting.Cube{Place: w.settings.Layout.cube(c, w.geometry), PPlace: c.Real}
	seen.Value, seen.PValue = c.Best()
	return seen
}
