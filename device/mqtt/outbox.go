package mqtt

import (
	"math"
	"sync"
	"time"

	"davar/device/analysis"
	"davar/device/embargo"
	"davar/rules/referee"
)

// Sizes of what is kept in memory. Events beyond recentLimit are fetched from the journal, states beyond
// stateLimit are left out (the newest counts), answers beyond responseLimit are for nobody, as are pictures beyond
// pictureLimit: who looks asks for the next.
const (
	recentLimit   = 1024
	stateLimit    = 1024
	responseLimit = 256
	pictureLimit  = 4
	chunkLimit    = 256 // events fetched from the journal at a time
)

// Position is how far one audience has been served: up to and with event Seq of Match.
type Position struct {
	Match string `json:"match"`
	Seq   int64  `json:"seq"`
}

// Cursor is how far the broker has confirmed the events. A table keeps it with its resume data.
type Cursor struct {
	Private Position `json:"private"`
	Public  Position `json:"public"`
}

// snapshot is a state with the moment its clock's figures were true, and how fast the match's time runs.
type snapshot struct {
	state referee.State
	asOf  time.Time
	rate  float64
}

// outbox holds what is still to be sent. It knows neither broker nor wall clock; its methods return at once and
// may be called from any goroutine. The caller's side is publish, setState, respond and resume, the sender's
// next, fill, confirm and rewind.
type outbox struct {
	mu        sync.Mutex
	recent    []embargo.Dated // the newest events, of whatever match, in the order given
	private   stream
	public    stream
	greeting  bool      // that the table is online is to be said
	greetAt   time.Time // and not before this
	responses []response
	pictures  []exposure
	dropped   int64
}

type response struct {
	name    string
	payload any // ResponsePayload, or one of the answers that begin with it
}

// exposure is a picture and who it is for.
type exposure struct {
	reader  string
	payload PicturePayload
}

// item is one thing to send: exactly one of greeting, event, state, response and picture is set.
type item struct {
	greeting bool
	stream   *stream
	event    *referee.Event
	prev     int64
	state    *dated
	response *response
	picture  *exposure
}

// need is a wish to the journal: the events of match from on, for stream.
type need struct {
	stream *stream
	match  string
	from   int64
}

func newOutbox(policy Policy) *outbox {
	return &outbox{
		private:  stream{private: true, embargo: embargo.New(0), first: true},
		public:   stream{policy: policy, embargo: embargo.New(policy.Delay), first: true},
		greeting: true,
	}
}

// publish adds an event to what is to be sent.
func (o *outbox) publish(e referee.Event, now time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.recent) >= recentLimit {
		// Half at a time: shifting the whole for every event would cost more than it saves.
		o.recent = append(o.recent[:0], o.recent[recentLimit/2:]...)
	}
	o.recent = append(o.recent, embargo.Dated{Event: e, At: now})
	o.private.extend(e.Match, e.Seq-1, e.Seq)
	o.public.extend(e.Match, e.Seq-1, e.Seq)
	o.public.embargo.Saw(e, now)
}

// resume makes the events after cursor, up to last of match, to be sent: what a table before a restart may not
// have got out.
func (o *outbox) resume(match string, last int64, cursor Cursor) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.private.resume(match, last, cursor.Private)
	o.public.resume(match, last, cursor.Public)
}

// recall takes in what there was of a match before a restart, for those who are shown it late.
func (o *outbox) recall(past embargo.Past, now time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.public.recall(past, now)
}

// setJudged takes in what an engine makes of a turn: the public state has it as soon as it has the turn.
func (o *outbox) setJudged(match string, turn analysis.Judged) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.public.policy.Delay <= 0 {
		return // who plays may look at it (EQUIP-9)
	}
	o.public.judgements.Add(match, turn)
	if now := o.public.current; now != nil && now.state.Match == match && turn.Seq <= now.state.Seq {
		o.public.unsent = true
	}
}

// setState makes s the state to be shown.
func (o *outbox) setState(s snapshot, now time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.private.setState(s, now)
	o.public.setState(s, now)
}

// respond adds an answer to what is to be sent.
func (o *outbox) respond(r response) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.responses) == responseLimit {
		o.responses = o.responses[1:]
	}
	o.responses = append(o.responses, r)
}

// show adds a picture to what is to be sent.
func (o *outbox) show(reader string, p PicturePayload) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.pictures) == pictureLimit {
		o.pictures = o.pictures[1:]
	}
	o.pictures = append(o.pictures, exposure{reader, p})
}

// setFault says to the director that a device of the table fails, or works again.
func (o *outbox) setFault(what string, fails bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.private.setFault(what, fails)
}

// greet makes the table say once more, at a moment, that it is there.
func (o *outbox) greet(at time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.greeting, o.greetAt = true, at
}

// newest returns the position of the newest event given.
func (o *outbox) newest() Position {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.private.end()
}

// cursor returns how far the broker has confirmed.
func (o *outbox) cursor() Cursor {
	o.mu.Lock()
	defer o.mu.Unlock()
	return Cursor{Private: o.private.confirmed(), Public: o.public.confirmed()}
}

// losses returns how many events could not be sent because neither memory nor the journal had them.
func (o *outbox) losses() int64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.dropped
}

// next returns what to send now and counts it as sent. When there is nothing it returns what to fetch from the
// journal first, or when to ask again (zero: when something is added).
func (o *outbox) next(now time.Time) (it *item, wish *need, wake time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.greeting {
		if !now.Before(o.greetAt) {
			o.greeting = false
			return &item{greeting: true}, nil, time.Time{}
		}
		wake = o.greetAt
	}
	if len(o.responses) > 0 {
		r := o.responses[0]
		o.responses = o.responses[1:]
		return &item{response: &r}, nil, time.Time{}
	}
	for _, s := range []*stream{&o.private, &o.public} {
		it, w, at := s.next(now, o.recent)
		if it != nil {
			return it, nil, time.Time{}
		}
		if wish == nil {
			wish = w
		}
		if !at.IsZero() && (wake.IsZero() || at.Before(wake)) {
			wake = at
		}
	}
	if len(o.pictures) > 0 { // nothing waits behind one
		p := o.pictures[0]
		o.pictures = o.pictures[1:]
		return &item{picture: &p}, nil, time.Time{}
	}
	return nil, wish, wake
}

// fill answers a wish with what the journal has; none of it means that there is no more.
func (o *outbox) fill(n need, events []referee.Event, now time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.dropped += n.stream.fill(n, events, o.recent, now)
}

// confirm takes note that the broker has the item.
func (o *outbox) confirm(it *item, now time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if it.event != nil {
		it.stream.confirm(it.event.Match, it.event.Seq, now)
	}
}

// rewind makes everything that was sent and not confirmed, or confirmed only just now, to be sent again, greeting and state first: the
// connection was lost. Answers that were on their way are taken back from unconfirmed, pictures let go.
func (o *outbox) rewind(unconfirmed []*item, now time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	var again []response
	for _, it := range unconfirmed {
		if it.response != nil {
			again = append(again, *it.response)
		}
	}
	o.responses, o.pictures = append(again, o.responses...), nil
	o.greeting, o.greetAt = true, time.Time{}
	o.private.rewind(now)
	o.public.rewind(now)
}

// untilJournalEnds is the last seq of a span whose end only the journal knows.
const untilJournalEnds = math.MaxInt64
