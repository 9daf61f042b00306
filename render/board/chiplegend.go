package board

import "groupscope/render/scene"

// A key is a look that the legend of chips explains.
type key uint8

// The keys, in the order in which they stand.
const (
	activeKey key = iota
	standbyKey
	warmupKey
	restoresKey
	pendingKey
	waitingKey
	opensKey
	freeKey
	targetKey
	nobodyKey
	freshKey
	fencedKey
	alertKey
	statusKey
	keyCount
)

// keyForms are the chips and the words of the keys; last says which go first
// where there is no room for all, the highest one.
var keyForms = [keyCount]struct {
	is   chip
	text string
	last int
}{
	activeKey:   {chip{look: owned}, "active", 4},
	standbyKey:  {chip{look: owned, role: standby}, "standby", 0},
	warmupKey:   {chip{look: owned, role: warmup, part: 0.6}, "warm-up", 0},
	restoresKey: {chip{look: owned, restores: true, part: 0.5}, "restoring", 0},
	pendingKey:  {chip{look: pending}, "being revoked", 0},
	waitingKey:  {chip{look: waiting}, "waits", 0},
	opensKey:    {chip{look: free}, "being opened", 0},
	freeKey:     {chip{look: free}, "free to take", 0},
	targetKey:   {chip{look: target}, "target", 5},
	nobodyKey:   {chip{look: nobody}, "nobody", 3},
	freshKey:    {chip{look: fresh}, "no owner yet", 2},
	fencedKey:   {chip{look: fenced}, "lost", 1},
	alertKey:    {chip{look: owned}, "breaks an invariant", 0},
	statusKey:   {chip{}, "", 0},
}

// keys are a set of them.
type keys [keyCount]bool

// keysShown are the looks that are on the board now.
func (d *drawing) keysShown() (shown keys) {
	for i := range d.rows {
		if !d.rows[i].shown {
			continue
		}
		shown[statusKey] = shown[statusKey] || d.marked(&d.rows[i])
		for _, c := range d.cellsOf(i) {
			shown.add(c.own, c.ownRole, c.ownNext, opensKey)
			shown.add(c.current, c.currentRole, c.currentNext, freeKey)
			shown[restoresKey] = shown[restoresKey] || c.ownRestores
			shown[targetKey] = shown[targetKey] || c.target
			shown[alertKey] = shown[alertKey] || c.ownAlert || c.currentAlert
		}
	}
	for s := range d.slots {
		shown.add(d.laneLook(&d.slots[s]), active, empty, freeKey)
	}
	return shown
}

func (k *keys) add(l look, r role, next look, dashed key) {
	switch l {
	case owned, pending:
		k[activeKey+key(r)] = true
		k[pendingKey] = k[pendingKey] || l == pending
	case waiting:
		k[waitingKey] = true
	case free:
		k[dashed] = true
	case nobody:
		k[nobodyKey] = true
	case fresh:
		k[freshKey] = true
	case fenced:
		k[fencedKey] = true
	}
	switch next {
	case waiting:
		k[waitingKey] = true
	case free:
		k[dashed] = true
	}
}

const (
	keyChip   = 28 // width of a legend's chip
	keyText   = 36 // from it to its words
	keyGap    = 22
	keysBelow = 38 // height of one line of the legend, with the rule above it
)

// chipLegendHeight is the room that the legend would like under the lane.
func (d *drawing) chipLegendHeight() float32 {
	switch {
	case !d.streams || d.l.titleless && d.form != cards || !d.l.ownView && d.form != cards:
		return 0
	case d.form == cards:
		return 2*legendLine + 10
	}
	return keysBelow + 6
}

// keyBox is a place for the legend.
type keyBox struct {
	left, right, top float32
	lines            int
	rule             bool
	under            scene.Color
}

