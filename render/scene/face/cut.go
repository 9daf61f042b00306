package face

import (
	"encoding/binary"
	"errors"
	"slices"
)

// Cut makes a smaller font of one of the package's own: it keeps the outlines
// of the characters given (and of what they are composed of) and empties all
// other glyphs. Numbers of glyphs stay, so every other table, kerning
// included, stays valid as it is. Characters must be sorted.
func Cut(ttf []byte, keep []rune) ([]byte, error) {
	f, err := open(ttf)
	if err != nil {
		return nil, err
	}
	used := make([]bool, f.glyphs)
	used[0] = true
	for _, r := range keep {
		if g := f.glyph(r); g < f.glyphs {
			f.mark(used, g)
		}
	}
	var glyf, loca []byte
	for g := range f.glyphs {
		loca = binary.BigEndian.AppendUint32(loca, uint32(len(glyf)))
		if used[g] {
			glyf = append(glyf, f.outline(g)...)
			for len(glyf)%4 != 0 {
				glyf = append(glyf, 0)
			}
		}
	}
	loca = binary.BigEndian.AppendUint32(loca, uint32(len(glyf)))
	head := slices.Clone(f.tables["head"])
	binary.BigEndian.PutUint16(head[50:], 1) // long offsets
	f.tables["glyf"], f.tables["loca"], f.tables["head"] = glyf, loca, head
	return f.bytes(), nil
}

// file is a TrueType file taken apart.
type file struct {
	tables map[string][]byte
	glyphs int
	long   bool // loca has four bytes an entry
}

var errFont = errors.New("face: not a font of this package")

func open(ttf []byte) (*file, error) {
	if len(ttf) < 12 {
		return nil, errFont
	}
	f := &file{tables: map[string][]byte{}}
	n := int(binary.BigEndian.Uint16(ttf[4:]))
	for i := range n {
		e := ttf[12+16*i:]
		from, size := binary.BigEndian.Uint32(e[8:]), binary.BigEndian.Uint32(e[12:])
		if int(from+size) > len(ttf) {
			return nil, errFont
		}
		f.tables[string(e[:4])] = ttf[from : from+size]
	}
	for _, name := range []string{"head", "maxp", "glyf", "loca", "cmap"} {
		if f.tables[name] == nil {
			return nil, errFont
		}
	}
	f.glyphs = int(binary.BigEndian.Uint16(f.tables["maxp"][4:]))
	f.long = binary.BigEndian.Uint16(f.tables["head"][50:]) == 1
	return f, nil
}

// outline is a glyph's entry in glyf.
func (f *file) outline(g int) []byte {
	loca := f.tables["loca"]
	at := func(i int) int {
		if f.long {
			return int(binary.BigEndian.Uint32(loca[4*i:]))
		}
		return 2 * int(binary.BigEndian.Uint16(loca[2*i:]))
	}
	return f.tables["glyf"][at(g):at(g+1)]
}

// mark notes a glyph and the parts of a composed one.
func (f *file) mark(used []bool, g int) {
	if used[g] {
		return
	}
	used[g] = true
	o := f.outline(g)
	if len(o) < 10 || int16(binary.BigEndian.Uint16(o)) >= 0 {
		return
	}
	for o = o[10:]; ; {
		flags := binary.BigEndian.Uint16(o)
		f.mark(used, int(binary.BigEndian.Uint16(o[2:])))
		size := 6
		if flags&0x01 != 0 { // arguments are words
			size += 2
		}
		switch { // a scale, two, or a matrix
		case flags&0x08 != 0:
			size += 2
		case flags&0x40 != 0:
			size += 4
		case flags&0x80 != 0:
			size += 8
		}
		if flags&0x20 == 0 { // no more parts
			return
		}
		o = o[size:]
	}
}

// glyph looks a character up in the Unicode table of format 4.
func (f *file) glyph(r rune) int {
	cmap := f.tables["cmap"]
	for i := range int(binary.BigEndian.Uint16(cmap[2:])) {
		t := cmap[binary.BigEndian.Uint32(cmap[8+8*i:]):]
		if binary.BigEndian.Uint16(t) != 4 || r > 0xFFFF {
			continue
		}
		n := int(binary.BigEndian.Uint16(t[6:])) / 2
		ends, starts, deltas, offsets := t[14:], t[16+2*n:], t[16+4*n:], t[16+6*n:]
		for s := range n {
			if uint16(r) > binary.BigEndian.Uint16(ends[2*s:]) {
				continue
			}
			start, delta := binary.BigEndian.Uint16(starts[2*s:]), binary.BigEndian.Uint16(deltas[2*s:])
			if uint16(r) < start {
				return 0
			}
			off := binary.BigEndian.Uint16(offsets[2*s:])
			if off == 0 {
				return int(uint16(r) + delta)
			}
			g := binary.BigEndian.Uint16(offsets[2*s+int(off)+2*int(uint16(r)-start):])
			if g == 0 {
				return 0
			}
			return int(g + delta)
		}
	}
	return 0
}

// bytes puts the file together again.
func (f *file) bytes() []byte {
	names := make([]string, 0, len(f.tables))
	for name := range f.tables {
		names = append(names, name)
	}
	slices.Sort(names)
	n := uint16(len(names))
	power, log := uint16(1), uint16(0)
	for power*2 <= n {
		power, log = power*2, log+1
	}
	out := []byte{0, 1, 0, 0}
	for _, v := range []uint16{n, power * 16, log, n*16 - power*16} {
		out = binary.BigEndian.AppendUint16(out, v)
	}
	at := len(out) + 16*len(names)
	var body []byte
	for _, name := range names {
		t := f.tables[name]
		out = append(out, name...)
		for _, v := range []uint32{checksum(t), uint32(at + len(body)), uint32(len(t))} {
			out = binary.BigEndian.AppendUint32(out, v)
		}
		body = append(body, t...)
		for len(body)%4 != 0 {
			body = append(body, 0)
		}
	}
	return append(out, body...)
}

func checksum(t []byte) (sum uint32) {
	for ; len(t) >= 4; t = t[4:] {
		sum += binary.BigEndian.Uint32(t)
	}
	if len(t) > 0 {
		var last [4]byte
		copy(last[:], t)
		sum += binary.BigEndian.Uint32(last[:])
	}
	return sum
}
