// Package firstboot takes the settings that a person wrote into davar-setup.txt on the card's boot partition, which any
// computer can open, and turns them into the files of the appliance: network, name, password, the table's settings.
package firstboot
