package mqtt

import (
	"bytes"
	"errors"
	"io"
	"net"
	"testing"
)

// pair is a connection with a mailbox on one end.
func pair(t *testing.T) (*mailbox, net.Conn) {
	t.Helper()
	near, far := net.Pipe()
	m := newMailbox(near)
	t.Cleanup(func() {
		far.Close()
		m.Close()
		<-m.done
	})
	return m, far
}

func TestAMailboxSendsEverythingInOrderAndWhatWaitsAlsoAfterClosing(t *testing.T) {
	m, far := pair(t)
	var want bytes.Buffer
	for i := range 500 {
		part := bytes.Repeat([]byte{byte(i)}, i)
		want.Write(part)
		if n, err := m.Write(part); n != len(part) || err != nil {
			t.Fatalf("wrote %d of %d: %v", n, len(part), err)
		}
	}
	m.Close()
	if _, err := m.Write([]byte("late")); !errors.Is(err, net.ErrClosed) {
		t.Errorf("writing after closing: %v", err)
	}
	got, err := io.ReadAll(far)
	if err != nil || !bytes.Equal(got, want.Bytes()) {
		t.Errorf("%d bytes of %d came (%v)", len(got), want.Len(), err)
	}
	<-m.done
}

func TestAMailboxGivesUpAReaderWhoDoesNotReadAndNeverWaitsForHim(t *testing.T) {
	m, _ := pair(t)
	returns(t, "writing", func() {
		written, err := 0, error(nil)
		for n := 0; err == nil; written += n {
			n, err = m.Write(make([]byte, 64<<10))
		}
		if !errors.Is(err, errSlow) || written < mailboxLimit {
			t.Errorf("gave up after %d bytes: %v", written, err)
		}
	})
	<-m.done
}

func TestClosingAMailboxWithAReaderWhoDoesNotReadTakesAMoment(t *testing.T) {
	m, _ := pair(t)
	if _, err := m.Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	m.Close()
	<-m.done
}
