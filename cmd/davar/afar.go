package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"slices"
	"time"

	"gocv.io/x/gocv"

	"davar/device/journal"
	"davar/device/mqtt"
	"davar/device/web"
)

// errNoEvidence is told to a director who asks for a picture of a ruling too soon, or of one of which none was kept.
var errNoEvidence = errors.New("no picture is kept of that")

// desk returns what a director at a hub may have of this table, besides deciding: what its own console has.
func (s *station) desk() mqtt.Desk {
	var d mqtt.Desk
	if s.window != nil {
		d.Picture, d.Calibrate = s.pictureAfar, s.calibrateAfar
	}
	if s.matches != nil {
		d.Form, d.SetUp = s.formAfar, s.setUpAfar
	}
	return d
}

// pictureAfar returns a picture small enough for a broker.
func (s *station) pictureAfar(ctx context.Context, r mqtt.PictureRequest) (mqtt.Picture, error) {
	look := s.window.Drawn
	switch r.Kind {
	case mqtt.PictureBefore, mqtt.PictureAfter:
		return s.evidenceAfar(ctx, r)
	case mqtt.PictureCamera:
		look = s.window.Plain
	}
	jpeg, taken, err := awaitPicture(ctx, look)
	if err != nil {
		return mqtt.Picture{}, err
	}
	return small(jpeg, taken)
}

// evidenceAfar returns a picture of a ruling of the match on the table.
func (s *station) evidenceAfar(ctx context.Context, r mqtt.PictureRequest) (mqtt.Picture, error) {
	role := journal.Before
	if r.Kind == mqtt.PictureAfter {
		role = journal.After
	}
	pictures, err := s.journal.Pictures(ctx, s.begun.match)
	if err != nil {
		return mqtt.Picture{}, err
	}
	at := slices.IndexFunc(pictures, func(p journal.Picture) bool { return p.Seq == r.Seq && p.Role == role })
	if at < 0 {
		return mqtt.Picture{}, errNoEvidence
	}
	jpeg, err := s.journal.Picture(pictures[at])
	if err != nil {
		return mqtt.Picture{}, err
	}
	kept, err := time.Parse(time.RFC3339, pictures[at].At)
	if err != nil {
		kept = time.Now()
	}
	return small(jpeg, kept)
}

func (s *station) calibrateAfar(ctx context.Context, r mqtt.CalibrateRequest, who string) (*mqtt.BoardRead, mqtt.Picture, error) {
	if r.Keep {
		err := s.surveyor.Keep(ctx, *r.Corners)
		if err == nil {
			s.log.Info("the board was calibrated from a hub", "by", who, "corners", *r.Corners)
		}
		return nil, mqtt.Picture{}, err
	}
	found, err := s.surveyor.Try(ctx, r.Corners)
	if err != nil {
		return nil, mqtt.Picture{}, err
	}
	view, err := small(found.View, time.Now())
	return &mqtt.BoardRead{
		Corners: found.Corners, Size: found.Size, Top: found.Top, Bottom: found.Bottom, Bar: found.Bar, Sure: found.Sure, Start: found.Start,
	}, view, err
}

func (s *station) formAfar(context.Context) ([]mqtt.Field, error) {
	form := s.matches.Form()
	fields := make([]mqtt.Field, len(form))
	for i, f := range form {
		fields[i] = mqtt.Field(f)
	}
	return fields, nil
}

func (s *station) setUpAfar(ctx context.Context, r mqtt.SetupRequest, who string) (map[string]string, error) {
	err := s.page.SetUp(ctx, web.MatchWish{Values: r.Values, Abandon: r.Abandon, By: who})
	var wrong web.FieldErrors
	if errors.As(err, &wrong) {
		return wrong, nil
	}
	return nil, err
}

// smaller are the ways to make a picture fit, the best first: the most pixels it may be wide, and the quality.
var smaller = []struct{ width, quality int }{{1920, 80}, {1280, 70}, {1280, 50}, {960, 50}, {640, 50}, {480, 40}}

// small returns a picture that a broker takes (mqtt.MaxPicture).
func small(jpeg []byte, taken time.Time) (mqtt.Picture, error) {
	p := mqtt.Picture{JPEG: jpeg, Taken: taken.UTC().Format(time.RFC3339Nano)}
	img, err := gocv.IMDecode(jpeg, gocv.IMReadColor)
	if err != nil || img.Empty() {
		return p, fmt.Errorf("make a picture smaller: it cannot be read: %w", err)
	}
	defer img.Close()
	p.Size = [2]int{img.Cols(), img.Rows()}
	for _, way := range smaller {
		if len(p.JPEG) <= mqtt.MaxPicture {
			return p, nil
		}
		if width := img.Cols(); width > way.width {
			gocv.Resize(img, &img, image.Pt(way.width, img.Rows()*way.width/width), 0, 0, gocv.InterpolationArea)
		}
		if p.JPEG, err = encodeJPEG(img, way.quality); err != nil {
			return p, fmt.Errorf("make a picture smaller: %w", err)
		}
	}
	if len(p.JPEG) > mqtt.MaxPicture {
		return p, errors.New("make a picture smaller: it does not fit")
	}
	return p, nil
}
