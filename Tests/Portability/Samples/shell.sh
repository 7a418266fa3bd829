#!/usr/bin/env bash
set -euo pipefail
options=()
swift test "${options[@]}"  # expected: bash 3.2 stops at an empty array
swift test ${options[@]+"${options[@]}"}
declare -A seen  # expected: bash 4
mapfile -t lines < list  # expected: bash 4
name=${name,,}  # expected: bash 4
swift build |& tail  # expected: bash 4
sed -i 's/a/b/' file  # expected: sed -i needs a suffix
sed -i.bak 's/a/b/' file
find Sources -name '*.swift' -exec sed -i.bak 's/a//' {} +
grep -P '\d' file  # expected: GNU's grep only
readlink -f file  # expected: readlink -f
date -d yesterday  # expected: GNU's date only
stat -c %s file  # expected: GNU's stat only
find . -printf '%p'  # expected: GNU's find only
jobs=$(nproc)  # expected: only Linux has this command
timeout 10 swift test  # expected: only Linux has this command
apt-get install -y python3  # expected: only Debian has apt-get
valgrind ./program  # expected: there is no valgrind on macOS
