package mqtt

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// What a director may ask of a table, besides deciding: the names of commands that Options.Desk carries out.
const (
	AskPicture   = "picture"   // what the camera sees, or the evidence of a ruling
	AskCalibrate = "calibrate" // read the board at some corners, or go on with them
	AskForm      = "form"      // what can be set for a match
	AskSetup     = "setup"     // begin a match
)

// asks are all of them.
var asks = []string{AskPicture, AskCalibrate, AskForm, AskSetup}

// Kinds of pictures.
const (
	PictureSeen   = "seen"   // the newest of the camera, with what was read of it drawn in
	PictureCamera = "camera" // the newest as the camera gave it
	PictureBefore = "before" // evidence of a ruling: the board before the play
	PictureAfter  = "after"  // and what the ruling is about
	PictureBoard  = "board"  // the rectified board with what was read drawn in, beside the answer to calibrate
)

// wanted are the kinds that can be asked for.
var wanted = []string{PictureSeen, PictureCamera, PictureBefore, PictureAfter}

// Limits of what is asked and answered.
const (
	// MaxPicture is how large a picture may be that goes through a broker, in bytes of JPEG.
	MaxPicture = 120 << 10
	maxReader  = 32
	minReader  = 8
	maxFields  = 100
	maxValues  = 50  // of a choice
	maxText    = 200 // bytes of a key, a value or a name of a field
	// farthest is how far outside the picture a corner may be said to lie, in pixels; no camera has so many.
	farthest = 20_000
)

// Ask is what every request begins with.
type Ask struct {
	V           int    `json:"v,omitempty"`
	Transaction string `json:"transaction"`      // chosen by the sender; the same again is not carried out again
	Match       string `json:"match,omitempty"`  // when set, the request holds only while this match is played
	By          string `json:"by,omitempty"`     // the account, as a broker of our own writes it
	Person      string `json:"person,omitempty"` // whom the account speaks for
}

// PicturePayload is what a table publishes on private/picture/<reader> for who asked for it: not retained, and at QoS 0,
// for a picture that comes too late is of no use.
type PicturePayload struct {
	V           int    `json:"v"`
	Seq         int64  `json:"seq"` // of the newest event when it was sent
	Match       string `json:"match"`
	Transaction string `json:"transaction"` // of the request it answers
	Kind        string `json:"kind"`        // seen, camera, before, after or board
	Picture
}

// Picture is a picture as it goes through a broker.
type Picture struct {
	Size  [2]int `json:"size"`            // width and height as the camera gave it; the JPEG may be smaller
	Taken string `json:"taken,omitempty"` // RFC 3339
	JPEG  []byte `json:"jpeg"`            // at most 120 KiB, base64 on the wire
}

// PictureRequest is what command/picture holds. The answer on response/picture tells whether there is one, which then comes
// on private/picture/<reader>.
type PictureRequest struct {
	Ask
	Reader string `json:"reader"`        // 8 to 32 letters and digits, the sender's own
	Kind   string `json:"kind"`          // seen, camera, before or after
	Seq    int64  `json:"seq,omitempty"` // the ruling's number, for before and after
}

// CalibrateRequest is what command/calibrate holds.
type CalibrateRequest struct {
	Ask
	Reader string `json:"reader,omitempty"` // where the rectified view is to be shown; empty: nowhere
	// Corners are top left, top right, bottom right, bottom left of the playing surface, in pixels of the camera's picture;
	// without them the board is looked for.
	Corners *[4][2]float64 `json:"corners,omitempty"`
	Keep    bool           `json:"keep,omitempty"` // go on with the corners from now on
}

// CalibrateResponse answers calibrate on response/calibrate.
type CalibrateResponse struct {
	ResponsePayload
	Read *BoardRead `json:"read,omitempty"` // what is at the corners; not with keep
}

// BoardRead is what a picture shows at some corners.
type BoardRead struct {
	Corners [4][2]float64 `json:"corners"`
	Size    [2]int        `json:"size"` // width and height of the camera's picture
	// Top and Bottom are signed counts from the left, light positive.
	Top    [12]int `json:"top"`
	Bottom [12]int `json:"bottom"`
	Bar    [2]int  `json:"bar"`   // light, dark
	Sure   float64 `json:"sure"`  // probability of the least sure point
	Start  bool    `json:"start"` // it is the starting position
}

// FormRequest is what command/form holds.
type FormRequest struct{ Ask }

// FormResponse answers form on response/form.
type FormResponse struct {
	ResponsePayload
	Fields []Field `json:"fields,omitempty"`
}

