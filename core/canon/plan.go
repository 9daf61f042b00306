package canon

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"reflect"
	"slices"
	"unsafe"

	"groupscope/core/protocol"
)

// plan writes the value at an address. There is one for each type, made once:
// worlds are compared many thousand times a second.
type plan func(w *Writer, at unsafe.Pointer)

// planOf finds or makes the plan of a type. A type that contains itself finds
// the plan under way.
func (w *Writer) planOf(t reflect.Type) plan {
	if p, known := w.plans[t]; known {
		return p
	}
	if w.plans == nil {
		w.plans = map[reflect.Type]plan{}
	}
	var made plan
	w.plans[t] = func(w *Writer, at unsafe.Pointer) { made(w, at) }
	made = w.makePlan(t)
	w.plans[t] = made
	return made
}

func (w *Writer) makePlan(t reflect.Type) plan {
	if t == reflect.TypeFor[protocol.Instant]() {
		return func(w *Writer, at unsafe.Pointer) { w.instant(*(*protocol.Instant)(at)) }
	}
	switch t.Kind() {
	case reflect.Bool:
		return func(w *Writer, at unsafe.Pointer) { w.flag(*(*bool)(at)) }
	case reflect.String:
		return func(w *Writer, at unsafe.Pointer) { w.text(*(*string)(at)) }
	case reflect.Pointer:
		return w.pointerPlan(t)
	case reflect.Slice:
		return w.slicePlan(t)
	case reflect.Array:
		return w.arrayPlan(t)
	case reflect.Struct:
		return w.structPlan(t)
	case reflect.Map:
		return w.mapPlan(t)
	case reflect.Interface:
		return w.interfacePlan(t)
	}
	return numberPlan(t)
}

func numberPlan(t reflect.Type) plan {
	switch t.Kind() {
	case reflect.Int8, reflect.Uint8:
		return func(w *Writer, at unsafe.Pointer) { w.out = append(w.out, *(*byte)(at)) }
	case reflect.Int16:
		return func(w *Writer, at unsafe.Pointer) { w.out = binary.AppendVarint(w.out, int64(*(*int16)(at))) }
	case reflect.Int32:
		return func(w *Writer, at unsafe.Pointer) { w.out = binary.AppendVarint(w.out, int64(*(*int32)(at))) }
	case reflect.Int64:
		return func(w *Writer, at unsafe.Pointer) { w.out = binary.AppendVarint(w.out, *(*int64)(at)) }
	case reflect.Int:
		return func(w *Writer, at unsafe.Pointer) { w.out = binary.AppendVarint(w.out, int64(*(*int)(at))) }
	case reflect.Uint16:
		return func(w *Writer, at unsafe.Pointer) { w.out = binary.AppendUvarint(w.out, uint64(*(*uint16)(at))) }
	case reflect.Uint32:
		return func(w *Writer, at unsafe.Pointer) { w.out = binary.AppendUvarint(w.out, uint64(*(*uint32)(at))) }
	case reflect.Uint64:
		return func(w *Writer, at unsafe.Pointer) { w.out = binary.AppendUvarint(w.out, *(*uint64)(at)) }
	case reflect.Uint:
		return func(w *Writer, at unsafe.Pointer) { w.out = binary.AppendUvarint(w.out, uint64(*(*uint)(at))) }
	}
	panic(fmt.Sprintf("canon: a %s cannot be written: leave its field out", t))
}

func (w *Writer) pointerPlan(t reflect.Type) plan {
	to := w.planOf(t.Elem())
	return func(w *Writer, at unsafe.Pointer) {
		target := *(*unsafe.Pointer)(at)
		w.flag(target != nil)
		if target != nil {
			to(w, target)
		}
	}
}

// slicePlan tells a nil slice from an empty one, as the protocol does.
func (w *Writer) slicePlan(t reflect.Type) plan {
	of, size := w.planOf(t.Elem()), t.Elem().Size()
	return func(w *Writer, at unsafe.Pointer) {
		list := *(*[]byte)(at) // its length is that of the real slice
		if list == nil {
			w.flag(false)
			return
		}
		n := len(list)
		w.out = binary.AppendUvarint(w.out, uint64(n)+1)
		first := unsafe.Pointer(unsafe.SliceData(list))
		for i := range n {
			of(w, unsafe.Add(first, uintptr(i)*size))
		}
	}
}

