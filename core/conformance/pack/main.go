// Command pack packs recorded traces into one archive: each file, and each
// *.json file of each folder, becomes one line of a gzip'd file, in the order
// of their names.
//
//	pack OUT.jsonl.gz FILE|DIR...
package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: pack OUT.jsonl.gz FILE|DIR...")
		os.Exit(2)
	}
	if err := pack(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

// traces lists the files to pack.
func traces(args []string) ([]string, error) {
	var out []string
	for _, arg := range args {
		if strings.HasSuffix(arg, ".json") {
			out = append(out, arg)
			continue
		}
		files, err := filepath.Glob(filepath.Join(arg, "*.json"))
		if err != nil {
			return nil, err
		}
		if len(files) == 0 {
			return nil, fmt.Errorf("no *.json in %s", arg)
		}
		out = append(out, files...)
	}
	slices.Sort(out)
	return out, nil
}

func pack(out string, args []string) error {
	files, err := traces(args)
	if err != nil {
		return err
	}
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return err
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		var line bytes.Buffer
		if err := json.Compact(&line, src); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		line.WriteByte('\n')
		if _, err := z.Write(line.Bytes()); err != nil {
			return err
		}
	}
	if err := z.Close(); err != nil {
		return err
	}
	return os.WriteFile(out, packed.Bytes(), 0o644)
}
