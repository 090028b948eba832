// Package scoresheet writes a transcribed match as players keep it on paper (SCORE-8), with its plays, rulings,
// statistics and plots: one HTML file that needs nothing else and prints well, or its parts for a page.
package scoresheet
