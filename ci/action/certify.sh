#!/usr/bin/env bash
# Certifies the target or the client: annotations, a summary with the findings, and reports. The step does not fail by
# the verdict: conclude.sh does, when everything is uploaded.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

options=(--json "$reports/certify.json" --html "$reports/certify.html" --junit "$reports/certify.xml")
add() { [ -z "$2" ] || options+=("$1" "$2"); }
add --dialect "${HALLMARK_DIALECT:-}"
add --width "${HALLMARK_WIDTH:-}"
add --profile "${HALLMARK_PROFILE:-}"
read_lines "${HALLMARK_READINGS:-}"
for line in "${lines[@]}"; do options+=(--reading "$line"); done
[ "${GITHUB_ACTIONS:-}" != true ] || options+=(--github)

read_lines "${HALLMARK_CLIENT:-}"
if [ ${#lines[@]} -gt 0 ]; then
  command=(certify-client "${options[@]}" -- "${lines[@]}")
else
  client_less=(--certificate "$reports/certify.certificate" --badge "$reports/certify.svg")
  options+=("${client_less[@]}")
  ! is_true "${HALLMARK_EXCLUSIVE:-}" || options+=(--exclusive)
  ! is_true "${HALLMARK_POLITE:-}" || options+=(--polite)
  read_lines "${HALLMARK_FILTER:-}"
  for line in "${lines[@]}"; do options+=("--filter=$line"); done
  read_lines "${HALLMARK_EXCLUDE:-}"
  for line in "${lines[@]}"; do options+=("--exclude=$line"); done
  add --baseline "${HALLMARK_BASELINE:-}"
  # A day like 2026-12-31 sorts as it comes.
  if [[ -n ${HALLMARK_KNOWN_FAILURES_UNTIL:-} && $(date -u +%F) > $HALLMARK_KNOWN_FAILURES_UNTIL ]]; then
    echo "$HALLMARK_KNOWN_FAILURES expired on $HALLMARK_KNOWN_FAILURES_UNTIL: all failures count."
    if [ "${GITHUB_ACTIONS:-}" = true ]; then
      echo "::warning title=Hallmark::the list of known failures expired on $HALLMARK_KNOWN_FAILURES_UNTIL"
    fi
  else
    add --known-failures "${HALLMARK_KNOWN_FAILURES:-}"
  fi
  command=(certify "$HALLMARK_TARGET" "${options[@]}")
fi

code=0
"$hallmark" "${command[@]}" 2>&1 | tee "$reports/certify.log" || code=${PIPESTATUS[0]}
printf '%s' "$code" >"$reports/.certify"
verdict=$(grep -aE '^[A-Z][A-Z ,_]{3,}' "$reports/certify.log" | tail -n 1 || true)
give exit-code "$code"
give verdict "${verdict:-no verdict: exit code $code}"
give reports "$reports"
[ ! -f "$reports/certify.svg" ] || give badge "$reports/certify.svg"
