package record

import (
	"fmt"
	"strings"
)

// sgfNode is one node of an SGF file: its properties in order.
type sgfNode struct {
	properties []sgfProperty
	line       int
}

type sgfProperty struct {
	name   string
	values []string
}

// value returns the first value of a property, and whether the node has it.
func (n *sgfNode) value(name string) (string, bool) {
	for _, p := range n.properties {
		if p.name == name && len(p.values) > 0 {
			return p.values[0], true
		}
	}
	return "", false
}

// all returns every value of a property.
func (n *sgfNode) all(name string) []string {
	var values []string
	for _, p := range n.properties {
		if p.name == name {
			values = append(values, p.values...)
		}
	}
	return values
}

// sgfReader splits an SGF text into games, each the nodes of its main line: the first variation at every fork.
type sgfReader struct {
	text  string
	at    int
	line  int
	games [][]sgfNode
}

// readSGFTrees returns the main lines of the games of a collection. It tolerates a missing end.
func readSGFTrees(text string) ([][]sgfNode, error) {
	r := &sgfReader{text: text, line: 1}
	for {
		r.skipTo("(")
		if r.at >= len(r.text) {
			break
		}
		if err := r.readTree(); err != nil {
			return r.games, err
		}
	}
	if len(r.games) == 0 {
		return nil, fmt.Errorf("record: read SGF: no game tree in the file")
	}
	return r.games, nil
}

func (r *sgfReader) skipTo(chars string) {
	for r.at < len(r.text) && !strings.ContainsRune(chars, rune(r.text[r.at])) {
		r.step()
	}
}

func (r *sgfReader) step() {
	if r.text[r.at] == '\n' {
		r.line++
	}
	r.at++
}

// readTree reads one game. A second variation, which begins after the main line has ended, is passed over.
func (r *sgfReader) readTree() error {
	var nodes []sgfNode
	depth, closed := 0, false
	for r.at < len(r.text) {
		switch c := r.text[r.at]; {
		case c == '(':
			depth++
			r.step()
		case c == ')':
			depth--
			closed = true
			r.step()
			if depth == 0 {
				r.games = append(r.games, nodes)
				return nil
			}
		case c == ';':
			r.step()
			node, err := r.readNode()
			if err != nil {
				return err
			}
			if !closed {
				nodes = append(nodes, node)
			}
		default:
			r.step()
		}
	}
	r.games = append(r.games, nodes)
	return nil
}

func (r *sgfReader) readNode() (sgfNode, error) {
	node := sgfNode{line: r.line}
	for r.at < len(r.text) {
		switch c := r.text[r.at]; {
		case c == ';' || c == '(' || c == ')':
			return node, nil
		case c == '[':
			value, err := r.readValue()
			if err != nil {
				return node, err
			}
			if n := len(node.properties); n > 0 {
				p := &node.properties[n-1]
				p.values = append(p.values, value)
			}
		case c >= 'A' && c <= 'Z':
			begin := r.at
			for r.at < len(r.text) && (r.text[r.at] >= 'A' && r.text[r.at] <= 'Z' || r.text[r.at] >= 'a' && r.text[r.at] <= 'z') {
				r.at++
			}
			name := strings.Map(dropLower, r.text[begin:r.at])
			node.properties = append(node.properties, sgfProperty{name: name})
		default:
			r.step()
		}
	}
	return node, nil
}

// dropLower drops the lower-case letters of an old property name.
func dropLower(c rune) rune {
	if c >= 'a' && c <= 'z' {
		return -1
	}
	return c
}

// readValue reads a value in brackets, in which a backslash protects the next character.
func (r *sgfReader) readValue() (string, error) {
	begin := r.line
	r.step()
	var b strings.Builder
	for r.at < len(r.text) {
		c := r.text[r.at]
		switch c {
		case ']':
			r.step()
			return b.String(), nil
		case '\\':
			r.step()
			if r.at < len(r.text) {
				b.WriteByte(r.text[r.at])
				r.step()
			}
			continue
		}
		b.WriteByte(c)
		r.step()
	}
	return "", fmt.Errorf("record: read SGF: line %d: a value is not closed", begin)
}

// escapeSGF protects what would end a value.
func escapeSGF(text string) string {
	return strings.NewReplacer(`\`, `\\`, `]`, `\]`).Replace(text)
}
