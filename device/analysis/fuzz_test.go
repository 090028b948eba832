package analysis

import (
	"testing"

	"davar/rules"
)

// FuzzWhatTheEngineSays reads whatever a program may have written in the place of an analysis.
func FuzzWhatTheEngineSays(f *testing.F) {
	f.Add([]byte(";B[31hefe]DA[E ver 3 0C 1 0.0 1 0.5 0.1 0 0.1 0 0.07 0.51 0.5 0.1 0 0.1 0 0.07 0.47]A[0][hefe E ver 3 0.4 0.1 0.0 0.1 0.0 0.02 0C 0 1 0.0 1]LU[-0.07]"), 3)
	f.Add([]byte(";W[double]DA[E ver 3]\n;B[take]\n;PL[W]DI[31]"), 0)
	f.Add([]byte("   1-away    50.0   67.7\n   2-away    32.2   50.0\nPost-Crawford table\n   1-away   50.0 48.8\n 2 ply: 0.5 0.1 0.0 0.1 0.0 +0.1"), 2)
	f.Fuzz(func(_ *testing.T, said []byte, length int) {
		judged, err := readJudgements(said)
		table, tableErr := readTable(said, length)
		if err == nil && tableErr == nil {
			s := stake{length: length, table: table}
			if table != nil {
				s.normalised(rules.Dark, 0.5, 2)
			}
			var a Analysis
			for i := range judged {
				a.Cubes = append(a.Cubes, Cube{Action: judged[i].action, NoDouble: judged[i].noDouble, DoubleTake: judged[i].doubleTake})
				a.Cubes[i].judge()
			}
			a.Players()
		}
		readChances(said, rules.Dark)
	})
}
