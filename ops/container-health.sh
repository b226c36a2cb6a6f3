#!/bin/bash
# Health of a container. The programs of a small image suffice: bash itself is the HTTP client.
#   container-health server        the server responds
#   container-health worker        the database lists the worker of this container: readiness
#   container-health worker-lost   fails if the database lists the worker as lost: liveness. Succeeds if the database cannot be
#                                  reached, because a restart would only interrupt running jobs.
set -u

server() {
  exec 3<>/dev/tcp/127.0.0.1/"${PORT:-7777}" || return
  printf 'GET /healthz HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n' >&3
  read -r _ status _ <&3 && [ "$status" = 200 ]
}

# Prints the state of each worker that this container has, or had before a restart.
states() {
  queuectl worker list --json 2>/dev/null | grep --after-context=1 --fixed-strings "\"host\": \"${QUEUECTL_HOST:-$HOSTNAME}\"" |
    sed -n 's/^ *"state": "\([a-z]*\)".*/\1/p'
}

case ${1:-server} in
  server) server 2>/dev/null ;;
  worker) states | grep -qx -e idle -e busy -e stopping ;;
  worker-lost) ! { states | grep -qx lost; } ;;
  *)
    echo "error: unknown check '$1'" >&2
    exit 2
    ;;
esac
