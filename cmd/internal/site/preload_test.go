package site

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/scenarios"
)

var preloads = regexp.MustCompile(`rel="modulepreload"[^>]* href="([^"]+)"`)

func TestAPageNamesEveryModuleThatItWillNeed(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"ahead.js":       "import './part/c.js';\n",
		"app.js":         "import { a } from './a.js';\nimport './part/b.js';\n",
		"a.js":           "export * from './part/c.js';\nimport './made.js';\nconst later = () => import('./never.js');\n",
		"part/b.js":      "import {\n  x,\n  y,\n} from '../a.js';\n",
		"part/c.js":      "// import './commented.js' stands in no line's beginning\n",
		"never.js":       "import './a.js';\n",
		"part/unused.js": "",
	} {
		file := filepath.Join(root, "web", name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	b := builderIn(t.TempDir())
	b.Root = root
	page, err := b.preloaded("index.html", []byte(`<head><script type="module" async src="ahead.js"></script><script type="module" src="app.js"></script></head>`))
	require.NoError(t, err)
	assert.Equal(t, `<head><script type="module" async src="ahead.js"></script><script type="module" src="app.js"></script>`+
		"<link rel=\"modulepreload\" href=\"ahead.js\">\n"+
		"<link rel=\"modulepreload\" href=\"part/c.js\">\n"+
		"<link rel=\"modulepreload\" fetchpriority=\"low\" href=\"app.js\">\n"+
		"<link rel=\"modulepreload\" fetchpriority=\"low\" href=\"a.js\">\n"+
		"<link rel=\"modulepreload\" fetchpriority=\"low\" href=\"made.js\">\n"+
		"<link rel=\"modulepreload\" fetchpriority=\"low\" href=\"part/b.js\">\n</head>", string(page))
}

// TestThePageBeginsWithTheFirstOfTheGallery: its first script cannot wait for
// the list to know.
func TestThePageBeginsWithTheFirstOfTheGallery(t *testing.T) {
	html, err := os.ReadFile("../../../web/index.html")
	require.NoError(t, err)
	first := scenarios.Gallery()[0].Scenarios[0].Name
	assert.Contains(t, string(html), `<script src="first.js" data-scenario="`+first+`"></script>`)
}

// TestTheRealPagePreloadsWhatIsThere: no line of it asks for a file that the
// site will not have.
func TestTheRealPagePreloadsWhatIsThere(t *testing.T) {
	b := builderIn(t.TempDir())
	b.Root = "../../.."
	html, err := os.ReadFile("../../../web/index.html")
	require.NoError(t, err)
	page, err := b.preloaded("index.html", html)
	require.NoError(t, err)
	links := preloads.FindAllStringSubmatch(string(page), -1)
	require.Greater(t, len(links), 20)
	for _, l := range links {
		if l[1] != "tokens.js" { // made from tokens.css
			assert.FileExists(t, filepath.Join("../../../web", l[1]))
		}
	}
}
