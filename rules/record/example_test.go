package record_test

import (
	"fmt"

	"davar/rules"
	"davar/rules/record"
)

func ExampleRead() {
	rec, err := record.Read([]byte(` 3 point match

 Game 1
 Ann : 0                         Ben : 0
  1) 31: 8/5 6/5                 52: 13/8 13/10
                                  Wins 1 point
`))
	if err != nil {
		panic(err)
	}
	report := rec.Check(rules.OptionsFor(rec.Variant))
	fmt.Println(report.Games, "game,", report.Rolls, "rolls")
	for _, f := range report.Illegal {
		fmt.Println("line", f.Line, f.Side, f.Dice, f.Play, f.Code, f.Why)
	}
	_, losses := rec.SGF()
	fmt.Println(losses[0])
	// Output:
	// 1 game, 2 rolls
	// line 5 dark 5-2 13/8 13/10 M3 the moves do not match the roll
	// game 1: the play 13/8 13/10 with 5-2 is not legal (M3); it is written as the position after it
}
