package journal

import (
	"context"
	"errors"
	"fmt"
)

// Names are what can be put right about a match; an empty field stays as it is.
type Names struct {
	Light, Dark string
	Event       string
}

// Rename puts names of a match right, on the word of by and for the reason why. What was written before stays in the
// chain.
func (j *Journal) Rename(ctx context.Context, match string, names Names, by, why string) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	h, err := j.Header(ctx, match)
	if err != nil {
		return err
	}
	for _, part := range []struct {
		value string
		into  *string
	}{{names.Light, &h.Players[0]}, {names.Dark, &h.Players[1]}, {names.Event, &h.Event}} {
		if part.value != "" {
			*part.into = part.value
		}
	}
	h.By, h.Why = by, why
	if err := j.change(match, func(a *appender) error { return a.header(h) }); err != nil {
		return fmt.Errorf("journal: rename match %q: %w", match, explain(err))
	}
	return nil
}

// Delete takes a match off the list and removes its pictures, on the word of by and for the reason why. A match in
// progress cannot be deleted.
func (j *Journal) Delete(ctx context.Context, match, by, why string) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if err := j.delete(ctx, match, by, why); err != nil {
		return fmt.Errorf("journal: delete match %q: %w", match, explain(err))
	}
	return nil
}

func (j *Journal) delete(ctx context.Context, match, by, why string) error {
	m, err := j.Match(ctx, match)
	if err != nil {
		return err
	}
	if last, going, err := j.Last(ctx); err != nil {
		return err
	} else if going && last.ID == m.ID {
		return errors.New("it is being played; finish it or begin another first")
	}
	pictures, err := j.Pictures(ctx, match)
	if err != nil {
		return err
	}
	err = j.change(match, func(a *appender) error {
		for _, p := range pictures {
			if err := a.removePicture(p.Name, whyDeleted); err != nil {
				return err
			}
		}
		a.match.deleted = true
		_, err := a.tx.Exec("DELETE FROM checkpoint WHERE match_id = ?", match)
		if err != nil {
			return err
		}
		return a.entry(kindDeletion, 0, Deletion{Match: match, By: by, Why: why, At: a.at})
	})
	if err != nil {
		return err
	}
	return j.discard(pictures)
}
