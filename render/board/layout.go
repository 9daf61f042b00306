package board

// layout is where things stand, in pixels. The tables below are the design's
// (tokens.json, layouts): they are exact for three slots a column at the
// width w; fit adapts a copy to another width, more slots, or less height.
type layout struct {
	w float32 // nominal width

	name, clientBadge, own float32 // x of the member's name, epoch badge, first slot
	ownView                bool
	panel                  [2]float32 // x of its left and right edge
	panelTop, panelRadius  float32
	panelPad               float32 // from the last target slot to the panel's right edge
	badge, current, target float32
	column                 float32    // width of own, current and target
	arrow                  [2]float32 // zero: no messages
	words                  bool       // messages carry badges and words

	chipW, chipH, gap, radius float32
	lineH                     float32 // pitch of the lines of a row with several

	rowY, rowH float32 // of the first row's chips; pitch
	minRowH    float32 // without state words
	stateDY    float32 // baseline of state words under rowY; 0: none
	timer      timerForm
	reserve    bool // members to come have a row

	laneGap    float32 // from where the next row would start to the nobody slots
	laneLine   float32 // the same to the line above them
	panelBelow float32 // from the nobody slots' lower edge to the panel's
	panelSlack float32 // how much of that may go for want of height
	below      float32 // from there to the picture's

	title, head, small, state, chip, nameSize float32 // type sizes
	titleY, stateY, headY, rule               float32 // baselines; y of the rule under the heads, 0: none
	titleless                                 bool    // the header has the state only
	tasks                                     bool    // brackets for processes, the state under the badge
	processGap                                float32 // more room between two processes
	groupBadge, headBadge, rowBadge           badgeForm
	forEpoch                                  string // the words before the target's badge

	rows, columns Window // what is shown of a group that does not fit
}

// atBadge: a member's state in words stands under its badge.
func (l *layout) atBadge() bool { return l.timer == timerColumn || l.tasks }

// left is where the picture begins: at the names or the brackets before them.
func (l *layout) left() float32 {
	if l.tasks {
		return l.name - 52
	}
	return l.name
}

// badgeForm is the size of an epoch badge and of its figures; y is its upper
// edge, in a row relative to the chip's; most is its greatest width, 0 for any.
type badgeForm struct{ w, h, size, y, most float32 }

// timerForm is how a member's timers are drawn.
type timerForm uint8

const (
	noTimer     timerForm = iota
	oneTimer              // beside the state word: revoke if it runs, else session
	twoTimers             // session, and revoke below it
	timerColumn           // a column of its own
)

var wide = layout{
	w: 1280, name: 32, clientBadge: 76, own: 136, ownView: true,
	panel: [2]float32{568, 1248}, panelTop: 16, panelRadius: 12, panelPad: 24,
	badge: 592, current: 648, target: 960, column: 264, arrow: [2]float32{420, 552}, words: true,
	chipW: 80, chipH: 40, gap: 12, radius: 6, lineH: 48,
	rowY: 156, rowH: 100, minRowH: 60, stateDY: 64, timer: twoTimers, reserve: true,
	laneLine: -16, panelBelow: 32, below: 16,
	title: 22, head: 16, small: 14, state: 16, chip: 16, nameSize: 24,
	titleY: 56, stateY: 55, headY: 112, rule: 130,
	groupBadge: badgeForm{w: 38, h: 28, size: 16, y: 36}, headBadge: badgeForm{w: 34, h: 26, size: 15, y: 94}, rowBadge: badgeForm{w: 34, h: 26, size: 15, y: 7},
	forEpoch: "assignment epoch",
}

var medium = layout{
	w: 768, name: 16, clientBadge: 38, own: 78, ownView: true,
	panel: [2]float32{304, 764}, panelTop: 8, panelRadius: 12, panelPad: 12,
	badge: 314, current: 372, target: 580, column: 172, arrow: [2]float32{262, 300},
	chipW: 52, chipH: 32, gap: 8, radius: 6, lineH: 38,
	rowY: 112, rowH: 76, minRowH: 46, stateDY: 54, timer: oneTimer, reserve: true,
	laneLine: -12, panelBelow: 24, panelSlack: 12, below: 8,
	title: 18, head: 14, small: 14, state: 14, chip: 14, nameSize: 20,
	titleY: 38, stateY: 38, headY: 90,
	groupBadge: badgeForm{w: 34, h: 26, size: 15, y: 20}, headBadge: badgeForm{w: 34, h: 26, size: 15, y: 72}, rowBadge: badgeForm{w: 30, h: 24, size: 14, y: 4},
	forEpoch: "for epoch",
}

