// Package recording reads a filmed game: a folder with the video, what was played (match.json) and what the
// buttons and the director sent (inputs.MODE.jsonl).
package recording
