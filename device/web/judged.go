package web

import "davar/device/analysis"

// SetJudged tells what an engine makes of one turn of a match. Spectators learn of it with the turn, which they are
// shown late; where nothing is held back nobody does. It never blocks.
func (s *Server) SetJudged(match string, turn analysis.Judged) {
	if s.settings.Delay <= 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.judgements.Add(match, turn)
	if s.public != nil && s.public.state.Match == match && turn.Seq <= s.public.state.Seq {
		s.showTo(public)
	}
}

// withJudgement returns what is shown with what is known about its game up to then.
func (s *Server) withJudgement(from *shown) *shown {
	if from == nil {
		return nil
	}
	judged := s.judgements.Of(from.state.Match, from.state.Game, from.state.Seq)
	if judged == nil {
		return from // what a hall is told already has it
	}
	late := *from
	late.judged = judged
	return &late
}
