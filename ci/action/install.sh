#!/usr/bin/env bash
# Provides the program: the one that HALLMARK_PROGRAM names, a release, or one that is built from the action's own tree.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
tree=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

as_root() { if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo -n "$@"; fi; }

# need PACKAGE…: those of Debian that are missing.
need() {
  local missing
  mapfile -t missing < <(for package in "$@"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || echo "$package"
  done)
  [ ${#missing[@]} -gt 0 ] || return 0
  as_root apt-get update -q
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends "${missing[@]}"
}

fetch() { curl --fail --silent --show-error --location --retry 3 --max-time 300 -o "$1" -- "$2"; }

# The package of a release, whose digest is beside it. Debian brings the libraries.
install_release() {
  local repository=${HALLMARK_REPOSITORY:-} name=hallmark_$1_amd64.deb directory url
  [[ $repository =~ ^[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+$ ]] || refuse "the repository of the action is '$repository'; expected OWNER/NAME"
  grep -qs '^VERSION_ID="12"' /etc/os-release || refuse "release $1 is for Debian 12; run the job with container: debian:12"
  directory=${RUNNER_TEMP:-/tmp}/hallmark-$1
  url=${HALLMARK_SERVER_URL:-https://github.com}/$repository/releases/download/v$1/$name
  mkdir -p -- "$directory"
  need ca-certificates curl
  fetch "$directory/$name" "$url" || refuse "release $1 could not be had from $url; without the input release, Hallmark is built"
  fetch "$directory/$name.sha256" "$url.sha256" || refuse "release $1 has no digest at $url.sha256"
  (cd "$directory" && sha256sum --check --quiet -- "$name.sha256") || refuse "release $1 is not what its digest says"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends "$directory/$name"
  program=/usr/bin/hallmark
}

# The same packages and the same preset as ./quickstart; objects come from ccache.
build() {
  source "$tree/.ci/packages"
  need "${build_packages[@]}"
  cmake --preset release -S "$tree" -B "$tree/build/release"
  ninja -C "$tree/build/release" hallmark
  program=$tree/build/release/hallmark
}

if [ -n "${HALLMARK_PROGRAM:-}" ]; then
  program=$HALLMARK_PROGRAM
elif [ -n "${HALLMARK_RELEASE:-}" ]; then
  install_release "$HALLMARK_RELEASE"
else
  build
fi
[ -x "$program" ] || refuse "'$program' is not a program"
version=$("$program" --version)
printf '%s' "$(realpath -- "$program")" >"$reports/.program"
[ -z "${GITHUB_PATH:-}" ] || dirname -- "$(realpath -- "$program")" >>"$GITHUB_PATH"
give version "${version#hallmark }"
echo "$version"
