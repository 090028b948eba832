package metrics_test

import (
	"fmt"
	"net/http/httptest"
	"strings"

	"davar/device/metrics"
)

// What happens is counted where it happens and read by Prometheus.
func ExampleTable() {
	table := metrics.New("1.2.3")
	table.Press("light")
	table.Press("dark")
	table.Press("light")
	table.Fault("log", true)

	page := httptest.NewRecorder()
	table.Handler().ServeHTTP(page, httptest.NewRequest("GET", "/metrics", nil))
	for line := range strings.Lines(page.Body.String()) {
		if strings.HasPrefix(line, "davar_presses_total") || strings.HasPrefix(line, "davar_fault") {
			fmt.Print(line)
		}
	}
	// Output:
	// davar_fault{device="log"} 1
	// davar_presses_total{side="dark"} 1
	// davar_presses_total{side="light"} 2
}
