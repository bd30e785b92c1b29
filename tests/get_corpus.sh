#!/bin/sh
# data/get_corpus.sh on each of its ways, in a folder of its own and with a PATH that holds only the programs
# which a case is meant to find: nothing is fetched from outside and nothing is installed. A small text stands
# in for tiny Shakespeare, so the copy under test expects that text's checksum.
set -u

source=$(cd "$(dirname "$0")/.." && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

# The basic tools, one folder for all cases; each case adds its own in bin/.
mkdir "$work/tools"
for tool in sh dirname cut sha256sum mv rm id wc cat iconv head chmod cp; do
  ln -s "$(command -v $tool)" "$work/tools/$tool"
done
printf 'First Citizen:\nany text will do here\n' >"$work/good.txt"
printf '<html>please log in</html>\n' >"$work/bad.txt"
sum=$(sha256sum <"$work/good.txt" | cut -d ' ' -f 1)

# program NAME <BODY: a stand-in on this case's PATH
program() {
  { echo '#!/bin/sh'; cat; } >"$work/bin/$1"
  chmod +x "$work/bin/$1"
}

# begin NAME: a data folder that holds the script alone, and an empty bin folder.
begin() {
  name=$1
  rm -rf "${work:?}/bin" "${work:?}/data"
  mkdir "$work/bin" "$work/data"
  sed "s/^sha256=.*/sha256=$sum/" "$source/data/get_corpus.sh" >"$work/data/get_corpus.sh"
  url=file://$work/good.txt
  unset ATTEST_CORPUS
}

# with_downloader NAME OPTION: copies the file that a file:// address names and fails for any other address;
# OPTION comes before the file to write.
with_downloader() {
  program "$1" <<END
for argument; do
  [ "\${previous:-}" = $2 ] && output=\$argument
  previous=\$argument
done
case \$argument in file://*) cp "\${argument#file://}" "\$output" ;; *) exit 7 ;; esac
END
}

with_curl() { with_downloader curl --output; }

# with_bible BYTES: gives a text of that length.
with_bible() {
  program bible <<END
[ "\$*" = "-f Gen1:1-Rev22:21" ] && head -c $1 /dev/zero
END
}

run() {
  PATH=$work/bin:$work/tools ATTEST_CORPUS_URL=$url sh "$work/data/get_corpus.sh" \
    >"$work/stdout" 2>"$work/stderr"
  code=$?
}

fail() {
  echo "FAILED: $name: $*"
  sed 's/^/    /' "$work/stdout" "$work/stderr"
  failed=1
}

exits() { [ "$code" -eq "$1" ] || fail "exit code $code, not $1"; }
prints() { [ "$(cat "$work/stdout")" = "$1" ] || fail "does not print $1"; }
says() { grep -q -e "$1" "$work/stderr" || fail "does not say: $1"; }
has() { [ -f "$work/data/$1" ] || fail "there is no $1"; }
leaves_only() { [ "$(cd "$work/data" && echo *.txt)" = "$1" ] || fail "data/ holds other files than $1"; }

begin "a text of one's own is used and nothing is fetched"
export ATTEST_CORPUS="$work/bad.txt"
run; exits 0; prints "$work/bad.txt"; leaves_only '*.txt'

begin "a text of one's own that isn't there is an error"
export ATTEST_CORPUS="$work/nothing.txt"
with_curl
run; exits 1; prints ''; says "cannot read $work/nothing.txt"; leaves_only '*.txt'

begin "a good copy is used without a download"
cp "$work/good.txt" "$work/data/tinyshakespeare.txt"
run; exits 0; prints "$work/data/tinyshakespeare.txt"; leaves_only tinyshakespeare.txt

fetches() {
  run; exits 0; prints "$work/data/tinyshakespeare.txt"; leaves_only tinyshakespeare.txt
  cmp -s "$work/good.txt" "$work/data/tinyshakespeare.txt" || fail "the copy differs"
}

begin "curl fetches the text"
with_curl
fetches

begin "wget fetches the text where there is no curl"
with_downloader wget --output-document
fetches

begin "a damaged copy is replaced"
with_curl
cp "$work/bad.txt" "$work/data/tinyshakespeare.txt"
run; exits 0; says 'is damaged'; prints "$work/data/tinyshakespeare.txt"
cmp -s "$work/good.txt" "$work/data/tinyshakespeare.txt" || fail "the copy is still damaged"

begin "a damaged copy that can't be replaced is an error, and is kept"
with_bible 4400000
cp "$work/bad.txt" "$work/data/tinyshakespeare.txt"
run; exits 1; prints ''; says 'is damaged'; says 'delete the damaged one'; leaves_only tinyshakespeare.txt

begin "a wrong checksum is refused; the fallback takes over, loudly"
with_curl; with_bible 4400000
url=file://$work/bad.txt
run; exits 0; says 'refused: what was fetched is not tiny Shakespeare'; says 'not comparable'
prints "$work/data/kjv.txt"; leaves_only kjv.txt

begin "no network: the fallback takes over"
with_curl; with_bible 4400000
url=https://attest.invalid/input.txt
run; exits 0; says 'the download failed'; says 'not comparable'; prints "$work/data/kjv.txt"
leaves_only kjv.txt

begin "a fallback that is already there is used again"
echo text >"$work/data/kjv.txt"
run; exits 0; says 'neither curl nor wget'; says 'not comparable'; prints "$work/data/kjv.txt"

begin "half a fallback text is refused"
with_bible 3900000
run; exits 1; prints ''; says 'did not give the whole text'; leaves_only '*.txt'

begin "a fallback text that is not UTF-8 is refused"
program bible <<'END'
head -c 4400000 /dev/zero
printf '\377'
END
run; exits 1; prints ''; says 'did not give the whole text'; leaves_only '*.txt'

begin "root installs the fallback's package, fetching the list of packages when that fails first"
program id <<'END'
echo 0
END
program apt-get <<END
case "\$*" in
  *update) : >"$work/data/updated" ;;
  *"install bible-kjv") [ -f "$work/data/updated" ] || exit 100
    printf '#!/bin/sh\nhead -c 4400000 /dev/zero\n' >"$work/bin/bible"; chmod +x "$work/bin/bible" ;;
  *) exit 1 ;;
esac
END
run; exits 0; says 'installing'; prints "$work/data/kjv.txt"; has updated

begin "without rights the command to type is said"
program id <<'END'
echo 1000
END
program apt-get </dev/null
run; exits 1; prints ''; says 'sudo apt-get install bible-kjv'; says 'no text to train on'

begin "the script and the library expect the same checksum"
grep -q "\"$(sed -n 's/^sha256=//p' "$source/data/get_corpus.sh")\"" "$source/lib/data/corpus.c" ||
  { : >"$work/stdout"; : >"$work/stderr"; fail "data/get_corpus.sh and lib/data/corpus.c differ"; }

exit $failed
