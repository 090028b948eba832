package firstboot_test

import (
	"fmt"

	"davar/firmware/firstboot"
)

// What somebody wrote into davar-setup.txt becomes files of the system; the passwords are then struck out of the text.
func ExampleParse() {
	text := []byte("wifi_name = Backgammon Club\nwifi_password = correct horse\nwifi_country = DE\ntable = 4\nlanguage = fa\n")
	settings, err := firstboot.Parse(text)
	if err != nil {
		panic(err)
	}
	fmt.Println("table", settings.Table, "in", settings.Language)
	for _, f := range settings.Files("key") {
		fmt.Println(f.Path)
	}
	fmt.Printf("%s", firstboot.Blank(text))
	// Output:
	// table 4 in fa
	// /etc/hostname
	// /etc/hosts
	// /etc/davar/davar.yaml
	// /etc/NetworkManager/system-connections/davar-wifi.nmconnection
	// /etc/modprobe.d/davar-wifi.conf
	// /etc/NetworkManager/system-connections/davar-hotspot.nmconnection
	// wifi_name = Backgammon Club
	// wifi_password =
	// wifi_country = DE
	// table = 4
	// language = fa
}
