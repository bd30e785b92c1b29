#!/bin/sh
# The step benchmark as its users call it.
#   cli_bench.sh BUILD
#   CHECKER, if set, is the command that runs it, say valgrind and its flags
# shellcheck disable=SC2086  # CHECKER is several words, $wrong an option and its value
set -u

step=$1/bench/step
checker=${CHECKER-}
failures=0

fail() {
  echo "FAILED: $1"
  failures=$((failures + 1))
}

line=$($checker "$step" --json --batch 3 --rounds 1 --threads 1) || fail "--json exits with $?"
number='[0-9][0-9.]*'
echo "$line" | grep -Eqx "\{\"ms_per_step\": $number, \"gflops\": $number, \"ceiling_gflops\": $number, \"ratio\": $number, \"threads\": 1\}" ||
  fail "--json prints one object of five numbers, not: $line"

table=$($checker "$step" --batch 3 --rounds 1 --blocks 2) || fail "the table exits with $?"
for word in "2 block(s), batch 3 x 128" "of the ceiling" "attention" "lanes and AdamW"; do
  echo "$table" | grep -Fq "$word" || fail "the table says nothing of '$word'"
done

for wrong in "--batch 0" "--blocks x" "--threads -1" "--rounds 1.5" "--unknown" "extra"; do
  $checker "$step" $wrong >/dev/null 2>&1
  [ $? -eq 2 ] || fail "'$wrong' is a usage error"
done

[ $failures -eq 0 ] || exit 1
