package display

import (
	"fmt"
	"os"

	"periph.io/x/conn/v3/i2c"
	"periph.io/x/host/v3/sysfs"
)

// OpenBus opens the machine's I²C bus of that number, /dev/i2c-1 on the header of a Raspberry Pi. Its error says
// how to switch the bus on.
func OpenBus(number int) (i2c.BusCloser, error) {
	node := fmt.Sprintf("/dev/i2c-%d", number)
	if _, err := os.Stat(node); err != nil {
		return nil, fmt.Errorf("display: open I²C bus %d: %w: switch it on with dtparam=i2c_arm=on in config.txt and "+
			"load the module i2c-dev", number, err)
	}
	bus, err := sysfs.NewI2C(number) // not by the registry, which would start every driver there is
	if err != nil {
		return nil, fmt.Errorf("display: open I²C bus %d: %w: the user must be able to write %s (group i2c)", number, err, node)
	}
	return bus, nil
}
