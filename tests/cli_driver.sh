#!/bin/sh
# The driver as a user meets it, with fake experiments: shell scripts that write hand-made results.
#   cli_driver.sh BUILD [TEST]    BUILD holds attest, which is copied: it looks for experiments beside itself
#   CHECKER, if set, is the command that runs it, say valgrind and its flags
# shellcheck disable=SC2016,SC2086  # what stands in single quotes is often a fake's own text; CHECKER is several words
set -u

attest=$1/attest
checker=${CHECKER-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
failures=0

# The tests decide about colour, terminals and places themselves.
unset NO_COLOR CI ATTEST_CORPUS ATTEST_TIME_LIMIT || :
ATTEST_RESULTS=$work/results
export ATTEST_RESULTS

# ---- fake experiments --------------------------------------------------------------------------------------------

# A new folder with attest and no experiments; its name is in $home.
new_home() {
  home=$(mktemp -d "$work/home.XXXXXX")
  mkdir "$home/experiments"
  cp "$attest" "$home/attest"
}

# claims NAME: the claims file of a fake with a value, an order and an own control.
claims() {
  cat >"$home/experiments/$1.claims.json" <<EOF
{ "experiment": "$1",
  "about": "Does the fake <$1> & its report | work?",
  "claims": [
    { "id": "$1.value", "says": "the value is 10", "source": "C9", "origin": "source", "kind": "value",
      "published": 10.25, "measure": "value", "decimals": 2, "needs": "corpus", "margin": { "value": 0.5, "why": "it is a fake" } },
    { "id": "$1.count", "says": "there are 124439808", "source": "", "origin": "own", "kind": "exact",
      "published": 124439808, "measure": "count" }
  ],
  "tables": [ { "title": "All values", "row_label": "row", "rows": [["first", "value"], ["lost", "nothing"]],
                "columns": [ { "label": "measured", "measure": "{row}", "decimals": 2 },
                             { "label": "published", "claim": "$1.{row}" },
                             { "label": "elsewhere", "given": [9.75, null] } ], "note": "a note" } ],
  "figures": [ { "name": "curve", "title": "A curve", "kind": "lines", "x": { "label": "x" }, "y": { "label": "y" },
                 "series": [ { "label": "it's", "curve": "curve", "style": "line" } ] },
               { "name": "lost", "title": "Lost", "kind": "lines", "x": { "label": "x" }, "y": { "label": "y" },
                 "series": [ { "label": "lost", "curve": "nowhere", "style": "line" } ] },
               { "name": "bars", "title": "Bars", "kind": "bars", "x": { "label": "x" }, "y": { "label": "y" },
                 "rows": [["first", "value"], ["lost", "nothing"]],
                 "series": [ { "label": "bar", "measure": "{row}" } ] },
               { "name": "map", "title": "A map", "kind": "heatmap", "matrix": "map" } ]
}
EOF
}

# fake NAME [COMMANDS]: an experiment that runs the commands and then writes a result that is good, unless the
# commands set value, count, code, corpus (whether it is the published one), commit and others, or leave by themselves.
fake() {
  claims "$1"
  cat >"$home/experiments/$1" <<EOF
#!/bin/sh
name=$1
${2:-:}
EOF
  cat >>"$home/experiments/$1" <<'EOF'
profile=full; seeds=3; out=; asked=$*
while [ $# -gt 0 ]; do
  case $1 in
    --quick) profile=quick; seeds=1 ;;
    --seeds) seeds=$2; shift ;;
    --out) out=$2; shift ;;
    --threads|--corpus) shift ;;
    *) echo "$name: there is no option \"$1\"" >&2; exit 2 ;;
  esac
  shift
done
[ -z "${LOG:-}" ] || echo "$name $asked" >>"$LOG"
echo "$name:  50 %, 1 s left: half" >&2
: "${value:=103}" "${code:=0}" "${corpus:=true}" "${commit:=0123456789ab}" "${cpu:=a cpu}" "${count:=124439808}"
samples=; seed=0
while [ "$seed" -lt "$seeds" ]; do # in tenths: value, one more, one less, and so on
  tenths=$((value + (seed + 1) % 3 - 1)); seed=$((seed + 1))
  samples="$samples${samples:+, }{\"seed\": $((seed - 1)), \"value\": ${tenths%?}.${tenths#"${tenths%?}"}}"
