package rules_test

import (
	"fmt"

	"davar/rules"
)

func ExamplePlays() {
	start := rules.Start(rules.Standard)
	for _, play := range rules.Plays(&start, rules.Light, rules.Dice{6, 5}) {
		fmt.Println(play.String())
	}
	// Unordered output:
	// 24/13
	// 24/18 13/8
	// 24/18 8/3
	// 13/8 13/7
	// 13/2
	// 13/7 8/3
	// 8/3 8/2
}

func ExampleJudge() {
	before := rules.Start(rules.Standard)
	steps, err := rules.ParseNotation("8/5 6/4")
	if err != nil {
		panic(err)
	}
	after, err := rules.Apply(&before, rules.Light, steps)
	if err != nil {
		panic(err)
	}
	judge := rules.NewJudge(rules.OptionsFor(rules.Standard))
	verdict := judge.Judge(&before, rules.Light, rules.Dice{3, 1}, &after, [2]int{})
	fmt.Println(verdict.Code, verdict.Rules, verdict.Code.Offence())
	fmt.Println("nearest:", verdict.Nearest[0].String())
	// Output:
	// M3 [MOVE-1] the moves do not match the roll
	// nearest: 8/5 6/5
}
