#!/bin/sh
# The entry point of a container: writes the database password to ~/.pgpass, readable only by this user, then becomes queuectl.
set -eu

if [ -n "${DATABASE_PASSWORD_FILE:-}" ]; then
  umask 077
  printf '*:*:*:*:%s\n' "$(sed -n '1{s/[\\:]/\\&/g;p;}' "$DATABASE_PASSWORD_FILE")" > "$HOME/.pgpass"
  umask 022
fi

case ${1:-} in
  # The server prints its URL with the owner token, which must not appear in the log of a container.
  serve | dashboard) exec queuectl "$@" > /dev/null ;;
  *) exec queuectl "$@" ;;
esac
