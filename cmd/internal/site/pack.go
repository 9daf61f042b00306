package site

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"

	"github.com/andybalholm/brotli"
)

// pack writes the compressed copies of a file that has just been put: .gz
// always, since the loader unpacks it itself on hosts that send plain files,
// and .br when publishing. Copies that are newer than the file are kept.
func (b *builder) pack(name string, data []byte) error {
	level := gzip.BestSpeed
	if b.Compress {
		level = gzip.BestCompression
	}
	err := b.packed(name, name+".gz", data, func(w io.Writer) (io.WriteCloser, error) {
		return gzip.NewWriterLevel(w, level)
	})
	if err != nil || !b.Compress {
		return err
	}
	return b.packed(name, name+".br", data, func(w io.Writer) (io.WriteCloser, error) {
		return brotli.NewWriterLevel(w, brotli.BestCompression), nil
	})
}

func (b *builder) packed(name, copied string, data []byte, open func(io.Writer) (io.WriteCloser, error)) error {
	if b.current(name, copied) {
		b.written[copied] = true
		return nil
	}
	var out bytes.Buffer
	w, err := open(&out)
	if err != nil {
		return err
	}
	if _, err := w.Write(data); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return b.put(copied, out.Bytes())
}

// current reports whether a copy is as new as its file. A site that is to be
// published is packed anew, as a quick build may have left a larger .gz.
func (b *builder) current(name, copied string) bool {
	if b.Compress && filepath.Ext(copied) == ".gz" {
		return false
	}
	whole, err := os.Stat(filepath.Join(b.Out, name))
	if err != nil {
		return false
	}
	have, err := os.Stat(filepath.Join(b.Out, copied))
	return err == nil && !have.ModTime().Before(whole.ModTime())
}
