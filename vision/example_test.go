package vision_test

import (
	"fmt"

	"gocv.io/x/gocv"

	"davar/vision"
)

// One picture, of a board seen at an angle: the board is found, and what stands and lies on it is read.
func ExampleReader() {
	reader, err := vision.NewReader()
	if err != nil {
		panic(err)
	}
	defer reader.Close()
	picture := gocv.IMRead("testdata/oblique.jpg", gocv.IMReadColor)
	defer picture.Close()
	reading, err := reader.Read(picture)
	if err != nil {
		panic(err)
	}
	seen := vision.Describe(reading, "", [2]int{picture.Cols(), picture.Rows()}, vision.Layout{Bottom: "dark", Home: "right"})
	fmt.Println("top   ", seen.Top)
	fmt.Println("bottom", seen.Bottom)
	for _, die := range seen.Dice {
		fmt.Println("a", die.Value, "lies", die.On, "cocked:", die.Cocked)
	}
	// Output:
	// top    [0 0 0 0 0 0 1 2 3 0 5 2]
	// bottom [0 1 0 0 0 1 -6 0 -3 -2 -2 -2]
	// a 3 lies right cocked: false
	// a 4 lies right cocked: false
}
