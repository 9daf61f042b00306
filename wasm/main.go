//go:build js

// Groupscope in a browser: one open scenario, one board. The host (web/host.js)
// gives the program a private window; the page talks to it through what
// bridge.go exports. With -canvas it draws on a canvas of its own, else the
// page asks for SVG.
package main

import (
	"os"
	"runtime/debug"
	"slices"

	"groupscope/core/session"
	"groupscope/render/screen"
)

func main() {
	s := session.New(build())
	st := newStage(s)
	canvas := slices.Contains(os.Args[1:], "-canvas")
	b := open(s, !canvas)
	st.send = b.send
	if !canvas {
		select {} // only answers calls
	}
	if err := screen.Run(st); err != nil {
		panic(err) // no WebGL2 after all; the host reports what is printed
	}
}

// build names the program in reports: the revision it was built from, where
// the toolchain knows it.
func build() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return s.Value[:12]
		}
	}
	return info.Main.Version
}
