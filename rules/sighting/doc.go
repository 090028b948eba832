// Package sighting holds what a camera can tell the referee about a board at one moment: where checkers stand,
// what dice and cube show, and how far each of that may be believed. It is the contract between the eye
// (package vision) and the judge (package rules/referee); it decides nothing.
package sighting
