package main

import "fmt"

// frames times the drawing of a thousand chips, half of them moving, and of
// the group board at that size while it plays.
func (l *lab) frames() ([]row, error) {
	ctx, done, err := l.open("sample.html")
	if err != nil {
		return nil, err
	}
	defer done()
	type measured struct{ Ms, Allocations float64 }
	stress, err := ask[measured](ctx, `(async () => {
		const {boot} = await import('./host.js');
		const container = document.createElement('div');
		container.style.cssText = 'position:fixed;inset:0;width:1280px;height:720px';
		document.body.append(container);
		const module = await WebAssembly.compileStreaming(fetch('stress.wasm'));
		const instance = await boot({module, container});
		const wait = ms => new Promise(done => setTimeout(done, ms));
		await wait(3000);
		bench.ms.length = 0;
		const before = instance.exports.memory();
		await wait(5000);
		const after = instance.exports.memory();
		instance.destroy();
		const ms = bench.ms.toSorted((a, b) => a - b);
		return {ms: ms[ms.length >> 1], allocations: (after.mallocs - before.mallocs) / (after.frames - before.frames)};
	})()`)
	if err != nil {
		return nil, err
	}
	playing, err := l.crowdFrames()
	if err != nil {
		return nil, err
	}
	return []row{
		limit("frame, 1,000 labelled chips of 100 members, half moving", "<= 3 ms", stress.Ms, 3, "%.1f ms (median)"),
		limit("allocations of that frame", "about 20", stress.Allocations, 30, "%.0f"),
		limit("frame of the group board, 100 x 1,000, playing", "<= 3 ms", playing, 3, "%.1f ms (median)"),
	}, nil
}

func (l *lab) crowdFrames() (float64, error) {
	ctx, done, err := l.open("index.html#scenario=kip-848-worked-example")
	if err != nil {
		return 0, err
	}
	defer done()
	if _, err := ask[float64](ctx, drawn); err != nil {
		return 0, err
	}
	return ask[float64](ctx, fmt.Sprintf(`(async () => {
		await %s.open('crowd.yaml', %s, {step: 'half'});
		await %[1]s.play();
		bench.ms.length = 0;
		await new Promise(done => setTimeout(done, 5000));
		await %[1]s.pause();
		const ms = bench.ms.toSorted((a, b) => a - b);
		return ms[ms.length >> 1];
	})()`, board, text(crowd(100, 1000, 5))))
}

// seeks jumps about in a recording of some 20,000 events.
func (l *lab) seeks() ([]row, error) {
	ctx, done, err := l.open("index.html#scenario=kip-848-worked-example")
	if err != nil {
		return nil, err
	}
	defer done()
	if _, err := ask[float64](ctx, drawn); err != nil {
		return nil, err
	}
	type measured struct{ Median, Worst, Events float64 }
	m, err := ask[measured](ctx, fmt.Sprintf(`(async () => {
		const info = await %s.open('crowd.yaml', %s);
		const bridge = %[1]s.bridge, ms = [];
		for (let n = 0; n < 60; n++) {
			const stop = (n * 7919) %% info.stops.length, start = performance.now();
			bridge.call('seek', {stop});
			ms.push(performance.now() - start);
		}
		ms.sort((a, b) => a - b);
		return {median: ms[30], worst: ms[59], events: info.stats.events};
	})()`, board, text(crowd(100, 1000, 5))))
	if err != nil {
		return nil, err
	}
	return []row{limit(fmt.Sprintf("seek anywhere in %.0f events", m.Events), "<= 35 ms", m.Worst, 35, "%.1f ms at worst, %.1f ms median", m.Median)}, nil
}
