package site

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"

	"groupscope/core/playback"
	"groupscope/core/scenario"
	"groupscope/core/session"
	"groupscope/render/board"
	"groupscope/render/scene"
	"groupscope/render/svg"
	"groupscope/scenarios"
)

// card is what the gallery's list says of a scenario.
type card struct {
	Name       string   `json:"name"`
	Title      string   `json:"title"`
	Summary    string   `json:"summary"`
	Pack       string   `json:"pack"`
	Rules      []string `json:"rules"`
	Steps      int      `json:"steps"`
	Members    int      `json:"members"`
	Partitions int32    `json:"partitions"`
}

// layouts are the widths that stills are drawn at, by the names the element
// asks for: the design's own width of each layout. Boards but the first are
// drawn at the height of its boxes, as they choose their form by it.
var layouts = []struct {
	name          string
	width, height float32
}{{"wide", 1280, 544}, {"medium", 768, 404}, {"embed", 640, 262}, {"embedSmall", 480, 214}, {"phone", 390, 0}}

// gallery writes the scenario files, their list, and for each of them what an
// embed shows before any program is loaded: facts, captions, still pictures.
func (b *builder) gallery() error {
	if err := b.looks(); err != nil {
		return err
	}
	var cards []card
	for _, pack := range scenarios.Gallery() {
		for _, sc := range pack.Scenarios {
			c, err := b.scenario(sc)
			if err != nil {
				return fmt.Errorf("scenario %s: %w", sc.Name, err)
			}
			cards = append(cards, c)
		}
	}
	list, err := json.Marshal(cards)
	if err != nil {
		return err
	}
	return b.put("scenarios/index.json", list)
}

func (b *builder) scenario(sc *scenario.Scenario) (card, error) {
	if err := b.put("scenarios/"+sc.Name+".yaml", sc.Source); err != nil {
		return card{}, err
	}
	s := session.New("")
	if err := ok(s.Load(sc.Name+".yaml", sc.Source, "{}"), nil); err != nil {
		return card{}, err
	}
	var info session.Info
	if err := ok(s.Call("info", ""), &info); err != nil {
		return card{}, err
	}
	if err := b.stills(sc.Name, s, info); err != nil {
		return card{}, err
	}
	c := card{Name: sc.Name, Title: sc.Title, Summary: sc.Summary, Pack: sc.Pack, Rules: sc.Rules, Steps: len(info.Stops) - 1, Members: len(info.Members)}
	for _, topic := range s.Player().Frame().State.Topics {
		c.Partitions += topic.Partitions
	}
	return c, nil
}

// looks are the legends of the help, in two widths.
func (b *builder) looks() error {
	for _, width := range []float32{640, 300} {
		for name, streams := range map[string]bool{"partitions": false, "tasks": true} {
			var picture scene.Scene
			var file bytes.Buffer
			board.Looks(&picture, streams, width)
			if err := svg.Inline(&file, &picture); err != nil {
				return err
			}
			if err := b.put(fmt.Sprintf("looks/%s-%v.svg", name, width), file.Bytes()); err != nil {
				return err
			}
		}
	}
	return nil
}

// facts is Info with the words of every stop.
type facts struct {
	session.Info
	Captions []json.RawMessage `json:"captions"`
}

// stills draws every stop in every layout, on each board that the group has.
func (b *builder) stills(name string, s *session.Session, info session.Info) error {
	about := facts{Info: info}
	for _, stop := range info.Stops {
		if err := ok(s.Call("seek", fmt.Sprintf(`{"stop": %d}`, stop.Index)), nil); err != nil {
			return err
		}
		var words json.RawMessage
		if err := ok(s.Call("caption", ""), &words); err != nil {
			return err
		}
		about.Captions = append(about.Captions, words)
		if err := b.pictures(fmt.Sprintf("stills/%s/%s", name, url.PathEscape(stop.Label)), s.Player().Frame()); err != nil {
			return err
		}
	}
	if err := ok(s.Call("seek", `{"stop": 0}`), nil); err != nil {
		return err
	}
	data, err := json.Marshal(about)
	if err != nil {
		return err
	}
	return b.put("stills/"+name+"/info.json", data)
}

// pictures draws a frame. Files of the first board have the layout in their
// names, those of others the board as well.
func (b *builder) pictures(path string, frame *playback.Frame) error {
	for i := range board.Kinds {
		kind := &board.Kinds[i]
		if kind.Streams && !frame.State.Streams() {
			continue
		}
		for _, l := range layouts {
			view, name := board.View{Width: l.width}, path+"-"+l.name+".svg"
			if i > 0 {
				view.Height, name = l.height, path+"-"+kind.Name+"-"+l.name+".svg"
			}
			var picture scene.Scene
			var file bytes.Buffer
			kind.Draw(&picture, frame, &view)
			if err := svg.Inline(&file, &picture); err != nil {
				return err
			}
			if err := b.put(name, file.Bytes()); err != nil {
				return err
			}
		}
	}
	return nil
}

// ok reads the answer of a session into v, or returns its error.
func ok(answer []byte, v any) error {
	var a struct {
		OK    json.RawMessage `json:"ok"`
		Error *session.Error  `json:"error"`
	}
	if err := json.Unmarshal(answer, &a); err != nil {
		return err
	}
	if a.Error != nil {
		return fmt.Errorf("%s", a.Error.Message)
	}
	if v == nil {
		return nil
	}
	return json.Unmarshal(a.OK, v)
}
