#!/bin/sh
# Installs queuectl for one user, or for all users if run as root. Nothing is installed before the download is complete and
# its checksum is right.
set -eu

usage() {
  cat <<'TEXT'
Usage: install.sh [--from URL|DIRECTORY] [--prefix DIRECTORY] [--force] [--uninstall]

  --from       release to install (default: the latest)
  --prefix     where to install (default: ~/.local, or /usr/local as root)
  --force      replace a queuectl that this script did not install
  --uninstall  remove the program and keep all queues
TEXT
}

fail() {
  echo "error: $1" >&2
  [ $# -lt 2 ] || echo " hint: $2" >&2
  exit 1
}

main() {
  from=https://github.com/queuectl/queuectl/releases/latest/download
  prefix=
  force=
  task=install
  while [ $# -gt 0 ]; do
    case $1 in
      --from | --prefix)
        [ $# -gt 1 ] || fail "$1 requires a value" 'show the usage: install.sh --help'
        [ "$1" = --from ] && from=$2 || prefix=$2
        shift
        ;;
      --force) force=yes ;;
      --uninstall) task=uninstall ;;
      -h | --help)
        usage
        exit
        ;;
      *) fail "unknown option '$1'" 'show the usage: install.sh --help' ;;
    esac
    shift
  done
  [ -n "$prefix" ] || prefix=$(default_prefix)
  case $prefix in /*) ;; *) prefix=$PWD/$prefix ;; esac
  manifest=$prefix/share/queuectl/installed-files
  "$task"
}

default_prefix() {
  if [ "$(id -u)" = 0 ]; then
    echo /usr/local
  else
    [ -n "${HOME:-}" ] || fail 'HOME is not set' 'choose a directory: install.sh --prefix DIRECTORY'
    echo "$HOME/.local"
  fi
}

install() {
  platform=$(platform_name)
  check_target
  work=$(mktemp -d "${TMPDIR:-/tmp}/queuectl-install.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  trap 'exit 1' HUP INT TERM
  fetch SHA256SUMS
  archive=$(sed -n "s/^[0-9a-f]*  \(queuectl-[0-9][^ ]*-$platform\.tar\.gz\)$/\1/p" "$work/SHA256SUMS" | head -n 1)
  [ -n "$archive" ] || fail "there is no queuectl for $platform in $from"
  echo "downloading $archive"
  fetch "$archive"
  check_sum "$archive"
  tar -xzf "$work/$archive" -C "$work" || fail "cannot unpack $archive"
  check_program "$work/${archive%.tar.gz}/bin/queuectl"
  copy_files "$work/${archive%.tar.gz}"
  echo "installed $("$prefix/bin/queuectl" --version | head -n 1) to $prefix/bin/queuectl"
  echo "  manual pages and completions: $prefix/share"
  echo "  uninstall: install.sh --uninstall$([ "$prefix" = "$(default_prefix)" ] || echo " --prefix $prefix")"
  case :$PATH: in
    *:"$prefix/bin":*) echo "  next: queuectl run 'echo hello'" ;;
    *) echo "  next: add $prefix/bin to your PATH: export PATH=\"$prefix/bin:\$PATH\"" ;;
  esac
}

platform_name() {
  system=$(uname -s)
  processor=$(uname -m)
  case $system in
    Linux) os=linux ;;
    Darwin) os=macos ;;
    *) fail "queuectl does not run on $system" 'use Linux or macOS' ;;
  esac
  case $processor in
    x86_64 | amd64) cpu=x64 ;;
    aarch64 | arm64) cpu=arm64 ;;
    *) fail "there is no queuectl for the processor $processor" 'install Node 24 or later, then: npm install -g queuectl' ;;
  esac
  if [ "$os" = linux ] && ldd /bin/sh 2>/dev/null | grep -q musl; then
    fail 'there is no queuectl for musl libc (Alpine)' 'install Node 24 or later, then: npm install -g queuectl'
  fi
  echo "$os-$cpu"
}

# Before the download: what would fail after it.
check_target() {
  mkdir -p "$prefix/bin" "$prefix/share/queuectl" 2>/dev/null || fail "cannot write to $prefix" 'choose another directory: --prefix DIRECTORY'
  { [ -w "$prefix/bin" ] && [ -w "$prefix/share/queuectl" ]; } || fail "cannot write to $prefix" 'choose another directory: --prefix DIRECTORY'
  target=$prefix/bin/queuectl
  [ ! -d "$target" ] || fail "$target is a directory" 'remove it, or choose another one: --prefix DIRECTORY'
  if { [ -e "$target" ] || [ -h "$target" ]; } && [ ! -e "$manifest" ] && [ -z "$force" ]; then
    fail "$target exists and was not installed by this script" 'remove it, or replace it with --force'
  fi
}

# Small systems lack libraries that Node needs.
check_program() {
  if ! problem=$("$1" --version 2>&1); then
    fail "queuectl does not run on this system: $(echo "$problem" | head -n 1 | sed "s|^$1: ||")" \
      'install the libraries that it needs, on Debian and Ubuntu: apt install libatomic1 libstdc++6'
  fi
}

fetch() {
  case $from in
    *://*)
      if command -v curl >/dev/null; then
        curl --fail --silent --show-error --location --output "$work/$1" "$from/$1"
      elif command -v wget >/dev/null; then
        wget --quiet --output-document "$work/$1" "$from/$1"
      else
        fail 'neither curl nor wget is installed' 'install one of them'
      fi || fail "cannot download $from/$1" 'check the connection, then run the script again'
      ;;
    *) cp "$from/$1" "$work/$1" 2>/dev/null || fail "cannot read $from/$1" 'name the directory of a release: --from DIRECTORY' ;;
  esac
}

check_sum() {
  wanted=$(sed -n "s/^\([0-9a-f]*\)  $1$/\1/p" "$work/SHA256SUMS")
  if command -v sha256sum >/dev/null; then
    found=$(sha256sum "$work/$1")
  elif command -v shasum >/dev/null; then
    found=$(shasum -a 256 "$work/$1")
  else
    fail 'neither sha256sum nor shasum is installed' 'install one of them'
  fi
  [ "${found%% *}" = "$wanted" ] || fail "the checksum of $1 is wrong; nothing was installed" 'the download may be incomplete: run the script again'
}

# The list comes first, so that an interrupted installation can be removed; the program comes last, under its name at once.
copy_files() {
  (cd "$1" && find share -type f) > "$work/files"
  echo bin/queuectl >> "$work/files"
  cp "$work/files" "$manifest" || fail "cannot write $manifest"
  while read -r file; do
    [ "$file" = bin/queuectl ] || place "$1" "$file"
  done < "$work/files"
  place "$1" bin/queuectl
}

place() {
  mkdir -p "$(dirname "$prefix/$2")" && cp "$1/$2" "$prefix/$2.new" && mv -f "$prefix/$2.new" "$prefix/$2" || {
    rm -f "$prefix/$2.new"
    fail "cannot write $prefix/$2" 'free some space or check its permissions, then run the script again'
  }
}

uninstall() {
  [ -e "$manifest" ] || fail "queuectl was not installed to $prefix by this script" 'name its directory: --prefix DIRECTORY'
  while read -r file; do
    rm -f "$prefix/$file" || fail "cannot remove $prefix/$file"
  done < "$manifest"
  rm -f "$manifest"
  rmdir "$prefix/share/queuectl" 2>/dev/null || true
  echo "removed queuectl from $prefix"
  queue=${QUEUECTL_HOME:-${XDG_DATA_HOME:-${HOME:-}/.local/share}/queuectl}/queue.db
  case ${QUEUECTL_DB:-} in
    '') [ ! -e "$queue" ] || echo "  kept your queue: $queue" ;;
    *://*) echo "  kept your queue: the database that QUEUECTL_DB names" ;;
    *) echo "  kept your queue: $QUEUECTL_DB" ;;
  esac
}

main "$@"
