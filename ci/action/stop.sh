#!/usr/bin/env bash
# Ends the server that start.sh started, with all that it started.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
[ -f "$reports/.server" ] || exit 0
server=$(<"$reports/.server")
rm -f -- "$reports/.server"
kill -TERM -- "-$server" 2>/dev/null || exit 0
for _ in $(seq 50); do
  kill -0 -- "-$server" 2>/dev/null || exit 0
  sleep 0.1
done
kill -KILL -- "-$server" 2>/dev/null || true
