# What the steps of the action share; sourced by them. All that a user gives comes in variables HALLMARK_… and is an
# argument of a program, never a text for a shell.
set -euo pipefail

# One line that says what is wrong and what to do; on GitHub, an annotation too.
refuse() {
  local message=${1//$'\n'/ }
  if [ "${GITHUB_ACTIONS:-}" = true ]; then
    # The runner takes these three for its own.
    local escaped=${message//%/%25}
    printf '::error title=Hallmark::%s\n' "${escaped//$'\r'/%0D}"
  fi
  printf 'hallmark action: %s\n' "$message" >&2
  exit 2
}

# give NAME VALUE: an output of the step, of one line; elsewhere than on GitHub, a line of the report directory.
give() {
  printf '%s=%s\n' "$1" "${2//[$'\r\n']/ }" >>"${GITHUB_OUTPUT:-$reports/outputs}"
}

# Lines that are not empty, as the array `lines`: an argument each, whatever is in it.
read_lines() {
  local line
  lines=()
  while IFS= read -r line; do
    line=${line%$'\r'}
    [ -z "$line" ] || lines+=("$line")
  done <<<"$1"
}

is_true() { [ "${1:-false}" = true ]; }

reports=${HALLMARK_REPORTS:-hallmark-reports}
mkdir -p -- "$reports"
# Written by install.sh.
if [ -f "$reports/.program" ]; then hallmark=$(<"$reports/.program"); fi
