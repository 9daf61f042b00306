package conformance

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"strings"
)

// Split lists the traces of a file: itself, or the lines of an archive
// (.jsonl). Both may be compressed (.gz).
func Split(file string, src []byte) ([]Source, error) {
	name, compressed := strings.CutSuffix(file, ".gz")
	if compressed {
		z, err := gzip.NewReader(bytes.NewReader(src))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if src, err = io.ReadAll(z); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	if !strings.HasSuffix(name, ".jsonl") {
		return []Source{{Name: file, JSON: src}}, nil
	}
	var out []Source
	for i, line := range bytes.Split(src, []byte{'\n'}) {
		if len(bytes.TrimSpace(line)) > 0 {
			out = append(out, Source{Name: file, Line: i + 1, JSON: line})
		}
	}
	return out, nil
}

// Holds reports whether a file's name is that of traces.
func Holds(file string) bool {
	name := strings.TrimSuffix(file, ".gz")
	return strings.HasSuffix(name, ".json") || strings.HasSuffix(name, ".jsonl")
}
