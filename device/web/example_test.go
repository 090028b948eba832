package web_test

import (
	"fmt"

	"davar/device/web"
)

// A draw sheet names the matches to come; its errors are told for all lines at once.
func ExampleParseDraw() {
	pairings, errs := web.ParseDraw([]byte("table,light,dark,length\n1,Anna,Behnam,7\n2,Carla,Dara,7\n"))
	for _, p := range pairings {
		fmt.Printf("table %s: %s – %s, %d points\n", p.Table, p.Light, p.Dark, p.Length)
	}
	fmt.Println(len(errs), "errors")
	// Output:
	// table 1: Anna – Behnam, 7 points
	// table 2: Carla – Dara, 7 points
	// 0 errors
}
