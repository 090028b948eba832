// Package firmware holds what makes a bare Raspberry Pi the appliance: units, overlays, the package and the card's image.
package firmware
