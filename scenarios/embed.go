// Package scenarios holds the gallery: the scenario files that come with
// Groupscope. README.md there is the reference of their format.
package scenarios

import (
	"cmp"
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"groupscope/core/scenario"
)

//go:embed *.yaml
var files embed.FS

//go:embed scenario.schema.json
var schema []byte

// Schema is the JSON Schema of scenario files, for editors.
func Schema() []byte { return slices.Clone(schema) }

// Names lists the gallery's files without their extension, sorted.
func Names() []string {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic(fmt.Sprintf("scenarios: the embedded folder cannot be read: %v", err))
	}
	var out []string
	for _, e := range entries {
		out = append(out, strings.TrimSuffix(e.Name(), ".yaml"))
	}
	return out
}

// Source is the text of a scenario of the gallery.
func Source(name string) ([]byte, error) {
	src, err := fs.ReadFile(files, name+".yaml")
	if err != nil {
		return nil, fmt.Errorf("no scenario %s in the gallery: there are %s", name, strings.Join(Names(), ", "))
	}
	return src, nil
}

// Pack is a part of the gallery.
type Pack struct {
	Title     string
	Scenarios []*scenario.Scenario
}

// Gallery reads all scenarios and sorts them into packs, by the order that
// the files give and then by name. The files are part of the program, so one
// that cannot be read is a broken invariant.
func Gallery() []Pack {
	var all []*scenario.Scenario
	for _, name := range Names() {
		src, err := Source(name)
		if err != nil {
			panic("scenarios: " + err.Error())
		}
		sc, faults := scenario.Parse(name+".yaml", src)
		if sc == nil {
			panic(fmt.Sprintf("scenarios: %v", faults))
		}
		all = append(all, sc)
	}
	slices.SortStableFunc(all, func(a, b *scenario.Scenario) int { return cmp.Compare(a.Order, b.Order) })
	var packs []Pack
	for _, sc := range all {
		i := slices.IndexFunc(packs, func(p Pack) bool { return p.Title == sc.Pack })
		if i < 0 {
			packs = append(packs, Pack{Title: sc.Pack})
			i = len(packs) - 1
		}
		packs[i].Scenarios = append(packs[i].Scenarios, sc)
	}
	return packs
}
