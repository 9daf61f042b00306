// Package serve is a small static file server for a built site, on this
// machine only.
package serve

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// portsTried is how many ports after the wanted one are tried when it is taken.
const portsTried = 20

// Listen opens a listener on localhost at port, or at the next free one when
// that is taken. Port 0 takes any free one.
func Listen(port int) (net.Listener, error) {
	var err error
	for i := range portsTried {
		var l net.Listener
		l, err = net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port+i))
		if err == nil {
			return l, nil
		}
		if port == 0 || !errors.Is(err, syscall.EADDRINUSE) {
			break
		}
	}
	return nil, fmt.Errorf("no port from %d to %d can be opened: %w", port, port+portsTried-1, err)
}

// Run serves dir on l until the listener closes, and says where on out.
func Run(l net.Listener, dir string, out io.Writer) error {
	if _, err := os.Stat(filepath.Join(dir, "index.html")); err != nil {
		return fmt.Errorf("%s holds no built site (no index.html in it): run `make site` first", dir)
	}
	fmt.Fprintf(out, "Groupscope is at http://localhost:%d/ (stop with Ctrl+C)\n", l.Addr().(*net.TCPAddr).Port)
	server := &http.Server{Handler: Handler(dir), ReadHeaderTimeout: 10 * time.Second}
	return server.Serve(l)
}

// types holds the content types that do not depend on the machine's tables:
// a browser refuses modules and WASM under a wrong one.
var types = map[string]string{
	".css": "text/css; charset=utf-8", ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".json": "application/json", ".svg": "image/svg+xml", ".wasm": "application/wasm", ".woff2": "font/woff2",
	".yaml": "application/yaml; charset=utf-8", ".gz": "application/gzip", ".br": "application/x-brotli",
}

// Handler serves dir. Where a file has a compressed copy beside it (.br, .gz)
// and the browser takes it, the copy is sent. Nothing is cached without asking,
// so a rebuilt site shows at the next reload.
func Handler(dir string) http.Handler {
	files := http.FileServer(http.Dir(dir))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := path.Clean("/" + r.URL.Path)
		kind, ok := types[path.Ext(name)]
		if !ok {
			kind = mime.TypeByExtension(path.Ext(name))
		}
		if kind != "" {
			w.Header().Set("Content-Type", kind)
		}
		w.Header().Set("Cache-Control", "no-cache")
		if coding, ok := packed(dir, name, r.Header.Get("Accept-Encoding")); ok {
			w.Header().Set("Content-Encoding", coding.name)
			w.Header().Add("Vary", "Accept-Encoding")
			r = r.Clone(r.Context())
			r.URL.Path = name + coding.ext
		}
		files.ServeHTTP(w, r)
	})
}

type coding struct{ name, ext string }

// packed finds a compressed copy of a file that is not older than the file.
func packed(dir, name, accept string) (coding, bool) {
	file := filepath.Join(dir, filepath.FromSlash(name))
	whole, err := os.Stat(file)
	if err != nil || whole.IsDir() {
		return coding{}, false
	}
	for _, c := range []coding{{"br", ".br"}, {"gzip", ".gz"}} {
		if !accepts(accept, c.name) {
			continue
		}
		if copied, err := os.Stat(file + c.ext); err == nil && !copied.ModTime().Before(whole.ModTime()) {
			return c, true
		}
	}
	return coding{}, false
}

func accepts(header, name string) bool {
	for part := range strings.SplitSeq(header, ",") {
		token, params, _ := strings.Cut(strings.TrimSpace(part), ";")
		if strings.TrimSpace(token) == name {
			return !strings.Contains(strings.ReplaceAll(params, " ", ""), "q=0") || strings.Contains(params, "q=0.")
		}
	}
	return false
}
