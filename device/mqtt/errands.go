package mqtt

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
)

// Picture asks a table for a picture of a kind, of the ruling with number seq where it is evidence, and waits for it, at the
// longest until ctx ends. The error wraps ErrRefused when the table has none.
func (o *Orders) Picture(ctx context.Context, at Place, kind string, seq int64) (Picture, error) {
	r := PictureRequest{Ask: newAsk(""), Reader: o.reader, Kind: kind, Seq: seq}
	return o.ask(ctx, errand{at: at, name: AskPicture, transaction: r.Transaction, body: r, picture: true}, &ResponsePayload{})
}

// Read has a table read its board at some corners, nil: wherever it is found; the picture is the rectified view.
func (o *Orders) Read(ctx context.Context, at Place, corners *[4][2]float64) (*BoardRead, Picture, error) {
	r := CalibrateRequest{Ask: newAsk(""), Reader: o.reader, Corners: corners}
	answer := &CalibrateResponse{}
	view, err := o.ask(ctx, errand{at: at, name: AskCalibrate, transaction: r.Transaction, body: r, picture: true}, answer)
	switch {
	case err != nil:
		return nil, Picture{}, err
	case answer.Read == nil:
		return nil, Picture{}, errors.New("mqtt: read a table's answer: there is no reading in it")
	}
	return answer.Read, view, nil
}

// KeepCorners has a table go on with the corners, in the name of a person.
func (o *Orders) KeepCorners(ctx context.Context, at Place, corners [4][2]float64, person string) error {
	r := CalibrateRequest{Ask: newAsk(person), Corners: &corners, Keep: true}
	_, err := o.ask(ctx, errand{at: at, name: AskCalibrate, transaction: r.Transaction, body: r, again: true}, &CalibrateResponse{})
	return err
}

// Form asks what can be set for a match at a table.
func (o *Orders) Form(ctx context.Context, at Place) ([]Field, error) {
	r := FormRequest{newAsk("")}
	answer := &FormResponse{}
	if _, err := o.ask(ctx, errand{at: at, name: AskForm, transaction: r.Transaction, body: r, again: true}, answer); err != nil {
		return nil, err
	}
	if err := checkForm(answer.Fields); err != nil {
		return nil, fmt.Errorf("mqtt: read a table's answer: %w", err)
	}
	return answer.Fields, nil
}

// SetUp begins a match at a table, in the name of a person who saw match there. Wrong says which values are wrong and why;
// then no match was begun and the error is nil.
func (o *Orders) SetUp(ctx context.Context, at Place, match, person string, values map[string]string, abandon bool) (wrong map[string]string, err error) {
	r := SetupRequest{Ask: newAsk(person), Values: values, Abandon: abandon}
	r.Match = match
	answer := &SetupResponse{}
	if _, err = o.ask(ctx, errand{at: at, name: AskSetup, transaction: r.Transaction, body: r}, answer); len(answer.Wrong) > 0 {
		return answer.Wrong, nil
	}
	return nil, err
}

func newAsk(person string) Ask { return Ask{V: Version, Transaction: rand.Text(), Person: person} }
