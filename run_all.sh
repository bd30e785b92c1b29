#!/bin/sh
# Every table again: installs what is missing, builds, runs every experiment and writes the report.
#   ./run_all.sh [--quick] [--only NAME,…] [--seeds N] [--threads N] [--corpus FILE] [--out DIR]
#   ./run_all.sh --test      the same set-up, then all tests, every experiment's quick profile among them
# With CI=true in the environment a compiler warning is an error.
set -eu

packages="gcc libc6-dev make cmake pkg-config libopenblas-dev libcjson-dev libgsl-dev libpcre2-dev \
librandom123-dev nettle-dev libcmocka-dev gnuplot-nox ca-certificates curl git"

say() {
  echo "run_all.sh: $*" >&2
}

refuse() {
  say "$*"
  exit 2
}

# What no installing and building can mend is refused before it. What stands behind an option is the driver's to judge.
check_words() {
  [ "$*" != --test ] || return 0
  while [ $# -gt 0 ]; do
    case $1 in
      --quick | --explain | --help) ;;
      --only | --seeds | --threads | --corpus | --out)
        [ $# -gt 1 ] || refuse "$1 needs a value behind it"
        shift
        ;;
      --test) refuse "--test runs all tests: no other word goes with it" ;;
      *) refuse "\"$1\" is none of its options:" \
        "--quick --only --seeds --threads --corpus --out --explain --help --test" ;;
    esac
    shift
  done
}

# The packages of the list that are not installed.
missing() {
  for package in $packages; do
    dpkg-query -W -f='${Status}\n' "$package" 2>/dev/null | grep -q ' installed$' || printf ' %s' "$package"
  done
}

install_missing() {
  if ! command -v dpkg-query >/dev/null; then
    say "not a Debian system: going on, in the hope that these are here under other names: $packages"
    return
  fi
  wanted=$(missing)
  [ -n "$wanted" ] || return 0
  command="apt-get update && apt-get install -y --no-install-recommends$wanted"
  [ "$(id -u)" -eq 0 ] || command -v sudo >/dev/null ||
    refuse "packages are missing; as root, type this and call again: $command"
  say "installing$wanted"
  root=
  [ "$(id -u)" -eq 0 ] || root=sudo
  $root sh -c "export DEBIAN_FRONTEND=noninteractive; $command" >&2 ||
    refuse "the packages could not be installed; as root, try: $command"
}

# Asked before anything is installed or built: an old log would be taken for this build's.
check_checkout() {
  (: >"$log") 2>/dev/null ||
    refuse "the build needs $log and cannot write it: call run_all.sh as its owner, or in a copy that is yours"
}

build() {
  preset=default
  [ "${CI:-}" != true ] || preset=ci
  if ! (cd "$home" && cmake --preset "$preset" && cmake --build --preset "$preset" -j "$(nproc)") >"$log" 2>&1; then
    tail -n 40 "$log" >&2
    refuse "the build failed; all that it printed is in $log"
  fi
}

# Names the corpus for all that follows, unless the caller did; without one, the experiments that need it say so.
find_corpus() {
  case " $* " in
    *" --corpus "* | *" --help "*) return ;;
  esac
  if corpus=$("$home/data/get_corpus.sh"); then
    ATTEST_CORPUS=$corpus
    export ATTEST_CORPUS
  fi
}

# All but the build and the tests happens in the caller's folder, where the paths that were given begin.
home=$(dirname "$(readlink -f "$0")")
log=$home/build.log
[ -z "${ATTEST_CORPUS:-}" ] || ATTEST_CORPUS=$(realpath -m "$ATTEST_CORPUS")
check_words "$@"
check_checkout
install_missing
build
find_corpus "$@"
if [ "$*" = --test ]; then
  cd "$home"
  exec ctest --preset default -j "$(nproc)"
fi
exec "$home/build/attest" run "$@"
