//go:build !linux

package journal

import "errors"

const faultVariable = "DAVAR_JOURNAL_TEST_FAULTS"

// writeThroughFaults needs a kernel that can be told to fail writes.
func writeThroughFaults(string) error { return errors.ErrUnsupported }
