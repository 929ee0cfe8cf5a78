#!/bin/sh
# Fails when go.mod or go.sum is not what `go mod tidy` would write. Where
# modules are missing and cannot be fetched, says so and passes.
set -eu
out=$(mktemp)
err=$(mktemp)
trap 'rm -f "$out" "$err"' EXIT
if ! go mod tidy -diff >"$out" 2>"$err"; then
	if [ -s "$out" ]; then
		cat "$out"
		echo "go.mod is not tidy: run go mod tidy"
		exit 1
	fi
	echo "go.mod was not compared, since a module is missing here:"
	tail -n 1 "$err"
fi
if grep -q '^toolchain' go.mod; then
	echo "go.mod asks for a toolchain: remove that line"
	exit 1
fi
