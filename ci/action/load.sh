#!/usr/bin/env bash
# Loads the target if a rate is given, and compares with an earlier load.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
[ -n "${HALLMARK_LOAD_RATE:-}" ] || { echo 'No load is asked for.'; exit 0; }

options=(--rate "$HALLMARK_LOAD_RATE" --duration "${HALLMARK_LOAD_DURATION:-10s}" --json "$reports/load.json"
  --html "$reports/load.html")
add() { [ -z "$2" ] || options+=("$1" "$2"); }
add --dialect "${HALLMARK_DIALECT:-}"
add --width "${HALLMARK_WIDTH:-}"
add --slo "${HALLMARK_LOAD_SLO:-}"

# What the terminal shows, in the summary of the job.
tell() {
  [ -n "${GITHUB_STEP_SUMMARY:-}" ] || return 0
  # Four backquotes: the text may hold three.
  { printf '### %s\n\n````text\n' "$1"; cat -- "$2"; printf '````\n\n'; } >>"$GITHUB_STEP_SUMMARY"
}

code=0
"$hallmark" load "$HALLMARK_TARGET" "${options[@]}" 2>&1 | tee "$reports/load.log" || code=${PIPESTATUS[0]}
tell 'Load' "$reports/load.log"
printf '%s' "$code" >"$reports/.load"
give load-exit-code "$code"
if [ -n "${HALLMARK_LOAD_BASELINE:-}" ] && [ -f "$reports/load.json" ]; then
  changed=0
  "$hallmark" report compare "$HALLMARK_LOAD_BASELINE" "$reports/load.json" --html "$reports/load-changes.html" 2>&1 |
    tee "$reports/load-changes.log" || changed=${PIPESTATUS[0]}
  tell 'Load, compared with the last one' "$reports/load-changes.log"
  printf '%s' "$changed" >"$reports/.load-changes"
  give load-changes-exit-code "$changed"
fi
