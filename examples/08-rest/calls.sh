#!/usr/bin/env bash
# The API from a shell. Needs URL and TOKEN_FILE in the environment.
set -euo pipefail

# The token goes through a file descriptor: on the command line every user of the machine could read it.
api() {
  curl --silent --show-error --fail-with-body \
    --header @<(printf 'Authorization: Bearer %s' "$(cat "$TOKEN_FILE")") "$@"
}

echo "alive:   $(curl --silent "$URL/api/health/ready")"
echo "without: $(curl --silent --output /dev/null --write-out '%{http_code}' "$URL/api/tools")"
echo "tools:   $(api "$URL/api/tools" | grep --only-matching '"counts":{"total":[0-9]*')}"
echo "info:    $(api --json '{}' "$URL/api/tools/workspace.info/call" | cut --characters 1-12)..."
echo "refused: $(api --json '{"input":{"command":"ls"}}' "$URL/api/tools/shell.exec/call" | grep --only-matching '"code":"[a-z_]*"')"
echo "unknown: $(api --json '{}' "$URL/api/tools/workspace.inof/call" 2>/dev/null | grep --only-matching '"status":[0-9]*')" || true
echo "ledger:  $(api "$URL/api/ledger?tool=workspace.info&limit=1" | grep --only-matching '"surface":"http"')"
api "$URL/api/ledger/export" | head --lines 1 | cut --characters 1-16
