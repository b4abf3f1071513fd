#!/usr/bin/env bash
# Refuses inputs that are not what they should be, before anything is built or started.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# matches INPUT VALUE PATTERN EXPECTED: an empty value is not given.
matches() {
  [[ -z $2 || $2 =~ ^($3)$ ]] || refuse "$1 is '$2'; expected $4"
}

# is_file INPUT VALUE: a file that is there.
is_file() {
  [ -z "$2" ] && return
  [[ $2 != -* ]] || refuse "$1 is '$2'; expected a path, which does not begin with a dash (./$2 does not)"
  [ -f "$2" ] || refuse "$1 is '$2', which is not a file of the checkout"
}

boolean() { matches "$1" "$2" 'true|false' 'true or false'; }

duration='[0-9]+([.][0-9]+)?(ns|us|ms|s|m|h)'
matches target "${HALLMARK_TARGET:-}" '(tcp|udp|unix)://[^[:space:][:cntrl:]]+|(exec|pipe):[^[:cntrl:]]+' \
  'tcp://HOST:PORT, udp://HOST:PORT, unix:///PATH, exec:COMMAND or pipe:COMMAND'
matches dialect "${HALLMARK_DIALECT:-}" '[a-z][a-z0-9.-]*' 'a name such as throttr-7.3'
matches width "${HALLMARK_WIDTH:-}" 'auto|u8|u16|u32|u64' 'u8, u16, u32, u64 or auto'
matches profile "${HALLMARK_PROFILE:-}" 'auto|deployed|literal' 'deployed, literal or auto'
read_lines "${HALLMARK_READINGS:-}"
for line in "${lines[@]}"; do matches readings "$line" '[a-z0-9.-]+=[a-z0-9.-]+' 'a READING=ANSWER a line'; done
boolean exclusive "${HALLMARK_EXCLUSIVE:-}"
boolean polite "${HALLMARK_POLITE:-}"
boolean upload "${HALLMARK_UPLOAD:-}"
boolean fail "${HALLMARK_FAIL:-}"
is_file known-failures "${HALLMARK_KNOWN_FAILURES:-}"
is_file baseline "${HALLMARK_BASELINE:-}"
is_file load-baseline "${HALLMARK_LOAD_BASELINE:-}"
matches known-failures-until "${HALLMARK_KNOWN_FAILURES_UNTIL:-}" '[0-9]{4}-[0-9]{2}-[0-9]{2}' 'a day such as 2026-12-31'
matches load-rate "${HALLMARK_LOAD_RATE:-}" '[0-9][0-9a-zA-Z.,@]*' 'a rate such as 500, 20k or 1k..50k'
matches load-duration "${HALLMARK_LOAD_DURATION:-}" "$duration" 'a duration such as 10s'
matches load-slo "${HALLMARK_LOAD_SLO:-}" '[a-z0-9.<>=%,]+' 'objectives such as p99<5ms,errors<0.01%'
matches release "${HALLMARK_RELEASE:-}" '[0-9]+[.][0-9]+[.][0-9]+' 'a version such as 0.1.0, or nothing to build it'
matches ready-within "${HALLMARK_READY_WITHIN:-}" '[0-9]{1,4}' 'seconds'

read_lines "${HALLMARK_CLIENT:-}"
client=${#lines[@]}
read_lines "${HALLMARK_SERVER:-}"
server=${#lines[@]}
if [ -z "${HALLMARK_TARGET:-}" ] && [ "$client" -eq 0 ]; then refuse 'neither target nor client is given; expected one of them'; fi
if [ -n "${HALLMARK_TARGET:-}" ] && [ "$client" -gt 0 ]; then refuse 'both target and client are given; expected one of them'; fi
if [ "$server" -gt 0 ] && [[ ${HALLMARK_TARGET:-} == exec:* || ${HALLMARK_TARGET:-} == pipe:* ]]; then
  refuse 'server is given, and a target that is started too; expected one of them'
fi
if [ -n "${HALLMARK_LOAD_RATE:-}" ] && [[ ! ${HALLMARK_TARGET:-} =~ ^(tcp|udp|unix):// ]]; then
  refuse 'load-rate is given; expected a target of tcp://, udp:// or unix://'
fi
if [ -n "${HALLMARK_KNOWN_FAILURES_UNTIL:-}" ] && [ -z "${HALLMARK_KNOWN_FAILURES:-}" ]; then
  refuse 'known-failures-until is given without known-failures'
fi
echo 'The inputs are as they should be.'