done
cat >"$out.tmp" <<END
{ "schema": 2, "experiment": "$name", "profile": "$profile",
  "context": { "date": "2026-01-31T12:00:00Z", "version": "1", "commit": "$commit", "cpu": "$cpu", "flags": "-O3",
               "compiler": "cc", "cores": 2, "threads": 2, "memory_mib": 100, "seconds": 1.5, "saved_seconds": 0,
               "peak_memory_mib": 10, "units": [${units:-}], "first_unit_trained": "the source changed" },
  "conditions": { "published_corpus": $corpus, "published_budget": true },
  "settings": { "steps": 100, "first_seed": 0, "end_seed": $seeds },
  "measurements": {
    "value": { "samples": [$samples] },
    "count": { "samples": [{ "value": $count }] },
    "speed": { "timed": true, "samples": [{ "value": ${speed:-2} }] } },
  "curves": [ { "name": "curve", "seed": 0, "x": [1, 2, 3], "y": [1, null, 9] } ],
  "matrices": [ { "name": "map", "values": [[1, null], [0.5, -0.25]], "row_labels": ["the", "␣b"] } ],
  "claims": [ { "id": "$name.value", "verdict": "reproduced" }, { "id": "$name.count", "verdict": "reproduced" } ],
  "warnings": [ "a warning" ] }
END
mv "$out.tmp" "$out"
exit "$code"
EOF
  chmod +x "$home/experiments/$1"
}

# ---- checks --------------------------------------------------------------------------------------------------------

# attempt CODE WORD…: runs attest; its output is in $out and $err. A timeout of its own, so that a hang is a failure.
attempt() {
  expected=$1
  shift
  timeout 60 $checker "$home/attest" "$@" >"$work/out" 2>"$work/err"
  code=$?
  [ "$code" -eq "$expected" ] || fail "exit code $code, not $expected, of: attest $*"
}

fail() {
  failures=$((failures + 1))
  echo "FAIL in $test: $*"
  sed 's/^/  out: /' "$work/out" | tail -n 20
  sed 's/^/  err: /' "$work/err" | tail -n 20
}

# says FILE TEXT: the text is somewhere in the file.
says() {
  grep -qF -e "$2" "$1" || fail "\"$2\" is missing in $1"
}

silent() {
  ! grep -qF -e "$2" "$1" || fail "\"$2\" should not be in $1"
}

exists() {
  [ -e "$1" ] || fail "$1 is missing"
}

# ---- tests ---------------------------------------------------------------------------------------------------------

test_usage() {
  new_home
  fake alpha
  attempt 0 --help
  says "$work/out" "attest run --quick"
  attempt 0 --version
  says "$work/out" "attest "
  attempt 0 run --help
  says "$work/out" "--only NAME"
  attempt 2
  attempt 2 rnu
  says "$work/err" 'did you mean "run"?'
  attempt 2 run --quik
  says "$work/err" 'did you mean "--quick"?'
  attempt 2 run -quick
  attempt 2 run ''
  attempt 2 list --quick
  attempt 2 run --only alhpa
  says "$work/err" 'did you mean "alpha"?'
  attempt 2 run --only ,
  attempt 2 run --seeds 0
  says "$work/err" "--seeds takes a whole number"
  attempt 2 run --seeds
  says "$work/err" "--seeds needs a value"
  attempt 2 run --out --quick
  says "$work/err" "--out needs a value"
  attempt 2 run extra
  says "$work/err" "one word too many"
  attempt 2 run --corpus "$work/nowhere"
  says "$work/err" "the corpus: cannot read"
  attempt 2 show
  attempt 2 show alpha.valeu
  says "$work/err" 'did you mean "alpha.value"?'
  attempt 2 compare one
  ATTEST_TIME_LIMIT=soon attempt 2 run
  says "$work/err" "ATTEST_TIME_LIMIT"
}

test_nothing_there() {
  new_home
  attempt 2 list
  says "$work/err" "no experiments"
  attempt 2 run
  fake alpha
  rm "$home/experiments/alpha"
  attempt 2 list
  says "$work/err" "no program beside it"
  fake alpha
  rm "$home/experiments/alpha.claims.json"
  attempt 2 run --quick
  says "$work/err" "no claims beside it"
  fake alpha
  sed -i 's/"published": 10.25/"publisht": 10.25/' "$home/experiments/alpha.claims.json"
  attempt 2 run --quick
  says "$work/err" "publisht"
  attempt 2 report
}