// setPlan writes a slice whose order means nothing, and zero values neither.
func (w *Writer) setPlan(t reflect.Type) plan {
	of, size := w.planOf(t.Elem()), t.Elem().Size()
	zero := reflect.New(t.Elem()).UnsafePointer()
	return func(w *Writer, at unsafe.Pointer) {
		list := *(*[]byte)(at)
		first := unsafe.Pointer(unsafe.SliceData(list))
		begin, from := len(w.out), len(w.ends)
		of(w, zero)
		nothing := len(w.out)
		for i := range len(list) {
			piece := len(w.out)
			of(w, unsafe.Add(first, uintptr(i)*size))
			if bytes.Equal(w.out[piece:], w.out[begin:nothing]) {
				w.out = w.out[:piece]
			} else {
				w.ends = append(w.ends, len(w.out))
			}
		}
		n := len(w.ends) - from
		w.sort(nothing, w.ends[from:])
		w.ends = w.ends[:from]
		w.out = append(w.out[:begin], w.out[nothing:]...)
		w.out = binary.AppendUvarint(w.out, uint64(n))
	}
}

func (w *Writer) arrayPlan(t reflect.Type) plan {
	of, size, n := w.planOf(t.Elem()), t.Elem().Size(), t.Len()
	return func(w *Writer, at unsafe.Pointer) {
		for i := range n {
			of(w, unsafe.Add(at, uintptr(i)*size))
		}
	}
}

func (w *Writer) structPlan(t reflect.Type) plan {
	type fieldPlan struct {
		offset uintptr
		plan   plan
	}
	var fields []fieldPlan
	for i := range t.NumField() {
		f := t.Field(i)
		switch tag := f.Tag.Get("canon"); tag {
		case "":
			fields = append(fields, fieldPlan{f.Offset, w.planOf(f.Type)})
		case "set":
			fields = append(fields, fieldPlan{f.Offset, w.setPlan(f.Type)})
		case "-":
		default:
			panic(fmt.Sprintf("canon: field %s of %s has the unknown tag %s", f.Name, t, tag))
		}
	}
	write := func(w *Writer, at unsafe.Pointer) {
		for i := range fields {
			fields[i].plan(w, unsafe.Add(at, fields[i].offset))
		}
	}
	if !plain(t) || len(fields) < 4 {
		return write
	}
	size := t.Size()
	return func(w *Writer, at unsafe.Pointer) {
		used := slices.ContainsFunc(unsafe.Slice((*byte)(at), size), func(b byte) bool { return b != 0 })
		w.flag(used)
		if used {
			write(w, at)
		}
	}
}

// plain reports whether every zero value of a type has only zero bytes: those
// need no field by field look.
func plain(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Map:
		return false // an empty one is as good as none
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.Tag.Get("canon") != "" || !plain(f.Type) {
				return false
			}
		}
	case reflect.Array:
		return plain(t.Elem())
	}
	return true
}

// mapPlan writes the entries in the order of their bytes.
func (w *Writer) mapPlan(t reflect.Type) plan {
	keyPlan, valuePlan := w.planOf(t.Key()), w.planOf(t.Elem())
	return func(w *Writer, at unsafe.Pointer) {
		m := reflect.NewAt(t, at).Elem()
		w.out = binary.AppendUvarint(w.out, uint64(m.Len()))
		if m.Len() == 0 {
			return
		}
		begin, from := len(w.out), len(w.ends)
		key, value := reflect.New(t.Key()), reflect.New(t.Elem())
		for entries := m.MapRange(); entries.Next(); {
			key.Elem().SetIterKey(entries)
			value.Elem().SetIterValue(entries)
			keyPlan(w, key.UnsafePointer())
			valuePlan(w, value.UnsafePointer())
			w.ends = append(w.ends, len(w.out))
		}
		if m.Len() > 1 {
			w.sort(begin, w.ends[from:])
		}
		w.ends = w.ends[:from]
	}
}

// interfacePlan writes what is in an interface, with its type.
func (w *Writer) interfacePlan(t reflect.Type) plan {
	return func(w *Writer, at unsafe.Pointer) {
		v := reflect.NewAt(t, at).Elem().Elem()
		if !v.IsValid() {
			w.text("")
			return
		}
		w.text(v.Type().String())
		held := reflect.New(v.Type())
		held.Elem().Set(v)
		w.planOf(v.Type())(w, held.UnsafePointer())
	}
}
