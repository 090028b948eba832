package firstboot

import (
	"strings"
	"testing"
)

func TestThePageToPrintHasACodeForThePageAndForTheTablesOwnNetworkButNeverThePassword(t *testing.T) {
	for _, c := range []struct {
		setup string
		codes int
	}{
		{"table = 7\nhost_name = davar-7\npassword = swordfish 99\n", 2},
		{"table = 7\nhost_name = davar-7\npassword = swordfish 99\nhotspot = no\n", 1},
	} {
		s, err := Parse([]byte(c.setup))
		if err != nil {
			t.Fatal(err)
		}
		page, err := s.Page("own network key")
		if err != nil {
			t.Fatal(err)
		}
		if strings.Count(page, "<svg") != c.codes || strings.Contains(page, "swordfish") || !strings.Contains(page, "http://davar-7.local:8080") {
			t.Errorf("%q becomes\n%s", c.setup, page)
		}
		for _, f := range s.Files("own network key") {
			if strings.Contains(f.Path, "hotspot") && strings.Contains(f.Text, "swordfish") {
				t.Error("who may join the network is told the director's password")
			}
		}
	}
}
