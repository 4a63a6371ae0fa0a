#!/usr/bin/env bash
# A hook in bash: the call comes on standard input, exit 2 stops it, and what goes to standard error is the reason.
call=$(cat)

case $call in
  *'git push'*--force*)
    echo 'Force-pushing rewrites what others have. Push to a new branch instead.' >&2
    exit 2
    ;;
  *'git push'*)
    # Any text is context: it comes back with the outcome, for the conversation.
    echo 'The build runs for a few minutes after each push.'
    ;;
esac