var presentation = layout{
	w: 1280, name: 32, clientBadge: 96, own: 176, ownView: true,
	panel: [2]float32{560, 1256}, panelTop: 16, panelRadius: 12, panelPad: 24,
	badge: 584, current: 644, target: 956, column: 276, arrow: [2]float32{472, 552},
	chipW: 84, chipH: 44, gap: 12, radius: 6, lineH: 52,
	rowY: 148, rowH: 124, minRowH: 64, stateDY: 74,
	laneLine: -16, panelBelow: 56, panelSlack: 28, below: 16,
	title: 28, head: 20, small: 18, state: 20, chip: 19, nameSize: 32,
	titleY: 56, stateY: 55, headY: 122,
	groupBadge: badgeForm{w: 52, h: 36, size: 21, y: 31}, headBadge: badgeForm{w: 52, h: 36, size: 21, y: 98}, rowBadge: badgeForm{w: 46, h: 34, size: 20, y: 5},
	forEpoch: "for epoch",
}

// tasks is for streams groups: a line a subtopology, members of a process
// behind a bracket, and room for the endpoints between current and target.
var tasks = layout{
	w: 1280, name: 84, clientBadge: 128, own: 200, ownView: true,
	panel: [2]float32{496, 1248}, panelTop: 16, panelRadius: 12, panelPad: 24,
	badge: 520, current: 616, target: 1008, column: 216, arrow: [2]float32{424, 488},
	chipW: 48, chipH: 28, gap: 8, radius: 6, lineH: 36,
	rowY: 140, rowH: 84, minRowH: 48, stateDY: 49, timer: oneTimer, reserve: true, tasks: true, processGap: 20,
	laneLine: -10, panelBelow: 24, below: 16,
	title: 22, head: 16, small: 14, state: 16, chip: 14, nameSize: 24,
	titleY: 56, stateY: 55, headY: 100, rule: 118,
	groupBadge: badgeForm{w: 40, h: 28, size: 16, y: 36}, headBadge: badgeForm{w: 36, h: 26, size: 15, y: 82}, rowBadge: badgeForm{w: 34, h: 26, size: 15, y: 5},
	forEpoch: "assignment",
}

// endpointsFrom is the room between current and target from which on the
// endpoints have a column.
const endpointsFrom = 140

// compact is for more slots than six in a column: a line a topic, the state
// word under the coordinator's badge, timers in a column of their own.
var compact = layout{
	w: 1280, name: 32, clientBadge: 66, own: 116, ownView: true,
	panel: [2]float32{436, 1248}, panelTop: 16, panelRadius: 12, panelPad: 24,
	badge: 460, current: 556, target: 940, column: 284, arrow: [2]float32{404, 432},
	chipW: 44, chipH: 26, gap: 4, radius: 6, lineH: 32,
	rowY: 130, rowH: 36, minRowH: 36, timer: timerColumn, reserve: true,
	laneGap: 14, laneLine: 2, panelBelow: 18, below: 16,
	title: 22, head: 16, small: 14, state: 16, chip: 14, nameSize: 22,
	titleY: 56, stateY: 55, headY: 98, rule: 116,
	groupBadge: badgeForm{w: 38, h: 28, size: 16, y: 36}, headBadge: badgeForm{w: 34, h: 26, size: 15, y: 80}, rowBadge: badgeForm{w: 34, h: 26, size: 15, y: 0},
	forEpoch: "assignment epoch",
}

var embed = layout{
	w: 640, name: 12, clientBadge: 32, own: 68, ownView: true,
	panel: [2]float32{232, 632}, panelTop: 8, panelRadius: 10, panelPad: 12,
	badge: 242, current: 284, target: 464, column: 156,
	chipW: 48, chipH: 28, gap: 6, radius: 5, lineH: 32,
	rowY: 84, rowH: 58, minRowH: 38,
	laneGap: 10, laneLine: 2, panelBelow: 22, below: 4,
	title: 14, head: 14, small: 14, state: 14, chip: 14, nameSize: 18,
	titleY: 34, stateY: 34, headY: 70, titleless: true,
	groupBadge: badgeForm{w: 34, h: 26, size: 15, y: 16}, headBadge: badgeForm{w: 30, h: 22, size: 14, y: 54}, rowBadge: badgeForm{w: 28, h: 22, size: 14, y: 3},
}

