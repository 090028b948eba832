package journal

import "crypto/sha256"

// What a row of the chain holds.
const (
	kindEvent = "event" // one referee.Event
	kindMatch = "match" // a Header: who plays, for how long and by which rules

	kindPicture  = "picture"  // a Picture: a file beside the journal
	kindRemoval  = "removal"  // a Removal: a picture's file was taken away
	kindDeletion = "deletion" // a Deletion: a match was taken off the list
	kindDelivery = "delivery" // a Delivery: a match was handed over
)

// digest is the hash of one row of the chain.
type digest = [sha256.Size]byte

// link returns the hash of the row holding body, next after the row whose hash is prev. The first row follows
// the zero digest.
func link(prev digest, kind string, body []byte) digest {
	h := sha256.New()
	h.Write(prev[:])
	h.Write([]byte(kind))
	h.Write([]byte{0})
	h.Write(body)
	var sum digest
	h.Sum(sum[:0])
	return sum
}

// seal returns the hash that protects a checkpoint and the resume data stored beside it.
func seal(match string, seq int64, checkpoint, resume []byte) digest {
	sum := link(digest{}, "checkpoint", []byte(match))
	sum = link(sum, "seq", []byte{
		byte(seq >> 56), byte(seq >> 48), byte(seq >> 40), byte(seq >> 32),
		byte(seq >> 24), byte(seq >> 16), byte(seq >> 8), byte(seq),
	})
	sum = link(sum, "referee", checkpoint)
	return link(sum, "resume", resume)
}
