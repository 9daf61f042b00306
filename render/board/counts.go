package board

import "strconv"

// group is the header's title.
func (w *words) group(id string) string {
	k := labelKey{prefix: id, number: -1}
	v, ok := w.labels[k]
	if !ok {
		v = "Group " + id
		w.labels[k] = v
	}
	return v
}

// classicState is what a classic group is at, in Kafka's word.
func (w *words) classicState(state string) string {
	k := labelKey{prefix: state, number: -2}
	v, ok := w.labels[k]
	if !ok {
		v = "classic, " + state
		w.labels[k] = v
	}
	return v
}

// topicKey explains the prefixes: "f foo, b bar".
func (w *words) topicKey(ts []topic) string {
	w.line = w.line[:0]
	for i := range ts {
		if i > 0 {
			w.line = append(w.line, ", "...)
		}
		w.line = append(w.line, ts[i].prefix...)
		w.line = append(w.line, ' ')
		w.line = append(w.line, ts[i].id...)
	}
	return w.intern(w.line)
}

// everyOwned says that nothing is without an owner.
func (w *words) everyOwned(streams bool) string {
	if streams {
		return "every task has an active owner"
	}
	return "every partition has an owner"
}

// headed is a title that begins with what slots are called.
func (w *words) headed(streams bool, rest string) string {
	head := "Partitions"
	if streams {
		head = "Active tasks"
	}
	w.line = append(append(w.line[:0], head...), rest...)
	return w.intern(w.line)
}

// count sums a group up: "24 members, 96 partitions".
func (w *words) count(members, partitions int) string {
	w.line = appendCount(w.line[:0], members)
	w.line = append(w.line, " members, "...)
	w.line = appendCount(w.line, partitions)
	w.line = append(w.line, " partitions"...)
	return w.intern(w.line)
}

// windows is count for a matrix that shows a part of the group: "members 1 to
// 20 of 24, 96 partitions"; "" when it shows all.
func (w *words) windows(g *grid, members, slots int, what noun) string {
	if g.rowCount == 0 || g.rowCount >= members && g.columns >= slots {
		return ""
	}
	rows, columns := "", ""
	if g.rowCount < members {
		rows = w.window(g.firstRow, g.rowCount, members)
	}
	if g.columns < slots {
		columns = w.window(g.first, g.columns, slots)
	}
	w.line = w.line[:0]
	if rows != "" {
		w.line = append(append(w.line, "members "...), rows...)
	} else {
		w.line = append(appendCount(w.line, members), " members"...)
	}
	if columns != "" {
		w.line = append(append(append(append(w.line, ", "...), what.many...), ' '), columns...)
	} else {
		w.line = append(append(appendCount(append(w.line, ", "...), slots), ' '), what.many...)
	}
	return w.intern(w.line)
}

// rowWindow is its beginning, where the whole has no room.
func (w *words) rowWindow(g *grid, members int) string {
	if g.rowCount == 0 || g.rowCount >= members {
		return ""
	}
	rows := w.window(g.firstRow, g.rowCount, members)
	w.line = append(append(w.line[:0], "members "...), rows...)
	return w.intern(w.line)
}

// appendCount writes a count with a comma at the thousands.
func appendCount(b []byte, n int) []byte {
	if n >= 1000 {
		b = appendCount(b, n/1000)
		b = append(b, ',', byte('0'+n/100%10), byte('0'+n/10%10), byte('0'+n%10))
		return b
	}
	return strconv.AppendInt(b, int64(n), 10)
}

// window says which of some rows are shown: "2 to 4 of 6".
func (w *words) window(first, shown, of int) string {
	w.line = append(w.line[:0], w.number(int32(first+1))...)
	if shown > 1 {
		w.line = append(w.line, " to "...)
		w.line = append(w.line, w.number(int32(first+shown))...)
	}
	w.line = append(w.line, " of "...)
	w.line = append(w.line, w.number(int32(of))...)
	return w.intern(w.line)
}
