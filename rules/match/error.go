package match

import "fmt"

// RuleError says that an action is against the rules.
type RuleError struct {
	Rule string // number of the rule, such as CUBE-5
	Code string // announcement of RULES section 3 that fits, such as C2; "" when there is none
	What string // why, in one English clause
}

// Error returns the reason and the rule.
func (e *RuleError) Error() string { return fmt.Sprintf("match: %s (%s)", e.What, e.Rule) }

func ruleError(rule, code, what string) error { return &RuleError{Rule: rule, Code: code, What: what} }
