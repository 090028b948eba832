package qr_test

import (
	"fmt"

	"davar/device/qr"
)

// A network whose name and password phones must not misread.
func ExampleWiFi() {
	fmt.Println(qr.WiFi("Davar 7", `a;b\c`))
	// Output: WIFI:T:WPA;S:Davar 7;P:a\;b\\c;;
}
