//go:build js

package main

import (
	"encoding/json"
	"runtime/debug"
	"syscall/js"

	"groupscope/core/session"
)

// bridge is all that the page sees of the program: load, call, and onevents,
// which the page sets. Results and events cross as JSON text, files as bytes.
type bridge struct {
	exports js.Value
	session *session.Session
	// quiet: there are no frames after which events could be sent, so they
	// follow every call.
	quiet bool
}

// open puts the exports where the page looks for them and says so.
func open(s *session.Session, quiet bool) *bridge {
	b := &bridge{exports: js.Global().Get("Object").New(), session: s, quiet: quiet}
	b.export("load", func(args []js.Value) []byte {
		src := make([]byte, args[1].Get("byteLength").Int())
		js.CopyBytesToGo(src, args[1])
		defer size()
		return s.Load(args[0].String(), src, args[2].String())
	})
	b.export("call", func(args []js.Value) []byte {
		return s.Call(args[0].String(), args[1].String())
	})
	js.Global().Set("groupscope", b.exports)
	if ready := js.Global().Get("groupscope_ready"); ready.Type() == js.TypeFunction {
		ready.Invoke()
	}
	return b
}

// export is the one way a function becomes callable from the page. Whatever
// happens in it, the page gets an answer: the session recovers what breaks in
// a call, and a wrong call from the page is answered here.
func (b *bridge) export(name string, f func([]js.Value) []byte) {
	b.exports.Set(name, js.FuncOf(func(_ js.Value, args []js.Value) (answer any) {
		defer func() {
			if cause := recover(); cause != nil {
				answer = string(b.session.Answer(func() (any, error) {
					return nil, &session.Error{Kind: session.Usage, Message: name + " was called in a wrong way.",
						Report: &session.Report{Stack: string(debug.Stack())}}
				}))
			}
		}()
		out := string(f(args))
		if b.quiet {
			b.send(b.session.Events())
		}
		return out
	}))
}

// send hands a batch of events, a JSON array, to the page.
func (b *bridge) send(batch json.RawMessage) {
	if len(batch) == 0 {
		return
	}
	if f := b.exports.Get("onevents"); f.Type() == js.TypeFunction {
		f.Invoke(string(batch))
	}
}
