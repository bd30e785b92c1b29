#!/bin/sh
# Makes sure that there is a text to train on and prints its path; messages go to standard error.
#
#   ATTEST_CORPUS       a text of your own: it is used, and nothing else is done
#   ATTEST_CORPUS_URL   where to fetch tiny Shakespeare from, instead of the public address
#
# In this order: ATTEST_CORPUS; tinyshakespeare.txt beside this script; a download of it, accepted by its
# checksum alone; the King James Bible out of Debian's bible-kjv package, as kjv.txt. Exit code 1: none is to
# be had.
set -u

sha256=86c4e6aa9db7c042ec79f339dcb96d42b0075e16b8fc2e86bf0ca57e2dc565ed
url=${ATTEST_CORPUS_URL:-https://raw.githubusercontent.com/karpathy/char-rnn/master/data/tinyshakespeare/input.txt}
folder=$(cd "$(dirname "$0")" && pwd) || exit 1
published=$folder/tinyshakespeare.txt
fallback=$folder/kjv.txt
temporary=$folder/download.$$.txt
trap 'rm -f "$temporary"' EXIT
trap 'exit 130' INT TERM

say() {
  printf 'get_corpus: %s\n' "$*" >&2
}

is_published() {
  [ "$(sha256sum <"$1" | cut -d ' ' -f 1)" = "$sha256" ]
}

# Time limits are short: a machine without a way out shall know within seconds.
fetch() {
  if command -v curl >/dev/null 2>&1; then
    curl --fail --silent --location --connect-timeout 10 --max-time 60 --output "$temporary" "$url"
  elif command -v wget >/dev/null 2>&1; then
    wget --quiet --tries 1 --timeout 10 --output-document "$temporary" "$url"
  else
    say "neither curl nor wget is installed"
    return 1
  fi
}

download() {
  say "fetching $url"
  if ! fetch; then
    say "the download failed"
    return 1
  fi
  if ! is_published "$temporary"; then
    say "refused: what was fetched is not tiny Shakespeare, its SHA-256 differs from $sha256"
    return 1
  fi
  mv "$temporary" "$published"
}

install_bible() {
  if ! command -v apt-get >/dev/null 2>&1; then
    say "the fallback needs Debian's package bible-kjv, and there is no apt-get"
    return 1
  elif [ "$(id -u)" -eq 0 ]; then
    sudo=
  elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    sudo='sudo -n'
  else
    say "type: sudo apt-get install bible-kjv    and run this again"
    return 1
  fi
  say "installing Debian's package bible-kjv"
  install="$sudo apt-get -o Acquire::Retries=0 -o Acquire::http::Timeout=10 -o Acquire::https::Timeout=10 -qq"
  # A list of packages may be missing or old: then it is fetched, once.
  $install -y install bible-kjv >&2 || { $install update >&2 && $install -y install bible-kjv >&2; }
}

# The whole text, a verse a line; it is 4.4 MB, so much less of it is a broken one.
write_bible() {
  bible -f Gen1:1-Rev22:21 </dev/null >"$temporary" || return 1
  [ "$(wc -c <"$temporary")" -ge 4000000 ] && iconv -f UTF-8 -t UTF-8 "$temporary" >/dev/null 2>&1 &&
    mv "$temporary" "$fallback"
}

if [ -n "${ATTEST_CORPUS:-}" ]; then
  if [ ! -f "$ATTEST_CORPUS" ] || [ ! -r "$ATTEST_CORPUS" ]; then
    say "cannot read $ATTEST_CORPUS, which ATTEST_CORPUS names"
    exit 1
  fi
  printf '%s\n' "$ATTEST_CORPUS"
  exit 0
fi

if [ -f "$published" ] && ! is_published "$published"; then
  say "$published is damaged"
  if ! download; then
    say "no whole copy is to be had; delete the damaged one to go on with another text"
    exit 1
  fi
fi
if [ -f "$published" ] || download; then
  printf '%s\n' "$published"
  exit 0
fi

if [ ! -f "$fallback" ]; then
  if ! command -v bible >/dev/null 2>&1 && ! install_bible; then
    say "there is no text to train on: put tinyshakespeare.txt into $folder, or set ATTEST_CORPUS to a text"
    exit 1
  fi
  if ! write_bible; then
    say "the program bible did not give the whole text: set ATTEST_CORPUS to a text of your own"
    exit 1
  fi
fi
say "******************************************************************************************"
say "The text is the King James Bible, NOT tiny Shakespeare, which could not be fetched."
say "Every claim on an absolute perplexity will read \"not comparable\"; orderings are judged."
say "******************************************************************************************"
printf '%s\n' "$fallback"
