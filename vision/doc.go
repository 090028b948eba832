// Package vision reads a picture of a backgammon board: where the board lies, what stands on its points, bar and
// trays, what dice and cube show, and how far each of that may be believed.
//
// In the rectified view the bar is vertical; u runs from 0 at the left to 1 at the right edge of the playing
// surface (24 points and bar), v from 0 at the top to 1 at the bottom. Pictures are BGR, 8 bits a channel.
// OpenCV is used here and in package device/camera, nowhere else.
package vision
