package playback

import (
	"groupscope/core/sim"
)

// Switch shows another branch: at the stop on screen if that belongs to both,
// else at the last stop they have in common.
func (p *Player) Switch(id string) error {
	b, err := p.rec.find(id)
	if err != nil {
		return err
	}
	if b == p.branch {
		return nil
	}
	shared := p.branch.track.shared(b.track)
	p.branch = b
	p.enter(min(p.Stop(), max(shared-1, 0)), false)
	return nil
}

// shared is the number of stops that two tracks have in common.
func (t *track) shared(o *track) int {
	n := min(t.len(), o.len())
	for i := range n {
		if t.owner(i) != o.owner(i) {
			return i
		}
	}
	return n
}

// Rename and Delete act on the recording; deleting the branch on screen
// leaves the viewer on the branch it came from.
func (p *Player) Rename(id, name string) error { return p.rec.Rename(id, name) }

// Delete takes a branch off the list.
func (p *Player) Delete(id string) error {
	parent := Main
	for _, b := range p.rec.Branches() {
		if b.ID == id {
			parent = b.Parent
		}
	}
	if err := p.rec.Delete(id); err != nil {
		return err
	}
	if p.branch.id == id {
		return p.Switch(parent)
	}
	return nil
}

// Do carries out an action where the viewer stands and shows what came of it,
// in motion. See Recording.Act for the branch it lands on. An action that is
// not possible changes nothing.
func (p *Player) Do(a sim.Action) error {
	id, err := p.rec.act(p.branch, p.Stop(), p.here(), a)
	if err != nil {
		return err
	}
	b, err := p.rec.find(id)
	if err != nil {
		return err
	}
	p.branch, p.playing = b, false
	p.enter(p.Len()-1, true)
	return nil
}

// Possible says why an action would be refused here, nil if it would not.
func (p *Player) Possible(a sim.Action) error {
	if p.cursor.world == nil {
		p.goTo(p.branch.track, p.branch.track.mark(p.Stop()).tick)
	}
	return p.cursor.world.Possible(a)
}

// Save writes the branch on screen as a scenario file.
func (p *Player) Save() ([]byte, error) { return p.rec.Save(p.branch.id) }

// Totals counts the events and the records of the branch on screen, from its
// start to its end.
func (p *Player) Totals() (events, records int) {
	t := p.branch.track
	for i := range t.len() {
		for _, e := range t.eventsOf(i) {
			rs, _ := writes(e)
			records += len(rs)
		}
	}
	return int(t.events), records
}
