package scenario

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// misplaced is a mistake found before the file could be read as YAML.
type misplaced struct {
	place         place
	message, hint string
}

// decodeText checks the size and the encoding of a file, and returns it
// without a byte order mark and with plain newlines.
func decodeText(src []byte) (string, *misplaced) {
	if len(src) > MaxFileBytes {
		return "", &misplaced{place{1, 1, 1}, fmt.Sprintf("the file has %s bytes: the limit is %s", grouped(len(src)), grouped(MaxFileBytes)), ""}
	}
	s := strings.TrimPrefix(string(src), "\ufeff")
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	line, column := 1, 1
	var marks marks
	for i, c := range s {
		if message := marks.see(c); message != "" {
			return s, &misplaced{place{line, column, 1}, message, ""}
		}
		if c == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(s[i:]); size == 1 {
				return strings.ToValidUTF8(s, "\uFFFD"), &misplaced{place{line, column, 1}, "not UTF-8 from here on", "Save the file as UTF-8"}
			}
		}
		if c < ' ' && c != '\n' && c != '\t' || c == 0x7f {
			return s, &misplaced{place{line, column, 1}, fmt.Sprintf("a control character (U+%04X) does not belong in a file", c), ""}
		}
		column++
		if c == '\n' {
			line, column = line+1, 1
		}
	}
	return s, nil
}

// tree reads the text as one YAML document; nil when it cannot, with the
// reason reported.
func (r *reader) tree(source string) (root *node) {
	defer func() {
		// The YAML library is not ours: whatever it trips over is a mistake in the file.
		if p := recover(); p != nil {
			r.faultAt(place{1, 1, 1}, "this file could not be read as YAML", "")
			root = nil
		}
	}()
	tokens := lexer.Tokenize(source)
	if at, message := tooBig(tokens); message != "" {
		r.faultAt(at, message, "")
		return nil
	}
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		r.syntaxError(err)
		return nil
	}
	var body ast.Node
	for _, doc := range file.Docs {
		if doc.Body == nil {
			continue
		}
		if body != nil {
			r.faultAt(place{doc.Body.GetToken().Position.Line, 1, 1}, "a second document starts here", "A scenario is one document: remove the ---")
			return nil
		}
		body = doc.Body
	}
	if body == nil {
		r.faultAt(place{1, 1, 1}, "the file is empty", "A scenario begins with groupscope: 1")
		return nil
	}
	return r.convert(body)
}

// syntaxError reports what the YAML parser said, in our words where it helps.
func (r *reader) syntaxError(err error) {
	at, message := place{1, 1, 1}, "not YAML"
	if located, ok := err.(interface {
		GetToken() *token.Token
		GetMessage() string
	}); ok {
		message = "not YAML: " + located.GetMessage()
		if tk := located.GetToken(); tk != nil {
			at = tokenPlace(tk)
		}
	}
	hint := ""
	switch {
	case strings.Contains(message, "found character '\t'"):
		message, hint = "a tab cannot indent", "Indent with spaces"
	case strings.Contains(message, "mapping value is not allowed"):
		hint = "A text with a colon in it needs quotes"
	}
	r.faultAt(at, message, hint)
}

