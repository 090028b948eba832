package refereetest

import "testing"

func TestWhatAPerfectEyeSeesIsAllEvident(t *testing.T) {
	report, err := Evaluate(4, 11, Noise{}, Habits{Careless: 0.2, Turns: 20}, "")
	if err != nil {
		t.Fatal(err)
	}
	if report.Evident.Count != report.Evident.Of || report.Shown.Count != report.InTime.Count || report.Evident.Of == 0 {
		t.Errorf("evident %+v, found of these %+v, of all %+v", report.Evident, report.Shown, report.InTime)
	}
}

func TestWhatTheEyeNeverReportsIsNotEvident(t *testing.T) {
	for name, blind := range map[string]struct {
		noise Noise
		codes []string
	}{
		"dice not seen":            {Noise{Dice: DiceNoise{Missed: 1, Persist: 1}}, []string{"D1", "D2", "D3", "M3"}},
		"leaning dice read flat":   {Noise{Dice: DiceNoise{LeaningFlat: 1, LeaningTilt: []float64{0.3}, Persist: 1}}, []string{"D1"}},
		"all numbers misread":      {Noise{Dice: DiceNoise{Value: 1, Persist: 1}}, []string{"M3", "D9"}},
		"all single ones misread":  {Noise{Points: PointNoise{Light: []float64{1}, Dark: []float64{1}, Persist: 1}}, []string{"M3", "M4", "M6"}},
		"both colours seen as one": {Noise{NoMixed: true}, []string{"M8"}},
	} {
		report, err := Evaluate(4, 11, blind.noise, Habits{Careless: 0.3, Incidents: blind.codes, Turns: 20}, "")
		if err != nil {
			t.Fatal(err)
		}
		if n := report.Evident; n.Of == 0 || 4*n.Count > n.Of {
			t.Errorf("%s: %d of %d incidents %v are evident", name, n.Count, n.Of, blind.codes)
		}
	}
}