var embedSmall = layout{
	w: 480, name: 20,
	panel: [2]float32{8, 472}, panelTop: 8, panelRadius: 10, panelPad: 10,
	badge: 42, current: 88, target: 284, column: 178,
	chipW: 54, chipH: 28, gap: 8, radius: 5, lineH: 32,
	rowY: 76, rowH: 44, minRowH: 38,
	laneGap: 6, laneLine: -2, panelBelow: 14, below: 4,
	title: 14, head: 14, small: 14, state: 14, chip: 14, nameSize: 18,
	titleY: 30, stateY: 30, headY: 62, titleless: true,
	groupBadge: badgeForm{w: 34, h: 26, size: 15, y: 12}, headBadge: badgeForm{w: 30, h: 22, size: 14, y: 46}, rowBadge: badgeForm{w: 28, h: 22, size: 14, y: 3},
}

// The widths from which on a layout is used; under the last one it is cards.
const (
	wideFrom       = 1200
	mediumFrom     = 720
	embedFrom      = 560
	embedSmallFrom = 430
)

// pick chooses the layout of a container's width.
func pick(width float32, presenting, lines, streams bool) layout {
	switch {
	case width >= wideFrom && streams:
		return tasks
	case presenting && width >= wideFrom && !lines:
		return presentation
	case width >= wideFrom && lines:
		return compact
	case width >= wideFrom:
		return wide
	case width >= mediumFrom:
		return medium
	case width >= embedFrom:
		return embed
	}
	return embedSmall
}

// fit adapts the layout to a width and to the number of slots in its longest
// line: room that is left widens the columns as far as the chips need it,
// then the gutters, then the margin; room that is missing is taken from the
// gutters, then from the columns, whose chips get smaller.
func (l *layout) fit(width float32, slots int) {
	columns := float32(2)
	if l.ownView {
		columns = 3
	}
	var grow, gutter, between, margin float32
	extra := width - l.w
	want := max(0, l.lineWidth(slots)-l.column)
	if extra >= 0 {
		grow = min(want, floor(extra/columns))
		extra -= grow * columns
		gutter = min(floor(extra*0.4), 80)
		between = min(floor(extra*0.2), 40)
		margin = floor((extra - gutter - between) / 2)
	} else {
		if l.arrow[1] > 0 {
			gutter = max(ceil(extra/2), -min(40, floor((l.arrow[1]-l.arrow[0])*0.3)))
		}
		between = max(ceil((extra-gutter)/2), -floor((l.target-l.current-l.column)/3))
		if l.timer == timerColumn {
			between = max(between, -8)
		}
		grow = floor((extra - gutter - between) / columns)
	}
	l.name += margin
	l.clientBadge += margin
	l.own += margin
	at := margin
	if l.ownView {
		at += grow
	}
	arrows := l.arrow[1] > 0 // some layouts have no room for them at any width
	l.arrow[0] += at
	at += gutter
	l.arrow[1] += at
	l.panel[0] += at
	l.badge += at
	l.current += at
	if !l.ownView { // the name stands in the panel
		l.panel[0] -= margin
	}
	at += grow + between
	l.target += at
	l.panel[1] += at + grow
	if !arrows || l.arrow[1] < l.arrow[0]+12 {
		l.arrow = [2]float32{}
	}
	l.column += grow
	l.rowBadge.most = l.current - l.badge - 6
	if l.ownView {
		l.rowBadge.most = min(l.rowBadge.most, l.own-l.clientBadge-6)
	}
	l.chipsFor(slots)
	l.w = width
}

// leastChip is the width of the narrowest chip, which holds "f12" at 14.
const leastChip = 34

func (l *layout) lineWidth(slots int) float32 {
	return float32(slots)*(l.chipW+l.gap) - l.gap
}

// perLine is how many of the narrowest chips a column holds.
func (l *layout) perLine(width float32) int {
	c := l.column
	if e := width - l.w; e < 0 {
		c += e / 3
	}
	return max(1, int((c+4)/(leastChip+4)))
}

func floor(x float32) float32 {
	i := float32(int(x))
	if i > x {
		return i - 1
	}
	return i
}

func ceil(x float32) float32 { return -floor(-x) }
