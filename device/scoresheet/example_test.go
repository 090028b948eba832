package scoresheet_test

import (
	"bytes"
	"fmt"

	"davar/device/phrasebook"
	"davar/device/scoresheet"
	"davar/rules"
	"davar/rules/transcript"
)

// A match is laid out in the language of who reads it; HTML writes it as one file.
func ExampleOf() {
	book, err := phrasebook.Open("")
	if err != nil {
		panic(err)
	}
	start := rules.Start(rules.Standard)
	match := &transcript.Transcript{
		Facts: transcript.Facts{ID: "m", Players: [2]string{"Anna", "Behnam"}, Length: 3},
		Games: []transcript.Game{{Number: 1, Start: start, Turns: []transcript.Turn{
			{Side: rules.Light, Seq: 3, Dice: rules.Dice{3, 1}, Notation: "8/5 6/5", Before: start, After: start},
		}}},
	}
	for _, lang := range []string{"en", "fa"} {
		sheet := scoresheet.Of(match, book, scoresheet.Options{Lang: lang})
		page, err := sheet.HTML()
		if err != nil {
			panic(err)
		}
		fmt.Println(sheet.Lang, sheet.Dir, sheet.Columns, len(sheet.Games[0].Rows), "row,", bytes.Count(page, []byte("<html")), "page")
	}
	// Output:
	// en ltr [Anna Behnam] 1 row, 1 page
	// fa rtl [Anna Behnam] 1 row, 1 page
}