test_list_and_show() {
  new_home
  fake alpha
  fake beta
  attempt 0 list
  says "$work/out" "alpha"
  says "$work/out" "Does the fake <beta>"
  attempt 0 show alpha.value
  says "$work/out" "10.25"
  says "$work/out" "it is a fake"
  says "$work/out" "not yet"
  attempt 0 run --quick
  attempt 0 show alpha
  says "$work/out" "alpha.count"
  says "$work/out" "within margin (quick budget"
  says "$work/out" "124,439,808"
}

test_quick_run() {
  new_home
  fake alpha
  fake beta
  LOG=$work/log attempt 0 run --quick --threads 2 --out "$home/out"
  says "$work/log" "alpha --quick --threads 2 --out $home/out/alpha.json"
  says "$work/out" "alpha.value"
  says "$work/out" "4 claims: 2 reproduced, 2 within margin"
  says "$work/out" "about 0.0 false alarms"
  says "$work/err" "alpha:  50 %, 1 s left: half"
  for file in report.md report.html junit.xml alpha.json beta.json figures/alpha.curve.svg figures/alpha.bars.svg \
    figures/beta.map.svg; do
    exists "$home/out/$file"
  done
  [ ! -e "$home/out/interrupted.txt" ] || fail "a finished run is marked as interrupted"
  says "$home/out/report.md" "10.3"
  says "$home/out/report.md" "| 9.75 |"
  says "$home/out/report.md" "![A curve](figures/alpha.curve.svg)"
  says "$home/out/report.md" 'No figure "Lost": the result has no curve "nowhere"'
  says "$home/out/figures/beta.map.svg" "␣b"
  says "$home/out/report.md" "a warning"
  says "$home/out/report.md" "reduced budget"
  says "$home/out/report.html" "Does the fake &lt;alpha&gt;"
  says "$home/out/report.html" "<svg"
  says "$home/out/junit.xml" 'tests="2" failures="0"'
  if command -v xmllint >/dev/null; then
    xmllint --noout "$home/out/junit.xml" "$home/out/figures/alpha.curve.svg" || fail "not well-formed XML"
  fi
}

test_seeds_by_pass() {
  new_home
  fake alpha
  rm -f "$work/log"
  LOG=$work/log attempt 0 run --out "$home/out"
  says "$work/log" "alpha --quick --out"
  says "$work/log" "alpha --seeds 1 --out"
  says "$work/log" "alpha --seeds 3 --out" # it took no time, so the rest followed at once
  silent "$work/log" "--seeds 2"
  says "$home/out/alpha.json" '"profile": "full"'

  # A full result is never replaced by a quick one, nor one with more seeds by one with fewer.
  rm "$work/log"
  LOG=$work/log attempt 0 run --quick --out "$home/out"
  says "$work/err" "kept, its result has the full budget"
  [ ! -e "$work/log" ] || fail "a kept experiment was run"
  LOG=$work/log attempt 0 run --explain --out "$home/out"
  silent "$work/log" "--seeds 1"
  says "$work/log" "--seeds 3"
  says "$work/err" "its full result has 3 of 3 seeds"
  says "$work/err" "trained anew: the source changed"
  LOG=$work/log attempt 0 run --seeds 5 --out "$home/out"
  LOG=$work/log attempt 0 run --out "$home/out"
  says "$home/out/alpha.json" '"end_seed": 5'
}

test_a_failing_claim() {
  new_home
  fake alpha
  fake beta 'count=7; code=1'
  attempt 1 run --quick --out "$home/out"
  says "$work/out" "FAIL"
  says "$work/out" "beta.count: not reproduced. 7 is not 124439808"
  says "$home/out/junit.xml" '<failure message="not reproduced: 7 is not 124439808"/>'
  says "$home/out/report.md" "FAIL beta.count"
  attempt 1 report "$home/out"
  attempt 0 run --quick --only alpha --out "$home/out"
}

