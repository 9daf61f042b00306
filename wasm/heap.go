//go:build js

package main

import (
	"runtime"
	"runtime/debug"
)

// roomy is the live heap up to which room is not spared: 24 MB.
const roomy = 24 << 20

// size fits the sweeping of the heap to what is open. The host starts the
// program with GOGC=400, since everything waits for a sweep here, there being
// one thread. With a large scenario open that would take too much room, so
// there it is swept as Go does by itself.
func size() {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	percent := 400
	if m.HeapAlloc > roomy {
		percent = 100
	}
	debug.SetGCPercent(percent)
}