// Field is one thing that can be set for a match, under its name in the table's configuration.
type Field struct {
	Key    string   `json:"key"`  // such as match.light
	Kind   string   `json:"kind"` // text, number, switch, choice or time
	Value  string   `json:"value"`
	Values []string `json:"values,omitempty"` // of a choice; an empty one stands for what variant or preset say
	Min    int      `json:"min,omitempty"`    // of a number
	Max    int      `json:"max,omitempty"`
	More   bool     `json:"more,omitempty"` // seldom changed
}

// SetupRequest is what command/setup holds: the match that is on the table is left as it stands, and another begins.
type SetupRequest struct {
	Ask
	Values  map[string]string `json:"values"`            // by the keys of the fields; those not given stay as they are
	Abandon bool              `json:"abandon,omitempty"` // also when the first game has begun (PROC-5)
}

// SetupResponse answers setup on response/setup.
type SetupResponse struct {
	ResponsePayload
	Wrong map[string]string `json:"wrong,omitempty"` // why a value is wrong, by its key
}

// request is one of the requests.
type request interface {
	ask() *Ask
	check() error
}

func (a *Ask) ask() *Ask { return a }

// decodeRequest reads a request strictly. Its transaction is set as far as it could be read also with an error.
func decodeRequest(body []byte, into request) error {
	if len(body) > maxCommand {
		return errors.New("the request is too long")
	}
	strict := json.NewDecoder(bytes.NewReader(body))
	strict.DisallowUnknownFields()
	err := strict.Decode(into)
	ask := into.ask()
	switch {
	case len(ask.Transaction) > maxTransaction:
		ask.Transaction = ""
		return errors.New("the transaction is too long")
	case err != nil:
		return fmt.Errorf("the request cannot be read: %w", err)
	case ask.Transaction == "":
		return errors.New("the request has no transaction: give each its own")
	case ask.V > Version:
		return fmt.Errorf("the request has version %d, this table knows %d", ask.V, Version)
	}
	if err := checkPerson(ask.Person); err != nil {
		return err
	}
	return into.check()
}

func (*FormRequest) check() error { return nil }

func (r *PictureRequest) check() error {
	switch {
	case !isReader(r.Reader):
		return fmt.Errorf("say in reader where the picture is to go: %d to %d letters and digits", minReader, maxReader)
	case !slices.Contains(wanted, r.Kind):
		return fmt.Errorf("there is no kind of picture %.20q: ask for one of %s", r.Kind, strings.Join(wanted, ", "))
	}
	return nil
}

func (r *CalibrateRequest) check() error {
	if r.Reader != "" && !isReader(r.Reader) {
		return fmt.Errorf("the reader must have %d to %d letters and digits", minReader, maxReader)
	}
	if r.Corners == nil {
		if r.Keep {
			return errors.New("say which corners are to be kept")
		}
		return nil
	}
	for _, c := range r.Corners {
		if !(max(c[0], -c[0], c[1], -c[1]) <= farthest) {
			return errors.New("a corner lies far outside the picture")
		}
	}
	return nil
}

func (r *SetupRequest) check() error {
	if len(r.Values) > maxFields {
		return fmt.Errorf("more than %d values", maxFields)
	}
	for key, value := range r.Values {
		if len(key) > maxText || len(value) > maxText {
			return fmt.Errorf("a value has more than %d bytes", maxText)
		}
	}
	return nil
}

// isReader tells whether a name can be the last level of the topic of pictures.
func isReader(name string) bool {
	return len(name) >= minReader && len(name) <= maxReader && !strings.ContainsFunc(name, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9')
	})
}

// check refuses a picture that no table sends.
func (p *PicturePayload) check() error {
	switch {
	case len(p.JPEG) > MaxPicture:
		return fmt.Errorf("the picture has %d bytes, more than %d", len(p.JPEG), MaxPicture)
	case !bytes.HasPrefix(p.JPEG, []byte{0xff, 0xd8}):
		return errors.New("the picture is no JPEG")
	case p.Size[0] < 1 || p.Size[1] < 1 || p.Size[0] > farthest || p.Size[1] > farthest:
		return errors.New("the picture's size cannot be")
	}
	return checkVersion(p.V)
}

// kindsOfFields are those that a form can have.
var kindsOfFields = []string{"text", "number", "switch", "choice", "time"}

// checkForm refuses a form that no table has.
func checkForm(fields []Field) error {
	if len(fields) > maxFields {
		return fmt.Errorf("more than %d fields", maxFields)
	}
	for _, f := range fields {
		long := len(f.Key) > maxText || len(f.Value) > maxText || len(f.Values) > maxValues
		for _, v := range f.Values {
			long = long || len(v) > maxText
		}
		if long || f.Key == "" || !slices.Contains(kindsOfFields, f.Kind) {
			return fmt.Errorf("the field %.40q cannot be", f.Key)
		}
	}
	return nil
}