test_trouble() {
  new_home
  fake alpha
  fake crashes 'echo "about to crash" >&2; kill -SEGV $$'
  fake hangs 'sleep 100'
  fake halves 'set -- "$@"; while [ "$1" != --out ]; do shift; done; printf "{ \"schema\": 2, " >"$2"; exit 0'
  fake mute 'exit 0'
  fake refuses 'echo "refuses: no such thing" >&2; exit 2'
  fake skips 'echo "skips: skipped: no corpus" >&2; exit 77'
  ATTEST_TIME_LIMIT=1 attempt 2 run --out "$home/out"
  says "$work/err" "crashes was ended by signal 11"
  says "$work/err" "again: $home/experiments/crashes --quick --out $home/out/crashes.json"
  says "$work/err" "hangs took longer than 1 s"
  says "$work/err" "halves left a result that can't be read"
  says "$work/err" "mute ended without writing a result"
  says "$work/err" "refuses ended with exit code 2: no such thing"
  says "$work/err" "skips: skipped: no corpus"
  says "$work/out" "alpha.value"
  says "$home/out/alpha.json" '"profile": "full"' # the others go on
  says "$home/out/report.md" "about to crash"
  says "$home/out/junit.xml" '<error message="hangs took longer than 1 s'
  attempt 2 report "$home/out"
  says "$work/out" "crashes was ended by signal 11"
  fake crashes
  attempt 0 run --quick --only crashes --out "$home/out"
  silent "$home/out/report.md" "about to crash"
}

# Interrupted by a signal to the driver; timeout sends it to the whole group as well, which must count once.
test_interrupt() {
  new_home
  fake alpha
  fake slow 'trap "echo slow: interrupted >&2; exit 130" INT; [ "$1" = --quick ] || { sleep 30 & wait; }'
  timeout -s INT --preserve-status 4 $checker "$home/attest" run --seeds 2 --out "$home/out" >"$work/out" 2>"$work/err"
  code=$?
  [ "$code" -eq 130 ] || fail "exit code $code, not 130, of an interrupted run"
  says "$work/out" "INCOMPLETE"
  says "$work/out" "slow.value"
  says "$home/out/report.md" "INCOMPLETE"
  says "$home/out/slow.json" '"profile": "quick"'
  says "$home/out/alpha.json" '"profile": "full"'
  silent "$home/out/junit.xml" "<error"
  fake slow
  attempt 0 run --out "$home/out"
  silent "$home/out/report.md" "INCOMPLETE"
}

# A child that ignores the first interrupt is killed by the second.
test_second_interrupt() {
  new_home
  fake stubborn 'trap "" INT; i=0; while [ $i -lt 30 ]; do sleep 1; i=$((i + 1)); done'
  began=$(date +%s)
  $checker "$home/attest" run --quick --out "$home/out" >"$work/out" 2>"$work/err" &
  driver=$!
  sleep 2
  kill -TERM "$driver"
  sleep 1
  kill -TERM "$driver"
  wait "$driver"
  code=$?
  [ "$code" -eq 130 ] || fail "exit code $code, not 130, after two interrupts"
  [ $(($(date +%s) - began)) -lt 20 ] || fail "the second interrupt did not kill"
  exists "$home/out/report.md"
}

test_no_gnuplot() {
  new_home
  fake alpha
  mkdir "$home/bin"
  for tool in sh cat mv sleep grep timeout; do
    ln -s "$(command -v $tool)" "$home/bin/$tool"
  done
  PATH=$home/bin timeout 60 $checker "$home/attest" run --quick --out "$home/out" >"$work/out" 2>"$work/err"
  code=$?
  [ "$code" -eq 0 ] || fail "exit code $code without gnuplot"
  says "$work/err" "figures are left out: gnuplot is not installed"
  says "$home/out/report.md" "All values"
  says "$home/out/report.md" "gnuplot is not installed"
  [ ! -e "$home/out/figures/alpha.curve.svg" ] || fail "a figure without gnuplot"
}

test_places_that_cannot_be_written() {
  new_home
  fake alpha
  : >"$home/file"
  LOG=$work/never attempt 2 run --quick --out "$home/file"
  says "$work/err" "$home/file"
  attempt 2 run --quick --out /dev/null/nowhere
  says "$work/err" "/dev/null: a file is there"
  [ ! -e "$work/never" ] || fail "something ran although the results have no place"
  $checker "$home/attest" list >/dev/full 2>"$work/err"
  code=$?
  [ "$code" -eq 2 ] || fail "exit code $code, not 2, of a list that can't be written"
  says "$work/err" "cannot write to the standard output"
}

