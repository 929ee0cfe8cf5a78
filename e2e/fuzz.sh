#!/bin/sh
# Runs every fuzz target of the module for the time given: fuzz.sh TIME
# A target is found by its name, so a new one needs no entry anywhere.
set -eu
time=$1
list=$(mktemp)
trap 'rm -f "$list"' EXIT
go test -list '^Fuzz' ./... >"$list"
awk '/^Fuzz/ { names[++n] = $1; next } $1 == "ok" { for (i = 1; i <= n; i++) print $2, names[i]; n = 0 }' "$list" |
while read -r package name; do
	echo "== $package $name"
	# Inputs are made smaller a few times only: by default that takes a minute for
	# each that is new, and nothing else is tried meanwhile.
	go test "$package" -run '^$' -fuzz "^$name\$" -fuzztime "$time" -fuzzminimizetime 10x
done
