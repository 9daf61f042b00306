// Command pack packs a directory of recorded traces into one archive: each
// *.json file becomes one line of a gzip'd file, in the order of their names.
//
//	pack DIR OUT.jsonl.gz
package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: pack DIR OUT.jsonl.gz")
		os.Exit(2)
	}
	if err := pack(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

func pack(dir, out string) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return fmt.Errorf("no *.json in %s", dir)
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