test_damaged_results() {
  new_home
  fake alpha
  attempt 0 run --quick --out "$home/out"
  head -c 300 "$home/out/alpha.json" >"$home/half"
  mv "$home/half" "$home/out/alpha.json"
  attempt 2 report "$home/out"
  says "$home/out/report.md" "alpha.json"
  attempt 2 compare "$home/out" "$home/out"
  says "$work/err" "alpha.json"
  echo '{ "schema": 2, "experiment": "other" }' >"$home/out/alpha.json"
  attempt 2 report "$home/out"
}

test_compare() {
  new_home
  fake alpha
  attempt 0 run --out "$home/old"
  attempt 0 compare "$home/old" "$home/old"
  says "$work/out" "0 moved"
  fake alpha 'value=104'
  attempt 0 run --out "$home/exact"
  attempt 1 compare "$home/old" "$home/exact" # the same machine and binary
  says "$work/out" "10.3"
  says "$work/out" "10.4"
  says "$work/out" "1 moved"
  fake alpha 'value=104; commit=ba9876543210'
  attempt 0 run --out "$home/inside"
  attempt 0 compare "$home/old" "$home/inside" # another binary, inside the interval of the old seeds
  says "$work/out" "inside"
  fake alpha 'value=109; commit=ba9876543210'
  attempt 1 run --out "$home/beyond"
  attempt 1 compare "$home/old" "$home/beyond"
  fake alpha 'count=124439807; commit=ba9876543210'
  attempt 1 run --out "$home/count"
  attempt 1 compare "$home/old" "$home/count" # no chance is involved
  fake alpha 'speed=3'
  attempt 0 run --out "$home/slower"
  attempt 0 compare "$home/old" "$home/slower"
  says "$work/out" "ratio 1.5"
  fake alpha 'speed=6'
  attempt 0 run --out "$home/slow"
  attempt 1 compare "$home/old" "$home/slow"
  attempt 0 run --quick --out "$home/quick"
  attempt 2 compare "$home/old" "$home/quick"
  says "$work/out" "not comparable"
  attempt 2 compare "$home/old" "$home/nowhere"
  mkdir "$home/less"
  sed 's/"count": {/"counted": {/' "$home/old/alpha.json" >"$home/less/alpha.json"
  attempt 1 compare "$home/old" "$home/less"
}

test_accept() {
  new_home
  fake alpha 'corpus=false'
  attempt 0 run --out "$home/other"
  attempt 2 accept --out "$home/other"
  says "$work/err" "another corpus"
  fake alpha
  fake beta 'units="\"0123abcd\""'
  rm -rf "$work/results"
  attempt 0 run --quick
  attempt 2 accept
  says "$work/err" "quick"
  attempt 0 run
  cp "$home/experiments/alpha.claims.json" "$work/claims"
  CI=true attempt 2 accept
  attempt 0 accept --only alpha
  exists "$work/results/reference/alpha.json"
  [ ! -e "$work/results/reference/beta.json" ] || fail "more was accepted than was named"
  attempt 2 accept # a unit of work behind beta is nowhere
  says "$work/err" "0123abcd.json"
  mkdir "$work/results/units"
  echo '{}' >"$work/results/units/0123abcd.json"
  attempt 0 accept
  exists "$work/results/reference/beta.json"
  exists "$work/results/reference/units/0123abcd.json"
  exists "$work/results/reference/report.md"
  attempt 0 compare "$work/results/reference" "$work/results/latest"
  cmp -s "$work/claims" "$home/experiments/alpha.claims.json" || fail "a claims file was touched"
  fake alpha 'count=7; code=1'
  attempt 1 run
  attempt 2 accept
  says "$work/err" "1 claim of alpha fails"
  says "$work/results/reference/alpha.json" '"value": 124439808'
}

