# Everything that is done with the project is a target here; .ci/run calls them.
# Only Go, make and git are needed, and tmux for e2e and shots.

GO      ?= go
BENCH   ?= .
COUNT   ?= 1
FUZZTIME ?= 1m

.DEFAULT_GOAL := build
.PHONY: build run test bench lint fuzz e2e shots docs

build: ## the program, ./cinch
	$(GO) build -o cinch .

run: build ## the inspector on the bundled demo
	./cinch lesson:demo

test: ## the whole suite, about two minutes on two cores
	$(GO) test ./...

bench: ## what has to be fast, as ratios to a baseline in the same run (docs/performance.md)
	$(GO) test -run '^$$' -bench '$(BENCH)' -benchmem -count $(COUNT) ./...

lint: ## form, vet, and a go.mod that says what is used
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); \
	  if [ -n "$$unformatted" ]; then echo "not gofmt-ed:"; echo "$$unformatted"; exit 1; fi
	$(GO) vet ./...
	$(GO) vet -tags e2e ./e2e/...
	@sh e2e/tidy.sh

fuzz: ## every fuzz target for FUZZTIME each
	@sh e2e/fuzz.sh $(FUZZTIME)

e2e: build ## the program in a real terminal, driven through tmux
	$(GO) test -tags e2e -count 1 -failfast ./e2e/...

shots: build ## the pictures of the manual, from the program as it is
	$(GO) run ./e2e/shots docs/pictures

docs: ## what is generated: lessons, key table
	$(GO) generate ./...
