// Package camera gives pictures one after the other: from a video file, a folder of pictures, a V4L2 device, a
// Pi's own camera (rpicam-vid, libcamera), a pipeline of GStreamer or a network stream. Files never lose a picture; live
// cameras give the newest one and drop the rest. Those on USB and a
// Pi's own can hold exposure, white balance and focus (Holder).
package camera
