#!/bin/sh
# source_digest.sh COMPILER HEADER NAME FILE...
#
# Writes HEADER, which defines NAME as the SHA-256 of the files' code. Comments and spacing are left out, so that
# changing them makes nobody train again.
set -eu
compiler=$1 header=$2 name=$3
shift 3
code=$(for file; do "$compiler" -w -fpreprocessed -dD -E -P "$file"; done)
digest=$(printf '%s' "$code" | tr -s '[:space:]' ' ' | sed 's/^ //' | sha256sum | cut -d ' ' -f 1)
printf '#define %s "%s"\n' "$name" "$digest" >"$header"
