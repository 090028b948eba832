package rules

import (
	"fmt"
	"strings"
)

// drawnRows is the number of checkers drawn on a point before a number stands for the rest.
const drawnRows = 5

// Draw returns the board as text, eleven lines of columns each ended by a newline, as side view sees it: his home
// board at the bottom right, his numbering around it. Light's checkers are O, dark's X.
func Draw(pos *Position, view Side) string {
	var b strings.Builder
	rule := " +" + strings.Repeat("-", 19) + "+---+" + strings.Repeat("-", 19) + "+"
	b.WriteString(numbers(13, 1) + "\n" + rule + "\n")
	other := view.Other()
	for row := range drawnRows {
		line := drawRow(pos, view, 13, 1, row)
		fmt.Fprintf(&b, " |%s|%s|%s|%s\n", line[0], drawPile(pos, other, Bar, row), line[1], drawOff(pos, other, row))
	}
	fmt.Fprintf(&b, " |%s|BAR|%s|\n", strings.Repeat(" ", 19), strings.Repeat(" ", 19))
	for row := drawnRows - 1; row >= 0; row-- {
		line := drawRow(pos, view, 12, -1, row)
		fmt.Fprintf(&b, " |%s|%s|%s|%s\n", line[0], drawPile(pos, view, Bar, row), line[1], drawOff(pos, view, row))
	}
	b.WriteString(rule + "\n" + numbers(12, -1) + "\n")
	fmt.Fprintf(&b, "  O light: %d pips, X dark: %d pips\n", pos.Pips(Light), pos.Pips(Dark))
	return b.String()
}

// numbers writes the twelve point numbers of one edge, from the left.
func numbers(first, step int) string {
	var b strings.Builder
	b.WriteString("  ")
	for i := range 12 {
		if i == 6 {
			b.WriteString("     ")
		}
		fmt.Fprintf(&b, "%2d ", first+i*step)
	}
	return strings.TrimRight(b.String(), " ")
}

// drawRow returns the left and right half of one row of checkers, row 0 at the board's edge.
func drawRow(pos *Position, view Side, first, step, row int) [2]string {
	var halves [2]string
	for i := range 12 {
		point := first + i*step
		cell := drawPile(pos, view, point, row)
		if pos.Checkers[view.Other()][25-point] > 0 {
			cell = drawPile(pos, view.Other(), 25-point, row)
			if pos.Checkers[view][point] > 0 {
				cell = " ? "
			}
		}
		halves[i/6] += cell
	}
	return [2]string{" " + halves[0], " " + halves[1]}
}

// drawPile returns one checker of a pile, three columns wide: the height of a tall pile stands on its last row.
func drawPile(pos *Position, side Side, point, row int) string {
	n := int(pos.Checkers[side][point])
	switch {
	case row >= n:
		return "   "
	case row == drawnRows-1 && n > drawnRows:
		return fmt.Sprintf("%2d ", n)
	case side == Light:
		return " O "
	}
	return " X "
}

// drawOff returns the note beside the tray on its row at the edge, nothing elsewhere.
func drawOff(pos *Position, side Side, row int) string {
	n := pos.Checkers[side][Off]
	if row > 0 || n == 0 {
		return ""
	}
	return fmt.Sprintf(" %d off", n)
}
