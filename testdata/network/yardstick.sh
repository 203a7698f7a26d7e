#!/usr/bin/env bash
# Makes yardstick.pos again: 20,000 quiet positions of games of four kinds, each with the score of 100,000 nodes.
#
#   yardstick.sh OPENINGS... > yardstick.pos        two files of openings, such as UHO and balanced ones; some 15 minutes
#
# TOOLS is the program (default: target/release/bartizan-tools). Another engine plays other games and gives other scores.
set -euo pipefail
(($# == 2)) || { sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2; }
tools=${TOOLS:-target/release/bartizan-tools}
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
play() {
    "$tools" selfplay --games 1000 --nodes 1500 --soft-nodes 400 --adjudicate-draws "${@:2}" --out "$folder/$1.bin" >&2
    "$tools" data filter "$folder/$1.bin" --out "$folder/$1.pos" >&2
    "$tools" data shuffle "$folder/$1.pos" --seed 9 --out "$folder/$1.mixed" >&2
}
play own --seed 9001
play first --seed 9002 --random-plies 0 --balance 2000 --openings "$1"
play second --seed 9003 --random-plies 0 --openings "$2"
play endings --seed 9004 --endings 100
head -c 8 "$folder/own.mixed" > "$folder/all.pos"
for kind in own first second endings; do
    tail -c +9 "$folder/$kind.mixed" | head -c $((5000 * 32)) >> "$folder/all.pos"
done
"$tools" data rescore "$folder/all.pos" --nodes 100000 --out "$folder/deep.pos" >&2
cat "$folder/deep.pos"
