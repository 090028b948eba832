package web

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"davar/device/phrasebook"
)

// Afar reaches what the tables of a hall have for their directors besides taking decisions. Its methods wait for a table's
// answer, at the longest until ctx ends.
type Afar interface {
	// Picture returns a picture of a kind, of the ruling with number seq where it is evidence.
	Picture(ctx context.Context, at Place, kind string, seq int64) (Photo, error)
	// Read is Calibrator.Try at the table.
	Read(ctx context.Context, at Place, corners *[4]Corner) (*Calibrated, error)
	// Keep is Calibrator.Keep at the table, in the name of a director.
	Keep(ctx context.Context, at Place, corners [4]Corner, by string) error
	// Form is MatchMaker.Form at the table.
	Form(ctx context.Context, at Place) ([]Field, error)
	// Begin is Server.SetUp at the table where match is played.
	Begin(ctx context.Context, at Place, match string, wish MatchWish) error
}

// Kinds of pictures.
const (
	PictureSeen   = "seen"   // the newest, with what was read of it drawn in
	PictureCamera = "camera" // the newest as the camera gave it
	PictureBefore = "before" // evidence of a ruling: the board before the play
	PictureAfter  = "after"  // and what the ruling is about
)

// What a table can be asked from afar.
const (
	AskPicture   = "picture"
	AskCalibrate = "calibrate"
	AskSetup     = "setup"
)

// Photo is a picture from afar.
type Photo struct {
	JPEG  []byte
	Size  [2]int // width and height as the camera gave it; the JPEG may be smaller
	Taken time.Time
}

// Equipment is what a table of a hall has, as it says to directors.
type Equipment struct {
	Faults []string // devices that fail, named as the texts "fault." are
	Asks   []string // what it can be asked
}

const (
	pictureTimeout = 8 * time.Second        // for a picture from afar
	glanceFresh    = 600 * time.Millisecond // how long a live picture is the newest, however many look
	evidenceAge    = "private, max-age=86400"
	sizeHeader     = "Davar-Picture-Size" // width and height of the camera's own picture, where what is sent is smaller
)

// far is a table of a hall as its console reaches it.
type far struct {
	Afar
	at   Place
	seen map[string]*glance // the live pictures, by their kind
}

func newFar(afar Afar, at Place) *far {
	return &far{afar, at, map[string]*glance{PictureSeen: newGlance(), PictureCamera: newGlance()}}
}

// glance is a live picture that many look at: it is asked for once for all of them.
type glance struct {
	asking chan struct{} // holds a token for who asks

	mu    sync.Mutex
	photo Photo
	when  time.Time
}

func newGlance() *glance { return &glance{asking: make(chan struct{}, 1)} }

func (g *glance) fresh() (Photo, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.photo, time.Since(g.when) < glanceFresh
}

// look returns a picture that is new enough, and asks for one where there is none.
func (g *glance) look(ctx context.Context, ask func(context.Context) (Photo, error)) (Photo, error) {
	select {
	case g.asking <- struct{}{}:
	case <-ctx.Done():
		return Photo{}, ctx.Err()
	}
	defer func() { <-g.asking }()
	if photo, ok := g.fresh(); ok {
		return photo, nil
	}
	photo, err := ask(ctx)
	if err == nil {
		g.mu.Lock()
		g.photo, g.when = photo, time.Now()
		g.mu.Unlock()
	}
	return photo, err
}

// canBeAsked tells whether a table of a hall has something. A table's own console has what its settings have.
func (s *Server) canBeAsked(what string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.far != nil && slices.Contains(s.equipment.Asks, what)
}

// farPicture is GET …/director/picture.jpg at a hall.
func (c console) farPicture(w http.ResponseWriter, r *http.Request) {
	kind := PictureSeen
	if r.URL.Query().Get("plain") != "" {
		kind = PictureCamera
	}
	ctx, cancel := context.WithTimeout(r.Context(), pictureTimeout)
	defer cancel()
	photo, err := c.far.seen[kind].look(ctx, func(ctx context.Context) (Photo, error) {
		return c.far.Picture(ctx, c.far.at, kind, 0)
	})
	c.sendPhoto(w, photo, err)
}

