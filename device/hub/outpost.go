package hub

import (
	"context"
	"time"

	"davar/device/mqtt"
	"davar/device/web"
)

// outpost is what the hall has of its tables over the broker.
type outpost struct{ orders *mqtt.Orders }

var _ web.Afar = outpost{}

// Picture implements web.Afar.
func (o outpost) Picture(ctx context.Context, at web.Place, kind string, seq int64) (web.Photo, error) {
	p, err := o.orders.Picture(ctx, mqtt.Place(at), kind, seq)
	if err != nil {
		return web.Photo{}, err
	}
	taken, err := time.Parse(time.RFC3339, p.Taken)
	if err != nil {
		taken = time.Now() // it was asked for just now
	}
	return web.Photo{JPEG: p.JPEG, Size: p.Size, Taken: taken}, nil
}

// Read implements web.Afar.
func (o outpost) Read(ctx context.Context, at web.Place, corners *[4]web.Corner) (*web.Calibrated, error) {
	read, view, err := o.orders.Read(ctx, mqtt.Place(at), corners)
	if err != nil {
		return nil, err
	}
	return &web.Calibrated{
		Corners: read.Corners, Size: read.Size, View: view.JPEG, Top: read.Top, Bottom: read.Bottom, Bar: read.Bar, Sure: read.Sure, Start: read.Start,
	}, nil
}

// Keep implements web.Afar.
func (o outpost) Keep(ctx context.Context, at web.Place, corners [4]web.Corner, by string) error {
	return o.orders.KeepCorners(ctx, mqtt.Place(at), corners, by)
}

// Form implements web.Afar.
func (o outpost) Form(ctx context.Context, at web.Place) ([]web.Field, error) {
	given, err := o.orders.Form(ctx, mqtt.Place(at))
	fields := make([]web.Field, len(given))
	for i, f := range given {
		fields[i] = web.Field(f)
	}
	return fields, err
}

// Begin implements web.Afar.
func (o outpost) Begin(ctx context.Context, at web.Place, match string, wish web.MatchWish) error {
	wrong, err := o.orders.SetUp(ctx, mqtt.Place(at), match, wish.By, wish.Values, wish.Abandon)
	if err == nil && len(wrong) > 0 {
		return web.FieldErrors(wrong)
	}
	return err
}
