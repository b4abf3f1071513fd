#!/usr/bin/env bash
# Starts the server under test, if there is one, and waits until its endpoint takes connections.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
read_lines "${HALLMARK_SERVER:-}"
[ ${#lines[@]} -gt 0 ] || { echo 'No server is to be started.'; exit 0; }

# A group of its own, which stop.sh ends.
setsid -- "${lines[@]}" >"$reports/server.log" 2>&1 </dev/null &
server=$!
printf '%s' "$server" >"$reports/.server"

takes_connections() {
  case $HALLMARK_TARGET in
    tcp://*)
      local address=${HALLMARK_TARGET#tcp://}
      local host=${address%:*}
      host=${host#[}
      (exec 3<>"/dev/tcp/${host%]}/${address##*:}") 2>/dev/null
      ;;
    unix://*) [ -S "${HALLMARK_TARGET#unix://}" ] ;;
    udp://*) ss -Hlun "sport = :${HALLMARK_TARGET##*:}" 2>/dev/null | grep -q . ;;
  esac
}

deadline=$((SECONDS + ${HALLMARK_READY_WITHIN:-30}))
until takes_connections; do
  if ! kill -0 "$server" 2>/dev/null; then
    tail -n 20 -- "$reports/server.log" >&2
    refuse "the server ended before $HALLMARK_TARGET took connections; its last lines are above"
  fi
  if [ "$SECONDS" -ge "$deadline" ]; then
    tail -n 20 -- "$reports/server.log" >&2
    refuse "nobody took connections at $HALLMARK_TARGET within ${HALLMARK_READY_WITHIN:-30} s; see ready-within"
  fi
  sleep 0.1
done
echo "The server takes connections at $HALLMARK_TARGET."
