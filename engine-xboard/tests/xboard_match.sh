#!/usr/bin/env bash
# Plays matches of bartizan-xboard in the real xboard, under a screen of its own (Xvfb), and looks for trouble in the
# debug files: illegal moves, forfeits, lines that break the protocol, ponder hits.
#
#   xboard_match.sh ENGINE [GAMES] [TC] [INC] [OPPONENT …]
#
# With KEEP=FOLDER the debug files and the games stay there. TC is minutes or M:SS, INC seconds. An OPPONENT is the command
# of an xboard engine; by default fairymax and phalanx, and the UCI engine beside ENGINE behind polyglot. A match in which
# the opponent dies or hangs (Fairy-Max has been seen to) is played again, twice at most. Exit code: 0 all well,
# 1 trouble, 77 nothing could be played here.
set -euo pipefail

readonly skipped=77
engine=$(realpath "${1:?the engine is missing}")
games=${2:-2} tc=${3:-0:05} inc=${4:-0.05}
shift $(($# < 4 ? $# : 4))
PATH=$PATH:/usr/games

for program in xboard xvfb-run; do
    if ! command -v "$program" >/dev/null; then
        if [[ $(id -u) == 0 ]] && command -v apt-get >/dev/null; then
            get=(env DEBIAN_FRONTEND=noninteractive timeout 240 apt-get -q)
            "${get[@]}" update >&2 && "${get[@]}" install -y --no-install-recommends xboard xvfb xauth fairymax phalanx polyglot >&2 || true
        fi
        command -v "$program" >/dev/null || { echo "SKIPPED: no $program here, and it cannot be installed"; exit "$skipped"; }
    fi
done

opponents=("$@")
if ((${#opponents[@]} == 0)); then
    for name in fairymax phalanx; do
        if command -v "$name" >/dev/null; then opponents+=("$name"); else echo "SKIPPED: no $name here"; fi
    done
    uci=$(dirname "$engine")/bartizan
    if command -v polyglot >/dev/null && [[ -x $uci ]]; then
        opponents+=("polyglot -noini -ec $uci")
    else
        echo "SKIPPED: no match with bartizan behind polyglot: polyglot or $uci is not here"
    fi
fi
((${#opponents[@]} > 0)) || { echo "SKIPPED: no opponent here"; exit "$skipped"; }

# The words that begin a line of the trace, from the table of docs/xboard.md: `command|search|…`.
own=$(grep -oE '`# [a-z]+( log)?' "$(dirname "$0")/../../docs/xboard.md" | cut -c4- | sort -u | paste -sd'|')
[[ -n $own ]] || { echo "FAILED: docs/xboard.md names no line of the trace"; exit 1; }

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export HOME=$folder XDG_CONFIG_HOME=$folder
trouble=0
# The seconds of a clock, and of the match: a game of 150 moves takes at most two clocks.
IFS=: read -r minutes seconds <<<"$tc"
base=$((60 * 10#$minutes + 10#${seconds:-0}))
limit=$(awk -v base="$base" -v inc="$inc" -v games="$games" 'BEGIN { printf "%d", 60 + games * 2 * (base + 150 * inc) }')

# Whether xboard found the second engine gone, or waited for its move until the time was up.
opponent_died() {
    grep -hE 'Error.* second chess program' "$out" \
        || { ((rc == 124)) && grep -hE '<(first |second): move ' "$log" | tail -n 1 | grep '<first '; }
}

for opponent in "${opponents[@]}"; do
    name=$(basename "${opponent%% *}")
    log=$folder/$name.log pgn=$folder/$name.pgn out=$folder/$name.out
    for attempt in 1 2 3; do
        rm -f "$log" "$pgn"
        echo "=== $games games against $opponent, $tc + $inc"
        # A match that takes longer hangs.
        begin=$SECONDS rc=0
        timeout -k 5 "$limit" xvfb-run -a xboard -fcp "$engine -t" -fd "$folder" -scp "$opponent" -sd "$folder" \
            -mg "$games" -tc "$tc" -inc "$inc" -ponder -noGUI -xexit -matchPause 500 \
            -saveSettingsOnExit false -settingsFile "$folder/none" -sgf "$pgn" -debug -debugfile "$log" \
            -engineDebugOutput 2 -hideThinkingFromHuman false >"$out" 2>&1 </dev/null || rc=$?
        # Behind polyglot is our own engine.
        if ((rc == 0 || attempt == 3)) || [[ $name == polyglot ]] || ! opponent_died; then break; fi
        echo "The opponent died; the match is played again."
    done
    if [[ -n ${KEEP:-} ]]; then cp "$log" "$pgn" "$out" "$KEEP" || true; fi
    played=$(grep -c '^\[Result ' "$pgn" 2>/dev/null || true)
    # The debug file marks lines of the first engine by `<first : …`. (Phalanx calls `computer` an illegal move.)
    illegal=$(grep -ciE '<first *: .*illegal move|illegal move .* from first' "$log" || true)
    forfeits=$(cat "$pgn" "$log" 2>/dev/null | grep -ciE 'forfeit|false (illegal|result|claim)|exited unexpectedly' || true)
    # A line that xboard does not understand is logged with `# ` before it, like those of -t: what the documentation
    # of the trace does not name is a violation. `Hint: MOVE` is logged so as well: xboard expects a small letter there.
    { grep -E '^ *[0-9]* ?<first : # [^#]*$' "$log" || true; } | { grep -vE "<first : # (hint|$own)( |:)" || true; } >"$folder/violations"
    violations=$(grep -c '' "$folder/violations" || true)
    hits=$(grep -c '<first : # ponder: hit' "$log" || true)
    misses=$(grep -c '<first : # ponder: miss' "$log" || true)
    errors=$(grep -cE '<first : (Error|tellusererror)' "$log" || true)
    echo "played $played in $((SECONDS - begin)) s; results: $({ grep -h '^\[Result' "$pgn" || true; } | sort | uniq -c | tr '\n' ' ')"
    echo "illegal moves $illegal, forfeits $forfeits, violations $violations, errors $errors; ponder hits $hits, misses $misses"
    if ((rc != 0 || played < games || illegal + forfeits + violations + errors > 0)); then
        echo "FAILED against $opponent (exit code $rc)"
        grep -niE 'first.*illegal move|forfeit|false |exited|<first : (Error|tellusererror)' "$log" | head -20 || true
        head -20 "$folder/violations"
        grep '^xboard:' "$out" || true
        tail -20 "$log" || true
        trouble=1
    fi
done
exit "$trouble"