// keyBoxes are the places that there are: under the nobody lane, and beside it,
// under the own views.
func (d *drawing) keyBoxes() (boxes [2]keyBox) {
	l := &d.l
	end := d.laneY + d.rowHeight()
	below := keyBox{left: l.badge, right: l.panel[1] - l.panelPad, top: max(end+2, d.panelBottom-keysBelow), rule: true, under: scene.Panel}
	if d.form == cards {
		below.left, below.right, below.top, below.rule, below.under = l.name, l.panel[1], end+26, false, scene.Paper
		below.lines = int((d.s.Height - below.top) / legendLine)
		boxes[0] = below
		return boxes
	}
	if !l.ownView {
		below.left = l.name
	}
	if room := d.panelBottom - end; room >= keysBelow+2 {
		below.lines = int((room - 16) / legendLine)
		below.top = d.panelBottom - 14 - float32(below.lines)*legendLine
	}
	boxes[0] = below
	if l.ownView && !l.titleless {
		top := d.laneY - 4
		boxes[1] = keyBox{left: l.left(), right: l.panel[0] - 12, top: top, lines: max(1, int((d.panelBottom-top)/legendLine)), under: scene.Paper}
	}
	return boxes
}

// chipLegend explains the looks of tasks that are on the board, where there is
// room: the plainest ones are left out first.
func (d *drawing) chipLegend(p pen) {
	if !d.streams {
		return
	}
	shown := d.keysShown()
	var best keyBox
	var fits keys
	most := 0
	for _, box := range d.keyBoxes() {
		if box.lines == 0 {
			continue
		}
		some, n := d.fitKeys(box, shown)
		if n > most {
			best, fits, most = box, some, n
		}
	}
	if most == 0 {
		return
	}
	lines := d.placeKeys(best, fits, nil)
	if best.rule {
		best.top += float32(best.lines-lines) * legendLine
		p.across(best.left, best.right, best.top, 1, scene.Hair)
	}
	saved := d.l
	d.l.chipW, d.l.chipH, d.l.radius, d.l.gap = keyChip, 20, 4, 4
	d.placeKeys(best, fits, func(k key, x, y float32) { d.legendKey(p, k, x, y+9, best.under) })
	d.l = saved
}

// fitKeys leaves keys out until the others fit a box, and counts them.
func (d *drawing) fitKeys(box keyBox, shown keys) (keys, int) {
	for {
		n, drop := 0, -1
		for k := range shown {
			if !shown[k] {
				continue
			}
			n++
			if drop < 0 || keyForms[k].last >= keyForms[drop].last {
				drop = k
			}
		}
		if n == 0 || d.placeKeys(box, shown, nil) <= box.lines {
			return shown, n
		}
		shown[drop] = false
	}
}

// placeKeys puts keys in lines and returns how many lines that takes.
func (d *drawing) placeKeys(box keyBox, shown keys, at func(k key, x, y float32)) int {
	x, line := box.left, 0
	for k := range keyCount {
		if !shown[k] {
			continue
		}
		w := keyText + d.w.width(d.keyText(k), 14, scene.Regular)
		if x+w > box.right && x > box.left {
			x = box.left
			line++
		}
		if at != nil {
			at(k, x, box.top+float32(line)*legendLine)
		}
		x += w + keyGap
	}
	return line + 1
}

// keyText are the words of a key.
func (d *drawing) keyText(k key) string {
	if k != statusKey {
		return keyForms[k].text
	}
	for i := range d.rows {
		if d.marked(&d.rows[i]) {
			code, _ := statusOf(d.rows[i].client)
			return code.String()
		}
	}
	return ""
}

func (d *drawing) legendKey(p pen, k key, x, y float32, under scene.Color) {
	is := keyForms[k].is
	is.x, is.y, is.epoch, is.under = x, y, d.targetEpoch(), under
	switch k {
	case statusKey:
		d.statusMark(p, x+keyChip/2, y+10)
	case alertKey:
		d.chip(p, &slot{width: -8}, is)
		p.outline(x-2, y-2, keyChip+4, 24, 6, 2, scene.Alert)
		p.shape(scene.Shape{X: x + keyChip - 9, Y: y - 5, W: 14, H: 14, Radii: round(7), Fill: scene.Paper, Stroke: scene.Alert, Width: 2})
		p.mark(scene.Cross, x+keyChip-5.5, y-1.5, 7, 7, scene.Alert)
	default:
		d.chip(p, &slot{width: -8}, is)
	}
	p.text(x+keyText, y+15, d.keyText(k), 14, scene.Regular, scene.Ink2)
}
