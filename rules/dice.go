package rules

import "fmt"

// Dice are the two numbers of a roll, each 1 to 6, in the order thrown. The zero value means "no roll".
type Dice [2]uint8

// Valid reports whether both numbers are 1 to 6.
func (d Dice) Valid() bool { return d[0]-1 < 6 && d[1]-1 < 6 }

// Double reports whether both numbers are equal: then they are played four times (MOVE-6).
func (d Dice) Double() bool { return d[0] == d[1] }

// High returns the larger number.
func (d Dice) High() uint8 { return max(d[0], d[1]) }

// Low returns the smaller number.
func (d Dice) Low() uint8 { return min(d[0], d[1]) }

// String returns the roll as players say it, in the order thrown: "3-1"; "no roll" for the zero value.
func (d Dice) String() string {
	if d == (Dice{}) {
		return "no roll"
	}
	return fmt.Sprintf("%d-%d", d[0], d[1])
}

// ParseDice reads a roll written as two numbers, "31", "3-1", "3,1" or "3 1".
func ParseDice(text string) (Dice, error) {
	var d Dice
	n := 0
	for _, c := range text {
		switch {
		case c >= '1' && c <= '6' && n < 2:
			d[n] = uint8(c - '0')
			n++
		case n == 1 && (c == '-' || c == ',' || c == ' '):
		default:
			return Dice{}, fmt.Errorf("rules: read a roll: %q is not two numbers from 1 to 6, such as 31", text)
		}
	}
	if n != 2 {
		return Dice{}, fmt.Errorf("rules: read a roll: %q is not two numbers from 1 to 6, such as 31", text)
	}
	return d, nil
}
