#!/bin/sh
# An experiment's command line: what it refuses, in which words and with which exit code.
#   cli_experiment.sh BUILD_FOLDER
#   CHECKER, if set, is the command that runs it, say valgrind and its flags
# shellcheck disable=SC2086  # CHECKER is several words
set -u
experiments=$1/experiments
checker=${CHECKER-}
name=dot_product_variance
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0

# expect CODE "part of what it says" PROGRAM ARGUMENT…
expect() {
  code=$1
  part=$2
  shift 2
  said=$($checker "$@" 2>&1 >"$folder/stdout")
  got=$?
  if [ "$got" -ne "$code" ] || ! printf '%s\n' "$said" | grep -qF -- "$part"; then
    echo "FAILED: $*"
    echo "  wanted exit $code and \"$part\", got exit $got and: $said"
    failures=$((failures + 1))
  fi
}

program=$experiments/$name
expect 2 'did you mean "--quick"' "$program" --qiuck
expect 2 '--seeds takes a whole number from 1' "$program" --seeds 0
expect 2 '--set pairs takes a whole number from 100' "$program" --set pairs=-1
expect 2 'did you mean "pairs"' "$program" --set pair=200
expect 2 '/dev/null: a file is there' "$program" --quick --out /dev/null/result.json
expect 0 '' "$program" --help
grep -q -- '--set NAME=VALUE' "$folder/stdout" || { echo "FAILED: --help does not explain --set"; failures=1; }

# The same program beside a claims file with one thing wrong; each message names the file and the key.
cp "$program" "$folder/"
claims=$folder/$name.claims.json
broken() { # broken SED_SCRIPT "part of the message"
  sed "$1" "$experiments/$name.claims.json" >"$claims"
  expect 2 "$2" "$folder/$name" --quick --set pairs=100 --out "$folder/kept.json"
  expect 2 "$name.claims.json" "$folder/$name" --quick --set pairs=100 --out "$folder/kept.json"
}
printf 'kept' >"$folder/kept.json"
broken 's/"measure": "variance\/d4"/"mesure": "variance\/d4"/' 'mesure'
broken 's/"id": "dot_product_variance.d16"/"id": "dot_product_variance.d4"/' 'dot_product_variance.d4'
broken '0,/"id": "dot_product_variance.d4",/s///' 'id'
broken 's/"law": 4,/"law": "four",/' 'law'
broken "\$d" 'claims.json:'
rm "$claims"
expect 2 "$name.claims.json" "$folder/$name" --quick

sed 's/"of": "slope"/"of": "slop"/' "$experiments/$name.claims.json" >"$claims"
expect 1 '' "$folder/$name" --quick --set pairs=100 --out "$folder/kept.json"
grep -q '"slop.*was not measured' "$folder/kept.json" || { echo "FAILED: a claim on nothing is not told"; failures=1; }

# What is measured outlasts who reads the print, here one that is longer than its buffer.
sed "s/\"says\": \"/&$(printf '%02000d' 0)/" "$experiments/$name.claims.json" >"$claims"
$checker "$folder/$name" --quick --set pairs=100 --out "$folder/unread.json" 2>"$folder/stderr" | true
[ -s "$folder/unread.json" ] || { echo "FAILED: a result is lost when nobody reads the print"; failures=1; }
said=$($checker "$program" --quick --set pairs=100 --out "$folder/full.json" 2>&1 >/dev/full)
[ $? -eq 2 ] || { echo "FAILED: a print that can't be written is no error"; failures=1; }
echo "$said" | grep -q 'cannot write to the standard output' || { echo "FAILED: nor is it told"; failures=1; }
[ -s "$folder/full.json" ] || { echo "FAILED: a result is lost when the print can't be written"; failures=1; }

# What is written twice is the same but for the context.
cp "$experiments/$name.claims.json" "$claims"
for run in 1 2; do
  expect 0 '' "$folder/$name" --quick --set pairs=1000 --threads $run --out "$folder/run$run.json"
  sed '/^  "context": {/,/^  },/d' "$folder/run$run.json" >"$folder/compared$run.json"
done
cmp "$folder/compared1.json" "$folder/compared2.json" || { echo "FAILED: a re-run is not the same"; failures=1; }
grep -q '"schema": 2' "$folder/compared1.json" || { echo "FAILED: the comparison compared nothing"; failures=1; }

[ "$failures" -eq 0 ] && echo "all well"
[ "$failures" -eq 0 ]
