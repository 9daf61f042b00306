package scene

import (
	"fmt"
	"strings"
)

// toneNames are the tones of an epoch in the order of Tone.
var toneNames = [...]string{"fill", "on", "edge", "wash"}

// colorNames are the colours that belong to no epoch, by Color.
var colorNames = [firstEpoch]string{
	"none", "paper", "panel", "panel-edge", "raised", "ink", "ink2", "line", "hair", "alert", "alert-wash",
}

// variables holds the custom property of each colour.
var variables = func() (out [Colors]string) {
	for c := range out {
		if c < int(firstEpoch) {
			out[c] = "--gs-" + colorNames[c]
			continue
		}
		i := c - int(firstEpoch)
		out[c] = fmt.Sprintf("--gs-e%d-%s", i/4, toneNames[i%4])
	}
	return out
}()

// Variable is the CSS custom property that carries the colour in a page:
// "--gs-ink", "--gs-e1-fill". The index of an epoch is 0 for epochs up to 0,
// else (e-1) mod 8 + 1.
func (c Color) Variable() string { return variables[c] }

// Hex is the colour in a palette as CSS writes it: "#24559B".
func (p *Palette) Hex(c Color) string {
	v := p[c]
	return fmt.Sprintf("#%02X%02X%02X", v.R, v.G, v.B)
}

// CSS is the style sheet web/tokens.css: the palettes as custom properties.
// A page, a <group-scope> or any element picks a theme with data-theme; what
// has none inherits, and at the root the reader's system decides. High
// contrast follows the system alone. The :host forms serve a shadow tree that
// carries the sheet itself.
func CSS() string {
	const (
		all   = ":root, :host, [data-theme=light]"
		auto  = ":root:not([data-theme=light]), :host(:not([data-theme=light]))"
		dark  = "[data-theme=dark], :host([data-theme=dark])"
		more  = "(prefers-contrast: more), (forced-colors: active)"
		night = "(prefers-color-scheme: dark)"
		both  = "(prefers-contrast: more) and " + night + ", (forced-colors: active) and " + night
	)
	var b strings.Builder
	b.WriteString("/* The design tokens. Generated: go test ./render/scene -run TokensCSS -update */\n")
	for _, r := range []struct{ media, selector, theme string }{
		{"", all, "light"}, {night, auto, "dark"}, {"", dark, "dark"},
		{more, all, "hcLight"}, {both, auto, "hcDark"}, {more, dark, "hcDark"},
	} {
		if r.media != "" {
			fmt.Fprintf(&b, "@media %s {\n", r.media)
		}
		writeTheme(&b, r.selector, r.theme)
		if r.media != "" {
			b.WriteString("}\n")
		}
	}
	return b.String()
}

func writeTheme(b *strings.Builder, selector, theme string) {
	p, _ := Theme(theme)
	scheme := "light"
	if strings.HasSuffix(strings.ToLower(theme), "dark") {
		scheme = "dark"
	}
	fmt.Fprintf(b, "%s {\n  color-scheme: %s;\n ", selector, scheme)
	for c := Paper; int(c) < Colors; c++ {
		if c >= firstEpoch && (c-firstEpoch)%4 == 0 {
			b.WriteString("\n ")
		}
		fmt.Fprintf(b, " %s: %s;", c.Variable(), p.Hex(c))
	}
	b.WriteString("\n}\n")
}