// evidence is GET …/director/evidence/{seq}/{role} at a hall: a picture that a ruling rests on.
func (c console) evidence(w http.ResponseWriter, r *http.Request) {
	seq, err := strconv.ParseInt(r.PathValue("seq"), 10, 64)
	role := r.PathValue("role")
	if err != nil || seq < 1 || role != PictureBefore && role != PictureAfter {
		http.NotFound(w, r)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), pictureTimeout)
	defer cancel()
	photo, err := c.far.Picture(ctx, c.far.at, role, seq)
	if err == nil {
		w.Header().Set("Cache-Control", evidenceAge) // of its match and number: it does not change
	}
	c.sendPhoto(w, photo, err)
}

// sendPhoto answers with a picture, or with nothing where there is none: a page asks again.
func (c console) sendPhoto(w http.ResponseWriter, photo Photo, err error) {
	if err != nil {
		c.log.Debug("a picture of a table was not to be had", "club", c.far.at.Club, "table", c.far.at.Table, "error", err)
		w.WriteHeader(http.StatusNoContent)
		return
	}
	w.Header().Set(sizeHeader, strconv.Itoa(photo.Size[0])+"x"+strconv.Itoa(photo.Size[1]))
	sendPicture(w, photo.JPEG, photo.Taken)
}

// farCalibrator is a table's calibrator as a director of a hall has it.
type farCalibrator struct {
	*far
	by string
}

// Try implements Calibrator.
func (f farCalibrator) Try(ctx context.Context, corners *[4]Corner) (*Calibrated, error) {
	return f.Afar.Read(ctx, f.at, corners)
}

// Keep implements Calibrator.
func (f farCalibrator) Keep(ctx context.Context, corners [4]Corner) error {
	return f.Afar.Keep(ctx, f.at, corners, f.by)
}

// calibrator returns what learns where the board lies for somebody, nil: nothing does.
func (c console) calibrator(who caller) Calibrator {
	switch {
	case c.far == nil:
		return c.settings.Calibrator
	case c.canBeAsked(AskCalibrate):
		return farCalibrator{c.far, who.Name}
	}
	return nil
}

// form returns what can be set for a match at the table, false where no match can be begun from here.
func (c console) form(ctx context.Context) ([]Field, bool, error) {
	switch {
	case c.far == nil && c.settings.MatchMaker != nil:
		return c.settings.MatchMaker.Form(), true, nil
	case c.far == nil || !c.canBeAsked(AskSetup):
		return nil, false, nil
	}
	ctx, cancel := context.WithTimeout(ctx, orderTimeout)
	defer cancel()
	fields, err := c.far.Form(ctx, c.far.at)
	known := c.book.Phrases(phrasebook.English)
	fields = slices.DeleteFunc(fields, func(f Field) bool { // a newer table's: it stays as it is there
		_, ok := known[f.Label()]
		return !ok
	})
	return fields, true, err
}

// begin has the table begin a match.
func (c console) begin(ctx context.Context, wish MatchWish) error {
	if c.far == nil {
		return c.SetUp(ctx, wish)
	}
	if !c.canBeAsked(AskSetup) {
		return errNoMatch
	}
	c.mu.Lock()
	match := ""
	if c.shown != nil {
		match = c.shown.state.Match
	}
	c.mu.Unlock()
	if c.locked() && !wish.Abandon {
		return ErrLocked
	}
	ctx, cancel := context.WithTimeout(ctx, orderTimeout)
	defer cancel()
	err := c.far.Begin(ctx, c.far.at, match, wish)
	if !errors.As(err, &FieldErrors{}) {
		c.log.Info("a match was set up at a table", "club", c.far.at.Club, "table", c.far.at.Table, "by", wish.By, "abandoned", wish.Abandon, "error", err)
	}
	return err
}
