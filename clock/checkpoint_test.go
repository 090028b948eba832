package clock

import (
	"encoding/json"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// throughJSON is a checkpoint written and read again.
func throughJSON(t rapid.TB, cp Checkpoint) Checkpoint {
	data, err := json.Marshal(cp)
	if err != nil {
		t.Fatal(err)
	}
	var back Checkpoint
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatalf("%s: %v", data, err)
	}
	return back
}

func TestAfterAPowerCutTheClockStandsWithTheTimeOfTheLastCheckpoint(t *testing.T) {
	b := sevenPoints(t)
	b.does(b.c.Press(0, Dark))
	b.does(b.c.Press(30*sec, Light))
	cp := throughJSON(t, b.c.Checkpoint(62*sec)) // dark has run 12 s free and 20 s
	c, changes, err := Restart(cp, 500*sec, sec)
	if err != nil {
		t.Fatal(err)
	}
	b.c = c
	b.does(changes, nil).saw(PowerRestored).stands(500*sec, Restarted)
	if b.changes[0].Missing != sec || b.changes[0].Side != Dark || c.View(500*sec).Missing != sec {
		t.Errorf("it does not say what may be missing: %+v", b.changes[0])
	}
	b.shows(500*sec, "13:42", "13:40", 0, Nobody)
	b.does(c.Resume(510*sec)).shows(520*sec, "13:42", "13:30", 0, Dark)
	if c.View(520*sec).Missing != 0 {
		t.Error("nothing is missing of a turn that goes on")
	}
}

func TestAPowerCutTakesNothingFromAClockThatStood(t *testing.T) {
	b := sevenPoints(t)
	c, changes, err := Restart(throughJSON(t, b.c.Checkpoint(10*sec)), 99*sec, sec)
	if err != nil || len(changes) != 1 || changes[0].Missing != 0 {
		t.Fatalf("%+v, %v", changes, err)
	}
	b.c = c
	b.stands(99*sec, Opening)
	b.does(b.c.Press(100*sec, Light)).shows(100*sec, "14:00", "14:00", 12*sec, Dark)
	if _, _, err := Restart(b.c.Checkpoint(100*sec), 99*sec, sec); err == nil {
		t.Error("a restart before the checkpoint must be refused")
	}
}

func TestAFlagThatFellBeforeTheCheckpointStaysFallen(t *testing.T) {
	b := sevenPoints(t)
	b.does(b.c.Press(0, Dark))
	flag, _ := b.c.NextFlag()
	c, changes, err := Restart(throughJSON(t, b.c.Checkpoint(flag+sec)), flag+100*sec, sec)
	if err != nil {
		t.Fatal(err)
	}
	b.c = c
	b.does(changes, nil).saw(Flagged, PowerRestored).stands(flag+100*sec, Flag)
}

func TestACheckpointThatContradictsItselfIsRefused(t *testing.T) {
	for _, c := range []struct {
		sentence string
		spoil    func(*Checkpoint)
	}{
		{"another version", func(cp *Checkpoint) { cp.Version = 9 }},
		{"no time control", func(cp *Checkpoint) { cp.Control = Control{} }},
		{"written before its last change", func(cp *Checkpoint) { cp.AsOf = 0 }},
		{"no reserve and no flag", func(cp *Checkpoint) { cp.Now.Reserve[Dark] = 0 }},
		{"a flag of nobody", func(cp *Checkpoint) { cp.Now.First = Light }},
		{"runs for nobody", func(cp *Checkpoint) { cp.Now.OnMove = Nobody }},
		{"more delay than the control has", func(cp *Checkpoint) { cp.Now.Left = time.Hour }},
		{"a past after the present", func(cp *Checkpoint) { cp.Past[0].At = time.Hour }},
		{"stands for no known reason", func(cp *Checkpoint) { cp.Now.Running, cp.Now.Stop.Reason = false, "tea" }},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			b := sevenPoints(t)
			b.does(b.c.Press(10*sec, Dark))
			cp := b.c.Checkpoint(20 * sec)
			c.spoil(&cp)
			if _, err := Restore(cp); err == nil {
				t.Error("accepted")
			}
		})
	}
}

func FuzzRestore(f *testing.F) {
	c, err := New(presets[0], [2]time.Duration{time.Minute, time.Minute}, 0)
	if err != nil {
		f.Fatal(err)
	}
	for _, act := range []func(){
		func() {}, func() { c.Press(sec, Dark) }, func() { c.Pause(2*sec, Break, time.Minute) },
		func() { c.Resume(3 * sec) }, func() { c.Tick(time.Hour) },
	} {
		act()
		data, err := json.Marshal(c.Checkpoint(4 * sec))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var cp Checkpoint
		if json.Unmarshal(data, &cp) != nil {
			return
		}
		c, err := Restore(cp)
		if err != nil {
			return
		}
		at := cp.AsOf
		c.Tick(at)
		c.Press(at+1, Light)
		c.Undo(at+2, "", "")
		c.Resume(at + 3)
		if v := c.View(at + time.Hour); v.Remaining[Light] < 0 || v.Remaining[Dark] < 0 || v.Delay < 0 {
			t.Errorf("view %+v", v)
		}
	})
}
