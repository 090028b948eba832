//go:build unix

package journal

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
)

// heldFile is a lock file while it is held. It holds the number of the process until it is closed in peace.
type heldFile struct{ *os.File }

// Close empties the file and lets go of the lock.
func (h heldFile) Close() error {
	return errors.Join(h.Truncate(0), h.File.Close())
}

// lockFile makes this process the one writer of the journal at path until the file returned is closed. The
// kernel lets go of the lock when the process ends, however it ends. cutOff tells whether the one before did not end in
// peace.
func lockFile(path string) (lock io.Closer, cutOff bool, err error) {
	f, err := os.OpenFile(path+".lock", os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, false, err
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	holder, _ := io.ReadAll(io.LimitReader(f, 32))
	if errors.Is(err, syscall.EWOULDBLOCK) {
		f.Close()
		return nil, false, fmt.Errorf("%w (process %s): stop it, or give this table a journal of its own",
			ErrInUse, strings.TrimSpace(string(holder)))
	}
	if err != nil {
		f.Close()
		return nil, false, fmt.Errorf("lock %s: %w", f.Name(), err)
	}
	// The number tells the next start that this one did not end in peace; on a full disk it is simply missing.
	if f.Truncate(0) == nil {
		_, _ = f.WriteAt(fmt.Appendf(nil, "%d\n", os.Getpid()), 0)
		_ = f.Sync()
	}
	return heldFile{f}, len(holder) > 0, nil
}
