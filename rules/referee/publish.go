package referee

import (
	"slices"

	"davar/rules"
)

// State returns the public state after the last input.
func (r *Referee) State() State {
	g := &r.Match.Game
	s := State{
		Match: r.Settings.Match, Seq: r.Seq, TMS: ms(r.Now), Game: g.Number, Phase: r.Phase,
		Players: r.Settings.Players, Length: r.Settings.Length, Score: *r.score(), Crawford: g.Crawford,
		Layout: r.Settings.Layout, Clock: r.clockView(), Plays: slices.Clone(r.Plays),
		Rulings: slices.Clone(r.Rulings), Notice: r.Notice, Appeal: r.Appeal, Winner: r.Winner,
	}
	s.Cube = CubeState{Enabled: r.Settings.Cube && !g.Crawford, Value: g.Cube.Value, Owner: g.Cube.OwnerName()}
	if g.Offer.Value > 0 {
		s.Cube.Offered = g.Offer.By.String()
	}
	if side := r.onRoll(); side != nil {
		s.Turn = side.String()
	}
	if r.Notice != "" {
		s.NoticeTo = r.Settings.audience(announcements["X1"])
	}
	if r.Roll != nil {
		s.Dice = numbers(r.Roll.Dice)
	}
	for p := 1; p <= 24; p++ {
		light, dark := int(r.Current.Checkers[rules.Light][p]), int(r.Current.Checkers[rules.Dark][25-p])
		s.Points[p-1] = light
		if dark > light {
			s.Points[p-1] = -dark
		}
	}
	for side := rules.Light; side <= rules.Dark; side++ {
		s.Bar[side] = int(r.Current.Checkers[side][rules.Bar])
		s.Off[side] = int(r.Current.Checkers[side][rules.Off])
		s.Pips[side] = r.Current.Pips(side)
	}
	for i := len(r.Plays) - 1; i >= 0 && s.Last == nil; i-- {
		if len(r.Plays[i].Dice) > 0 {
			last := r.Plays[i]
			s.Last = &last
		}
	}
	return s
}
