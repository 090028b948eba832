package rules

// Dice are the two numbers of a roll, each 1 to 6, in the order thrown. The zero value means "no roll".
type Dice [2]uint8
