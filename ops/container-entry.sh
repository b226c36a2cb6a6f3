#!/bin/sh
# What runs first in a container: puts the password of the database where queuectl looks for it and nobody else can read it, then
# becomes queuectl.
set -eu

if [ -n "${DATABASE_PASSWORD_FILE:-}" ]; then
  umask 077
  printf '*:*:*:*:%s\n' "$(sed -n '1{s/[\\:]/\\&/g;p;}' "$DATABASE_PASSWORD_FILE")" > "$HOME/.pgpass"
  umask 022
fi

case ${1:-} in
  # It prints its address with the token of the owner, which is not for the log of a container.
  serve | dashboard) exec queuectl "$@" > /dev/null ;;
  *) exec queuectl "$@" ;;
esac
