package web

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/crypto/bcrypt"
)

// Role is what somebody who has signed in may do. Spectators need none.
type Role string

const (
	// Director sees and decides everything (DIR-5).
	Director Role = "director"
	// AtTable is the unit beside the board: it presses the clock, says what both players agree on, and calls the director.
	AtTable Role = "table"
)

// Account is somebody who may sign in with a password.
type Account struct {
	Name string // 1 to 40 characters without a colon; "light" and "dark" are players, not accounts
	Role Role
	Hash string // bcrypt, as NewAccount writes it
}

const (
	longestName   = 40
	mostAccounts  = 200
	directorsName = "director" // the account that Settings.Password opens
	hashCost      = 11         // of new passwords: about a tenth of a second on a Raspberry Pi 5
)

// NewAccount returns an account with the hash of a password of 8 to 72 bytes.
func NewAccount(name string, role Role, password string) (Account, error) {
	if len(password) < shortestPassword || len(password) > longestPassword {
		return Account{}, fmt.Errorf("web: make an account: the password must have %d to %d characters", shortestPassword, longestPassword)
	}
	hash, err := bcrypt.GenerateFromPassword([]byte(password), hashCost)
	if err != nil {
		return Account{}, fmt.Errorf("web: make an account: %w", err)
	}
	a := Account{Name: name, Role: role, Hash: string(hash)}
	return a, a.check()
}

// String returns the account's line in a file of accounts.
func (a Account) String() string { return a.Name + ":" + string(a.Role) + ":" + a.Hash }

func (a *Account) check() error {
	switch {
	case a.Name == "" || len(a.Name) > longestName || strings.ContainsAny(a.Name, ":\r\n\t") || strings.TrimSpace(a.Name) != a.Name:
		return fmt.Errorf("web: accounts: %q is no name; use 1 to %d characters without a colon", a.Name, longestName)
	case a.Name == "light" || a.Name == "dark":
		return fmt.Errorf("web: accounts: %q is a player's name for the referee; choose another", a.Name)
	case a.Role != Director && a.Role != AtTable:
		return fmt.Errorf("web: accounts: %s has the role %q; use %s or %s", a.Name, a.Role, Director, AtTable)
	}
	if _, err := bcrypt.Cost([]byte(a.Hash)); err != nil {
		return fmt.Errorf("web: accounts: %s has no bcrypt hash; make the line with davar account %s", a.Name, a.Name)
	}
	return nil
}

// ParseAccounts reads a file of accounts, one "name:role:hash" a line; empty lines and those that begin with # are left
// out. The error names every line that is wrong; hashes are never part of it.
func ParseAccounts(text []byte) ([]Account, error) {
	var accounts []Account
	var wrong []error
	seen := map[string]bool{}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		fields := strings.SplitN(line, ":", 3)
		if len(fields) != 3 {
			wrong = append(wrong, fmt.Errorf("line %d: web: accounts: write name:role:hash, as davar account prints it", n))
			continue
		}
		a := Account{fields[0], Role(fields[1]), fields[2]}
		err := a.check()
		if err == nil && seen[a.Name] {
			err = fmt.Errorf("web: accounts: %s is there twice", a.Name)
		}
		if err != nil {
			wrong = append(wrong, fmt.Errorf("line %d: %w", n, err))
			continue
		}
		seen[a.Name] = true
		accounts = append(accounts, a)
	}
	if err := lines.Err(); err != nil {
		wrong = append(wrong, fmt.Errorf("web: accounts: %w", err))
	}
	if len(accounts) > mostAccounts {
		wrong = append(wrong, fmt.Errorf("web: accounts: more than %d", mostAccounts))
	}
	if len(wrong) > 0 {
		return nil, errors.Join(wrong...)
	}
	return accounts, nil
}
