package cameratest

// YUYV turns a picture of BGR pixels into what most USB cameras send: brightness for each pixel, colour for each second
// (BT.601, within 16 to 240). Rows must have an even number of pixels.
func YUYV(bgr []byte) []byte {
	out := make([]byte, len(bgr)/3*2)
	for i, o := 0, 0; i+5 < len(bgr); i, o = i+6, o+4 {
		b, g, r := int(bgr[i]), int(bgr[i+1]), int(bgr[i+2])
		b2, g2, r2 := int(bgr[i+3]), int(bgr[i+4]), int(bgr[i+5])
		out[o], out[o+2] = luma(b, g, r), luma(b2, g2, r2)
		b, g, r = b+b2, g+g2, r+r2
		out[o+1] = byte((-38*r-74*g+112*b+256)>>9 + 128)
		out[o+3] = byte((112*r-94*g-18*b+256)>>9 + 128)
	}
	return out
}

func luma(b, g, r int) byte { return byte((66*r+129*g+25*b+128)>>8 + 16) }
