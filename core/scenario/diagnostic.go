package scenario

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Diagnostic is one mistake in a scenario file, or one expectation that was
// not met, with its place. Lines and columns count from 1, columns and lengths
// in characters.
type Diagnostic struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Length  int    `json:"length"` // of what is underlined, at least 1
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"` // what was expected: a sentence of its own, or ""
	Source  string `json:"source"`         // the line of the file, "" when it is very long
}

const (
	maxSource      = 300 // characters of a line that is worth showing
	maxDiagnostics = 100
)

// Text is the message with its hint.
func (d Diagnostic) Text() string {
	if d.Hint == "" {
		return d.Message
	}
	return d.Message + ". " + d.Hint
}

// String is "file:line:col: message. Hint".
func (d Diagnostic) String() string {
	return fmt.Sprintf("%s:%d:%d: %s", d.File, d.Line, d.Column, d.Text())
}

// Excerpt is the line of the file with carets under the place, each line
// indented by two spaces and ended by a newline. It is empty for a line that
// is very long.
func (d Diagnostic) Excerpt() string {
	if d.Source == "" {
		return ""
	}
	before := []rune(d.Source)[:min(d.Column-1, utf8.RuneCountInString(d.Source))]
	pad := strings.Map(func(c rune) rune {
		if c == '\t' {
			return c
		}
		return ' '
	}, string(before))
	return fmt.Sprintf("  %s\n  %s%s\n", d.Source, pad, strings.Repeat("^", d.Length))
}

// sortedByPlace sorts diagnostics, and cuts them when there are very many.
func sortedByPlace(ds []Diagnostic) []Diagnostic {
	slices.SortStableFunc(ds, func(a, b Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	if more := len(ds) - maxDiagnostics; more > 0 {
		ds = ds[:maxDiagnostics+1]
		last := &ds[maxDiagnostics]
		last.Message, last.Hint = fmt.Sprintf("from here on %s more mistakes", grouped(more)), ""
	}
	return ds
}

// place is where something stands in a file.
type place struct{ line, column, length int }

// diagnosticAt makes a diagnostic whose place is kept inside the file.
func diagnosticAt(file string, lines []string, at place, message, hint string) Diagnostic {
	line := min(max(at.line, 1), len(lines))
	source := lines[line-1]
	width := utf8.RuneCountInString(source)
	column := min(max(at.column, 1), width+1)
	length := max(1, min(at.length, width+1-column))
	if width > maxSource {
		source = ""
	}
	return Diagnostic{File: file, Line: line, Column: column, Length: length, Message: message, Hint: hint, Source: source}
}
