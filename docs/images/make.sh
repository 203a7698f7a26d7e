#!/usr/bin/env bash
# Remakes bartizan.png: a game in the terminal beside the console's `eval`. Needs xterm, xvfb and ImageMagick.
#
#   docs/images/make.sh target/release
set -euo pipefail
programs=$(cd "${1:?usage: make.sh FOLDER_OF_THE_PROGRAMS}" && pwd)
image=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/bartizan.png
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fen='8/5pk1/6p1/3P3p/1r5P/5PK1/6P1/3R4 w - - 0 40'
cat > "$folder/play.sh" <<X
printf '\033[?25l'
{ sleep 1; echo hint; sleep 2; echo d6; sleep 60; } |
    script -qec "TERM=xterm bartizan play depth 12 fen $fen" /dev/null | sed -u 1,2d
X
cat > "$folder/eval.sh" <<X
printf '\033[?25l> eval\n'
script -qec "printf 'position fen $fen\neval\n' | TERM=xterm bartizan" /dev/null | sed -n '2,26p'
sleep 60
X
cat > "$folder/screen.sh" <<'X'
xterm -fa 'DejaVu Sans Mono' -fs 11 -geometry 32x26+0+0 -bg '#fdfdfd' -fg black -e bash play.sh &
xterm -fa 'DejaVu Sans Mono' -fs 10 -geometry 100x29+296+0 -bg '#fdfdfd' -fg black -e bash eval.sh &
sleep 12
import -window root screen.png
kill %1 %2
X
cd "$folder"
PATH="$programs:$PATH" LANG=C.UTF-8 HOME="$folder" xvfb-run -a -s "-screen 0 1300x600x24" bash screen.sh || true
convert screen.png -crop 1100x494+0+0 +repage -colors 128 "$image"
