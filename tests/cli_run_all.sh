#!/bin/sh
# run_all.sh in a checkout of its own, where stand-ins take the place of what it calls; each appends to $work/calls
# what it was called with, and where. Nothing is fetched or built, and for want of dpkg-query nothing is installed.
set -u

source=$(cd "$(dirname "$0")/.." && pwd -P) || exit 1
work=$(realpath "$(mktemp -d)") || exit 1
trap 'rm -rf "$work"' EXIT
home="$work/the checkout" user=$work/user
failed=0
unset ATTEST_CORPUS ATTEST_RESULTS CI || :

# program PATH <BODY: a stand-in
program() {
  { printf '#!/bin/sh\nname=%s work="%s"\n' "${1##*/}" "$work"; cat; } >"$1"
  chmod +x "$1"
}

# notes PATH: a stand-in that only takes notes
notes() {
  program "$1" <<'END'
echo "$name $* in $PWD, corpus ${ATTEST_CORPUS-}, results ${ATTEST_RESULTS-}" >>"$work/calls"
END
}

mkdir -p "$work/bin" "$home/build" "$home/data" "$user"
for tool in sh env dirname realpath readlink tail nproc; do
  ln -s "$(command -v $tool)" "$work/bin/$tool"
done
cp "$source/run_all.sh" "$home"
notes "$work/bin/cmake"
notes "$work/bin/ctest"
notes "$home/build/attest"
program "$home/data/get_corpus.sh" <<'END'
echo "${ATTEST_CORPUS:-/fetched.txt}"
END

# run COMMAND...: calls it out of the user's folder
run() {
  : >"$work/calls"
  (cd "$user" && PATH=$work/bin && "$@") >"$work/stdout" 2>"$work/stderr"
  code=$?
}

fail() {
  echo "FAILED: $name: $*"
  sed 's/^/    /' "$work/stdout" "$work/stderr" "$work/calls"
  failed=1
}

says() { grep -Fq -e "$1" "$work/stderr" || fail "does not say: $1"; }
calls_nothing() { [ ! -s "$work/calls" ] || fail "calls something"; }
exits() { [ "$code" -eq "$1" ] || fail "exit code $code, not $1"; }
calls() { grep -Fqx -e "$1" "$work/calls" || fail "does not call: $1"; }

name="the build is in the checkout, the run in the user's folder"
run "$home/run_all.sh" --quick --corpus text.txt --out results
exits 0
calls "cmake --preset default in $home, corpus , results "
calls "attest run --quick --corpus text.txt --out results in $user, corpus , results "

name="a corpus is fetched where none is named, and named paths begin in the user's folder"
run env ATTEST_RESULTS=mine ../the\ checkout/run_all.sh
exits 0
calls "attest run in $user, corpus /fetched.txt, results mine"

name="the tests run in the checkout, with the user's text"
run env ATTEST_CORPUS=text.txt ../the\ checkout/run_all.sh --test
exits 0
calls "ctest --preset default -j $(nproc) in $home, corpus $user/text.txt, results "

name="a symbolic link works from anywhere, whatever CDPATH says"
ln -s "$home/run_all.sh" "$user/link"
run env CDPATH="$work" sh link --quick
exits 0
calls "attest run --quick in $user, corpus /fetched.txt, results "
mkdir "$work/elsewhere" "$work/elsewhere/the checkout"
run env -C "$work" CDPATH="$work/elsewhere" the\ checkout/run_all.sh --quick
exits 0
calls "attest run --quick in $work, corpus /fetched.txt, results "

name="a checkout that can't be written is refused before anything else"
mv "$home/build.log" "$user"
ln -s /proc/nothing/build.log "$home/build.log"
run "$home/run_all.sh"
exits 2; says "cannot write it"; calls_nothing
mv "$user/build.log" "$home"

name="a build that fails says so, with the end of its own log"
echo old >"$home/build.log"
program "$work/bin/cmake" <<'END'
echo "cmake: no compiler"
exit 1
END
run "$home/run_all.sh"
exits 2; says "cmake: no compiler"; says "the build failed"; calls_nothing
[ "$(cat "$home/build.log")" = "cmake: no compiler" ] || fail "the log is another one"
notes "$work/bin/cmake"

name="unknown words, and words beside --test, are refused before anything else"
for words in "--bogus" "ladder" "--quick --seeds 3 --corpus=text.txt" "--only ladder --tests"; do
  # shellcheck disable=SC2086  # several words
  run "$home/run_all.sh" $words
  exits 2; says "\"${words##* }\" is none of its options"; calls_nothing
done
for words in "--test --only ladder" "--test --test" "--quick --test"; do
  # shellcheck disable=SC2086
  run "$home/run_all.sh" $words
  exits 2; says "no other word goes with it"; calls_nothing
done

name="so is an option without its value"
run "$home/run_all.sh" --quick --out
exits 2; says "--out needs a value"; calls_nothing

name="every option that the driver's run takes is let through, in any order, and its value is not looked at"
set -- --seeds --test --threads 2 --explain --out "my results" --only "" --quick --help
run "$home/run_all.sh" "$@"
exits 0
calls "attest run $* in $user, corpus , results "

exit $failed
