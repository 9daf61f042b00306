package protocol

import (
	"encoding/binary"
	"fmt"
)

// Classic consumers carry their subscriptions and assignments inside JoinGroup
// and SyncGroup, in a format of their own ("embedded consumer protocol").
// Topics are known by name in it. Its version is one of 0 to 3.

// ClassicSubscription is what a classic consumer says of itself.
type ClassicSubscription struct {
	Version      int16
	Topics       []string
	UserData     []byte
	Owned        []NamedPartitions // since version 1
	GenerationID int32             // since version 2; -1: none
	RackID       *string           // since version 3
}

// ClassicAssignment is what a classic consumer is told to read.
type ClassicAssignment struct {
	Version    int16
	Partitions []NamedPartitions
	UserData   []byte
}

// embeddedVersion is the newest version of the embedded protocol.
const embeddedVersion = 3

// EncodeSubscription writes a subscription in its version.
func EncodeSubscription(s ClassicSubscription) []byte {
	var w embeddedWriter
	w.int16(s.Version)
	w.int32(int32(len(s.Topics)))
	for _, topic := range s.Topics {
		w.string(topic)
	}
	w.bytes(s.UserData)
	if s.Version >= 1 {
		w.partitions(s.Owned)
	}
	if s.Version >= 2 {
		w.int32(s.GenerationID)
	}
	if s.Version >= 3 {
		w.nullable(s.RackID)
	}
	return w.buf
}

// DecodeSubscription reads a subscription. An error says where it ends early.
func DecodeSubscription(src []byte) (ClassicSubscription, error) {
	r := embeddedReader{src: src}
	s := ClassicSubscription{Version: r.version(), GenerationID: -1}
	for range r.count() {
		s.Topics = append(s.Topics, r.string())
	}
	s.UserData = r.bytes()
	if s.Version >= 1 {
		s.Owned = r.partitions()
	}
	if s.Version >= 2 {
		s.GenerationID = r.int32()
	}
	if s.Version >= 3 {
		s.RackID = r.nullable()
	}
	return s, r.err
}

// EncodeAssignment writes an assignment in its version.
func EncodeAssignment(a ClassicAssignment) []byte {
	var w embeddedWriter
	w.int16(a.Version)
	w.partitions(a.Partitions)
	w.bytes(a.UserData)
	return w.buf
}

// DecodeAssignment reads an assignment. An error says where it ends early.
func DecodeAssignment(src []byte) (ClassicAssignment, error) {
	r := embeddedReader{src: src}
	a := ClassicAssignment{Version: r.version()}
	a.Partitions = r.partitions()
	a.UserData = r.bytes()
	return a, r.err
}

type embeddedWriter struct{ buf []byte }

func (w *embeddedWriter) int16(v int16) { w.buf = binary.BigEndian.AppendUint16(w.buf, uint16(v)) }
func (w *embeddedWriter) int32(v int32) { w.buf = binary.BigEndian.AppendUint32(w.buf, uint32(v)) }

func (w *embeddedWriter) string(s string) {
	w.int16(int16(len(s)))
	w.buf = append(w.buf, s...)
}

func (w *embeddedWriter) nullable(s *string) {
	if s == nil {
		w.int16(-1)
		return
	}
	w.string(*s)
}

func (w *embeddedWriter) bytes(b []byte) {
	if b == nil {
		w.int32(-1)
		return
	}
	w.int32(int32(len(b)))
	w.buf = append(w.buf, b...)
}

func (w *embeddedWriter) partitions(list []NamedPartitions) {
	w.int32(int32(len(list)))
	for _, topic := range list {
		w.string(topic.Topic)
		w.int32(int32(len(topic.Partitions)))
		for _, n := range topic.Partitions {
			w.int32(n)
		}
	}
}

// embeddedReader reads on after an error, which it keeps; what it reads then
// is empty.
type embeddedReader struct {
	src []byte
	at  int
	err error
}

func (r *embeddedReader) take(n int, what string) []byte {
	if r.err == nil && (n < 0 || len(r.src)-r.at < n) {
		r.err = fmt.Errorf("protocol: at byte %d: want %s of %d bytes, %d are left", r.at, what, n, len(r.src)-r.at)
	}
	if r.err != nil {
		return make([]byte, max(0, min(n, 4)))
	}
	r.at += n
	return r.src[r.at-n : r.at]
}

func (r *embeddedReader) int16() int16 { return int16(binary.BigEndian.Uint16(r.take(2, "a number"))) }
func (r *embeddedReader) int32() int32 { return int32(binary.BigEndian.Uint32(r.take(4, "a number"))) }

// version takes a newer version for the newest known, as Kafka does.
func (r *embeddedReader) version() int16 {
	v := r.int16()
	if r.err == nil && v < 0 {
		r.err = fmt.Errorf("protocol: at byte 0: there is no version %d", v)
	}
	return min(v, embeddedVersion)
}

// count is the length of a list. Each entry takes at least two bytes, so a
// longer one cannot be.
func (r *embeddedReader) count() int {
	n := int(r.int32())
	if r.err == nil && (n < 0 || n > len(r.src)-r.at) {
		r.err = fmt.Errorf("protocol: at byte %d: a list of %d entries does not fit", r.at, n)
	}
	if r.err != nil {
		return 0
	}
	return n
}

func (r *embeddedReader) string() string { return string(r.take(int(r.int16()), "a text")) }

func (r *embeddedReader) nullable() *string {
	n := r.int16()
	if n < 0 || r.err != nil {
		return nil
	}
	s := string(r.take(int(n), "a text"))
	return &s
}

func (r *embeddedReader) bytes() []byte {
	n := r.int32()
	if n < 0 || r.err != nil {
		return nil
	}
	return append([]byte{}, r.take(int(n), "bytes")...)
}

func (r *embeddedReader) partitions() []NamedPartitions {
	out := []NamedPartitions{}
	for range r.count() {
		topic := NamedPartitions{Topic: r.string()}
		for range r.count() {
			topic.Partitions = append(topic.Partitions, r.int32())
		}
		out = append(out, topic)
	}
	return out
}
