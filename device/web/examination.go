package web

import (
	"net/http"
)

// Symptom is one thing that an examination of the table's devices has found, in words.
type Symptom struct {
	Check string // what was examined, as in "doctor.name_camera" of the phrasebook
	State string // of "doctor.state_": ok, warning, fault or skipped
	Says  string
	Do    string // what to do about it; empty: nothing
}

// examinationData is what the doctor's page is made from.
type examinationData struct {
	pageData
	Summary  []string
	Symptoms []Symptom
}

// examination is GET /director/doctor: what davar doctor says of the running table.
func (c console) examination(w http.ResponseWriter, r *http.Request) {
	d := examinationData{pageData: c.data(r, "console.doctor_title")}
	d.Symptoms = c.settings.Examine(r.Context(), d.Lang)
	count := map[string]int{}
	for _, s := range d.Symptoms {
		count[s.State]++
	}
	for _, state := range []string{"fault", "warning"} {
		if n := count[state]; n > 0 {
			d.Summary = append(d.Summary, d.book.Count(d.Lang, "doctor.some_"+state+"s", n, nil))
		}
	}
	if d.Summary == nil {
		d.Summary = []string{d.T("doctor.all_well")}
	}
	c.render(w, "doctor.html", d)
}

func (c console) examinationRoutes(quick func(pattern string, handle http.HandlerFunc)) {
	if c.settings.Examine != nil {
		quick("GET /director/doctor", c.guarded(c.examination))
	}
}
