package web

import (
	"net/http"
	"strings"
	"testing"
)

func TestTheDirectorReadsWhatTheDoctorSays(t *testing.T) {
	b := newBureau(t)
	sara := signInAs(t, b.url, "sara", sarasPassword)
	status, text := fetch(t, sara, b.url+"/director/doctor")
	for _, want := range []string{"1 fault.", "1 thing to look at.", "buttons", "no GPIO lines", "in the group gpio", "FAULT"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not said in\n%s", want, text)
		}
	}
	if status != http.StatusOK {
		t.Errorf("it answers %d", status)
	}
}
