package serve_test

import (
	"bytes"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/cmd/internal/serve"
)

func site(t *testing.T, files map[string]string) http.Handler {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	return serve.Handler(dir)
}

func get(h http.Handler, url, accept string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, url, nil)
	r.Header.Set("Accept-Encoding", accept)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestModulesAndWasmHaveTheTypesBrowsersInsistOn(t *testing.T) {
	h := site(t, map[string]string{"a.js": "x", "a.wasm": "x"})
	assert.Equal(t, "text/javascript; charset=utf-8", get(h, "/a.js", "").Header().Get("Content-Type"))
	assert.Equal(t, "application/wasm", get(h, "/a.wasm", "").Header().Get("Content-Type"))
}

func TestThePackedCopyIsSentOnlyToWhoTakesIt(t *testing.T) {
	h := site(t, map[string]string{"a.wasm": "whole", "a.wasm.gz": "packed"})
	for accept, want := range map[string]string{"gzip, br": "packed", "": "whole", "br": "whole", "gzip;q=0": "whole", "gzip;q=0.5": "packed"} {
		w := get(h, "/a.wasm", accept)
		assert.Equal(t, want, w.Body.String(), "Accept-Encoding: %q", accept)
		assert.Equal(t, "application/wasm", w.Header().Get("Content-Type"))
	}
	assert.Equal(t, "packed", get(h, "/a.wasm.gz", "gzip").Body.String(), "asked for by its own name it comes as it is")
}

func TestNothingOutsideTheSiteIsServed(t *testing.T) {
	h := site(t, map[string]string{"index.html": "x"})
	assert.Equal(t, http.StatusNotFound, get(h, "/../../etc/passwd", "").Code)
}

func TestAFolderWithoutASiteIsRefusedByName(t *testing.T) {
	l, err := serve.Listen(0)
	require.NoError(t, err)
	defer l.Close()
	assert.ErrorContains(t, serve.Run(l, t.TempDir(), &bytes.Buffer{}), "make site")
}

func TestATakenPortMovesOnToTheNext(t *testing.T) {
	first, err := serve.Listen(0)
	require.NoError(t, err)
	defer first.Close()
	taken := portOf(t, first.Addr().String())
	second, err := serve.Listen(taken)
	require.NoError(t, err)
	defer second.Close()
	assert.Greater(t, portOf(t, second.Addr().String()), taken)
}

func portOf(t *testing.T, address string) int {
	t.Helper()
	_, port, err := net.SplitHostPort(address)
	require.NoError(t, err)
	n, err := strconv.Atoi(port)
	require.NoError(t, err)
	return n
}