// convert makes a node of what the parser found.
func (r *reader) convert(n ast.Node) *node {
	switch n := n.(type) {
	case *ast.MappingNode:
		return r.convertMapping(n)
	case *ast.MappingValueNode:
		return r.convertMapping(&ast.MappingNode{Start: n.Start, BaseNode: n.BaseNode, Values: []*ast.MappingValueNode{n}})
	case *ast.SequenceNode:
		out := &node{kind: list, at: tokenPlace(n.Start), flow: n.IsFlowStyle}
		out.span(n.End)
		for i, item := range n.Values {
			out.items = append(out.items, r.convert(item))
			start := out.items[i].at
			if i < len(n.Entries) && n.Entries[i].Start != nil {
				start = tokenPlace(n.Entries[i].Start)
			}
			out.starts = append(out.starts, position{start.line, start.column})
		}
		return out
	case *ast.AnchorNode, *ast.AliasNode, *ast.MergeKeyNode:
		return r.refuse(n, "anchors and aliases are not part of the format", "Write the value out where it is used")
	case *ast.TagNode:
		return r.refuse(n, "tags are not part of the format", "Write the value without it")
	case *ast.NullNode:
		tk := n.GetToken()
		return &node{kind: nothing, at: tokenPlace(tk), end: tokenEnd(tk), text: tk.Value, blank: tk.Type == token.ImplicitNullType}
	case *ast.BoolNode:
		return scalarNode(truth, n)
	case *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		return scalarNode(number, n)
	case *ast.StringNode:
		out := scalarNode(text, n)
		out.text = n.Value
		return out
	case *ast.LiteralNode:
		return &node{kind: text, at: tokenPlace(n.Start), text: strings.TrimRight(n.Value.Value, "\n")}
	}
	return r.refuse(n, "this kind of YAML is not part of the format", "")
}

func (r *reader) convertMapping(n *ast.MappingNode) *node {
	out := &node{kind: mapping, flow: n.IsFlowStyle}
	seen := map[string]*node{}
	for _, v := range n.Values {
		key, ok := v.Key.(ast.Node)
		if !ok {
			continue
		}
		k := r.convert(key)
		switch {
		case k.kind == refused:
			continue
		case !k.scalar():
			r.fault(k, "a key is a single word", "")
			continue
		}
		if first := seen[k.text]; first != nil {
			r.fault(k, "the key "+k.text+" stands here twice", fmt.Sprintf("It is in line %d already", first.at.line))
			continue
		}
		seen[k.text] = k
		value := r.convert(v.Value)
		if value.blank {
			value.at = k.at // there is nothing to point at but the key
		}
		out.entries = append(out.entries, entry{k, value})
	}
	switch {
	case out.flow:
		out.at = tokenPlace(n.Start)
		out.span(n.End)
	case len(out.entries) > 0:
		out.at = out.entries[0].key.at
	default:
		out.at = tokenPlace(n.Start)
	}
	return out
}

// span notes where a flow collection ends, and underlines all of it when it
// stands in one line.
func (n *node) span(end *token.Token) {
	if !n.flow || end == nil || end.Position == nil {
		return
	}
	n.end = position{end.Position.Line, end.Position.Column}
	if n.end.line == n.at.line {
		n.at.length = n.end.column + 1 - n.at.column
	}
}

func (r *reader) refuse(n ast.Node, message, hint string) *node {
	out := &node{kind: refused, at: tokenPlace(n.GetToken())}
	r.fault(out, message, hint)
	return out
}

func scalarNode(k kind, n ast.Node) *node {
	tk := n.GetToken()
	return &node{kind: k, at: tokenPlace(tk), end: tokenEnd(tk), text: tk.Value}
}

// tokenPlace is where a token stands; its length is that of its first line.
func tokenPlace(tk *token.Token) place {
	if tk == nil || tk.Position == nil {
		return place{1, 1, 1}
	}
	first, _, _ := strings.Cut(written(tk), "\n")
	return place{tk.Position.Line, tk.Position.Column, max(utf8.RuneCountInString(strings.TrimRight(first, " ")), 1)}
}

// tokenEnd is where the last character of a token stands.
func tokenEnd(tk *token.Token) position {
	at := tokenPlace(tk)
	lines := strings.Split(written(tk), "\n")
	if last := len(lines) - 1; last > 0 {
		return position{at.line + last, utf8.RuneCountInString(lines[last])}
	}
	return position{at.line, at.column + at.length - 1}
}

// written is a token as it stands in the file, without what is around it.
func written(tk *token.Token) string { return strings.Trim(tk.Origin, " \n") }
