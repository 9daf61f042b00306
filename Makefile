# Groupscope. `make run` builds everything and serves the page; `make test` runs every check. Each check is a target of its own.
GO      ?= go
SITE    ?= dist
PORT    ?= 8080
FUZZTIME ?= 5m
NATIVE  := ./...
JS      := GOOS=js GOARCH=wasm
# Packages whose tests also run under GOOS=js: the same seed must give the same trace there.
JSTESTS := ./core/sim ./core/scenario ./core/session
JSCLAIMS := Same|Seed|Worked|Transcript|Platform|Golden|File|Scenario|Call
ROOM    := $(CURDIR)/.cache

.PHONY: run site dist test format vet static unit conformance scenarios js browser pictures fuzz bench clean help

help: ## this list
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

run: site ## build everything and serve the page on localhost
	@$(GO) run ./cmd/groupscope serve -dir $(SITE) -port $(PORT)

site: ## build the site into dist/, quickly
	@$(GO) run ./cmd/groupscope site -o $(SITE)

dist: ## build the site into dist/ as it is published: compressed copies included
	@$(GO) run ./cmd/groupscope site -compress -o $(SITE)

test: format vet static unit conformance scenarios js browser ## every check
	@echo "all checks passed"

format: ## gofmt changes nothing
	@out=$$(gofmt -l $$(git ls-files '*.go')); test -z "$$out" || { echo "gofmt would change:"; echo "$$out"; exit 1; }

vet: ## go vet, native, browser tests and js
	$(GO) vet $(NATIVE)
	$(GO) vet -tags browser ./web/...
	$(JS) $(GO) vet ./wasm/... ./render/... ./core/... ./cmd/bench/stress

static: ## staticcheck, native and js
	$(GO) tool staticcheck $(NATIVE)
	$(GO) tool staticcheck -tags browser ./web/...
	$(JS) $$($(GO) tool -n staticcheck) ./wasm/... ./cmd/bench/stress

unit: ## unit and property tests, the core and the commands with the race detector
	@.ci/need cc
	CGO_ENABLED=1 $(GO) test -race -short $$($(GO) list $(NATIVE) | grep -v -e core/conformance -e render/)
	$(GO) test ./render/...

conformance: ## the traces of the real coordinator and clients, and all runs of whole worlds
	$(GO) test ./core/conformance/... ./core/sim ./core/playback

scenarios: ## every file of the gallery meets its expectations
	$(GO) run ./cmd/groupscope check scenarios

js: ## what must be the same in the browser, as WASM
	@.ci/need node
	$(JS) $(GO) test -short -run '$(JSCLAIMS)' -exec="$$($(GO) env GOROOT)/lib/wasm/go_js_wasm_exec" $(JSTESTS)

browser: ## the page in a real browser
	@.ci/need chromium
	$(GO) test -tags browser -count=1 -timeout 14m ./web/...

pictures: ## draw the pictures of README anew
	@for t in light dark; do $(GO) run ./cmd/groupscope draw -step K5 -theme $$t -o web/pictures/k5-$$t.svg scenarios/kip-848-worked-example.yaml && \
		$(GO) run ./cmd/groupscope draw -step warming -rules kip -theme $$t -o web/pictures/warming-$$t.svg scenarios/warm-up-and-hand-over.yaml; done

fuzz: ## fuzz everything that reads what others wrote, five minutes each
	@for f in core/scenario:FuzzParse core/scenario:FuzzAction core/conformance:FuzzTrace core/session:FuzzCalls core/session:FuzzLoad; do \
		$(GO) test -run '^$$' -fuzz "^$${f#*:}$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 1x ./$${f%:*} || exit 1; done

bench: ## measure the budgets, and the core beside the real coordinator, and print the tables
	@.ci/need chromium
	@.ci/need node
	@$(GO) run ./cmd/bench

clean: ## remove what was built
	rm -rf $(SITE) $(ROOM)