# Verdicts are those of today's claims and rules, whatever was said when a result was written.
test_judged_when_read() {
  new_home
  fake alpha
  attempt 0 run --out "$home/out"
  attempt 0 compare "$home/out" "$home/out"
  says "$work/out" "0 verdicts moved by changed rules"
  sed -i 's/"published": 10.25/"published": 10.5/; s/"value": 0.5/"value": 0.1/' "$home/experiments/alpha.claims.json"
  attempt 0 report "$home/out"
  says "$home/out/report.md" "inconclusive"
  attempt 0 show alpha.value --out "$home/out"
  says "$work/out" "inconclusive (full budget"
  attempt 0 compare "$home/out" "$home/out"
  says "$work/out" "alpha.value"
  says "$work/out" "1 verdicts moved by changed rules"
  sed -i 's/"published": 10.5/"published": 20/' "$home/experiments/alpha.claims.json"
  attempt 1 report "$home/out"
  says "$home/out/report.md" "FAIL alpha.value: not reproduced"
  attempt 2 accept --out "$home/out"
  says "$work/err" "1 claim of alpha fails"
}

# A claim stated after a result may ask for what was not measured then: it fails, and the others are judged.
test_claim_on_what_is_not_there() {
  new_home
  fake alpha
  attempt 0 run --out "$home/out"
  sed -i 's/"measure": "count"/"measure": "counts"/' "$home/experiments/alpha.claims.json"
  attempt 1 report "$home/out"
  says "$work/out" 'alpha.count: not run. "counts" was not measured'
  says "$work/out" "1 reproduced, 1 not run"
}

# What a quick run would keep must be what was asked for.
test_kept_results() {
  new_home
  fake alpha
  attempt 0 run --out "$home/out"
  echo "a text" >"$home/text"
  sed -i "s/\"steps\": 100/\"corpus\": {\"name\": \"text\", \"sha256\": \"$(sha256sum <"$home/text" | cut -c 1-64)\"}/" \
    "$home/out/alpha.json"
  attempt 0 run --quick --corpus "$home/text" --out "$home/out"
  echo "another text" >"$home/text"
  attempt 2 run --quick --corpus "$home/text" --out "$home/out"
  says "$work/err" "alpha.json has the full budget and another corpus"
  ATTEST_CORPUS=$home/text attempt 2 run --quick --out "$home/out"
  attempt 2 run --quick --corpus "$home" --out "$home/out"
  says "$work/err" "it is a folder"
  sed -i 's/"schema": 2/"schema": 3/' "$home/out/alpha.json"
  attempt 2 run --quick --out "$home/out"
  says "$work/err" "move it away"
  says "$home/out/alpha.json" '"profile": "full"'
}

test_two_runs_in_one_folder() {
  new_home
  fake alpha
  mkdir "$home/out"
  exec 9<"$home/out"
  flock 9
  attempt 2 run --quick --out "$home/out"
  says "$work/err" "another attest run is at work in $home/out"
  exec 9<&-
  attempt 0 run --quick --out "$home/out"
}

# Colour marks pass and fail on a terminal that has it, and the status line is for terminals alone.
test_terminal() {
  new_home
  fake alpha
  escape=$(printf '\033')
  attempt 0 run --quick --out "$home/out"
  silent "$work/err" "$escape"
  silent "$work/out" "$escape"
  script -qec true /dev/null </dev/null >/dev/null 2>&1 || return 0 # no script(1), or no terminal to be had
  TERM=xterm script -qec "$home/attest run --quick --out $home/out" "$work/out" </dev/null >/dev/null
  says "$work/out" "${escape}[32mok"
  says "$work/out" "${escape}[K"
  silent "$work/out" "reproduced$escape"
  NO_COLOR=1 TERM=xterm script -qec "$home/attest run --quick --out $home/out" "$work/out" </dev/null >/dev/null
  silent "$work/out" "${escape}[32m"
  says "$work/out" "${escape}[K"
  TERM=dumb script -qec "$home/attest run --quick --out $home/out" "$work/out" </dev/null >/dev/null
  silent "$work/out" "$escape"
}

for test in test_usage test_nothing_there test_list_and_show test_quick_run test_seeds_by_pass test_a_failing_claim \
  test_trouble test_interrupt test_second_interrupt test_no_gnuplot test_places_that_cannot_be_written \
  test_damaged_results test_compare test_accept test_judged_when_read \
  test_claim_on_what_is_not_there test_kept_results \
  test_two_runs_in_one_folder test_terminal; do
  case "${2:-$test}" in
    "$test") $test ;;
  esac
done
[ "$failures" -eq 0 ] || exit 1
