package sim

import "strings"

// A member that is restarted goes by a new member id: its first client is A,
// the next A~2. What is on screen is named for those who look at it: A is the
// member whose client runs now, under whatever id, and an entry that an
// earlier client left behind is A~1, A~2 and so on.

// NameOf is what the member with an id is called.
func (s *State) NameOf(id string) string {
	for _, c := range s.Clients {
		switch id {
		case c.ID:
			return c.Member
		case c.Member:
			return id + firstLife
		}
	}
	return id
}

// nameOf is NameOf in the world as it is now.
func (w *World) nameOf(id string) string {
	for i := range w.members {
		switch m := &w.members[i]; id {
		case m.id():
			return m.setup.Name
		case m.setup.Name:
			return id + firstLife
		}
	}
	return id
}

// Named finds the member id of a name, and the client that uses it now, nil
// for none. The present client answers to its number, too.
func (s *State) Named(name string) (c *ClientState, id string) {
	base, isFirst := strings.CutSuffix(name, firstLife)
	id = name
	for _, c := range s.Clients {
		switch {
		case c.Member == name:
			return c, c.ID
		case isFirst && c.Member == base:
			id = base
		}
	}
	for _, c := range s.Clients {
		if c.ID == id {
			return c, id
		}
	}
	return nil, id
}

// firstLife marks a member's first client among several.
const firstLife = "~1"
