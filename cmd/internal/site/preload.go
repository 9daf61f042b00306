package site

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

var (
	// entry finds the modules that a page begins with, imported those that a
	// module imports at once. What it may import later, it may never need.
	entry    = regexp.MustCompile(`<script type="module"(?: async)? src="([^"]+)"`)
	imported = regexp.MustCompile(`(?m)^(?:import|export)\b[^;'"(]*['"](\./[^'"]+|\.\./[^'"]+)['"]`)
)

// preloaded adds to a page a line for each module that it will come to need,
// so that the browser fetches them side by side instead of one behind the
// other. The modules of the first entry come first: those of the others stand
// behind all else that the page fetches.
func (b *builder) preloaded(name string, html []byte) ([]byte, error) {
	var links bytes.Buffer
	seen, behind := map[string]bool{}, ""
	var visit func(module string) error
	visit = func(module string) error {
		if seen[module] {
			return nil
		}
		seen[module] = true
		fmt.Fprintf(&links, "<link rel=\"modulepreload\"%s href=\"%s\">\n", behind, module)
		text, err := os.ReadFile(filepath.Join(b.Root, "web", filepath.FromSlash(module)))
		if os.IsNotExist(err) { // made by the build
			return nil
		}
		if err != nil {
			return err
		}
		for _, m := range imported.FindAllSubmatch(text, -1) {
			if err := visit(path.Join(path.Dir(module), string(m[1]))); err != nil {
				return err
			}
		}
		return nil
	}
	for _, m := range entry.FindAllSubmatch(html, -1) {
		if src := string(m[1]); !strings.Contains(src, ":") {
			if err := visit(src); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			behind = ` fetchpriority="low"`
		}
	}
	return bytes.Replace(html, []byte("</head>"), append(links.Bytes(), "</head>"...), 1), nil
}
