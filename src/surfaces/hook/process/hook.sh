#!/bin/bash -p
# The fast way of the hook: asks the toolgate that serves on this machine, without starting Node. Whatever is not exactly as it should be
# ends in `ask_process`, which starts the hook itself with the same standard input; if that cannot be done either, the call is denied.
#
#   hook.sh [AGENT [NODE [[after:|task:]SECONDS [KEY]]]]
#
# An executable of its own, because its name stands in files that other programs read, too: whatever they make of the rest of the line,
# they start this, and what follows SECONDS means nothing here. -p: nothing in the environment (BASH_ENV, functions, options) becomes a
# part of this. SECONDS: how long the agent waits for us; 0: the server is not asked. after: the call has run. task: a person gives the session
# something new to do. What such a line says can deny nothing, and the agent waits only if somebody has something to say.
# Only builtins: each program that is started costs more than all the rest.

# What we put into a variable that came from the environment would be handed on to every program.
[[ -z ${!tg_@} ]] || unset -v "${!tg_@}"
set +o posix
unset -v BASH_COMPAT TMOUT
SECONDS=0
# The one deadline for everything that is read, in seconds from here: with what the process needs afterwards it stays below the half minute
# that agents wait for us. Only a server that has proven who it is, and says that it still works, moves it.
tg_until=10

tg_agent=${1:-claude-code} tg_node=${2:-node} tg_seconds=${3:-30}
tg_when=
[[ $tg_seconds == after:* || $tg_seconds == task:* ]] && tg_when=${tg_seconds%%:*} tg_seconds=${tg_seconds#*:}
[[ $tg_seconds == *[!0-9]* || ${#tg_seconds} -gt 4 ]] && tg_seconds=30
tg_seconds=$((10#$tg_seconds))
tg_here=${BASH_SOURCE[0]%/*}
# Lengths in bytes, not in characters.
tg_locale=${LC_ALL-unset}
LC_ALL=C

deny() {
  LC_ALL=C
  # There is nothing left to deny; an exit code of 2 would take a person's words away.
  [[ -z $tg_when ]] || exit 1
  # A name of a file may move what a terminal shows.
  printf 'toolgate: %s The call is denied.\n' "${1//[^[:print:]]/?}" >&2
  exit 2
}

# What Node and what it starts may know of the environment; everything else can change what they load, or will one day.
# src/agents/set-up/hook-variables.ts has the same list, and says what it is for.
keep_listed() {
  local tg_letter tg_names tg_one
  for tg_letter in _ {A..Z} {a..z}; do
    eval "tg_names=(\"\${!$tg_letter@}\")"
    for tg_one in "${tg_names[@]}"; do
      case $tg_one in
      tg_*) ;;
      HOME|PATH|SHELL|USER|LOGNAME|TMPDIR|XDG_CONFIG_HOME|XDG_STATE_HOME|XDG_CACHE_HOME|XDG_DATA_HOME) ;;
      TOOLGATE_ROUTES|TOOLGATE_UPSTREAM_OF|TOOLGATE_CALL) ;;
      CLAUDE_CONFIG_DIR|CLAUDE_CODE_PLUGIN_CACHE_DIR|CLAUDE_PLUGIN_ROOT|CLAUDE_PROJECT_DIR) ;;
      CLAUDE_CODE_SESSION_ID|CLAUDE_CODE_SESSION_ATTENDED) ;;
      COPILOT_HOME|COPILOT_PROJECT_DIR|GROK_HOME|GROK_WORKSPACE_ROOT) ;;
      FACTORY_PROJECT_DIR|CURSOR_PROJECT_DIR|CRUSH_PROJECT_DIR) ;;
      LANG|LANGUAGE|LC_ALL|LC_COLLATE|LC_CTYPE|LC_MESSAGES|LC_MONETARY|LC_NUMERIC|LC_TIME|TZ|TERM|NO_COLOR) ;;
      # Some of bash's own cannot be unset.
      *) unset -v "$tg_one" 2>/dev/null || export -n "$tg_one" ;;
      esac
    done
  done
}

# Most agents run a call whose hook has not ended when their patience is over; Claude Code is told to block it. So the process, which takes
# our place, is killed before, and the line that started us denies. Who watches reads from a pipe that only the process holds: it ends with it.
watch_process() {
  local tg_left=$1
  ((tg_left <= 28)) || tg_left=28
  ((tg_left > 0)) || tg_left=1
  exec 3> >(
    exec >&-
    IFS= read -r -t "$tg_left" tg_value
    (($? > 128)) || exit 0
    printf 'toolgate: The hook did not answer in time. The call is denied.\n' >&2
    kill -9 $$
  )
}

# The same input, another way. Started in our place: it gets our signals, and its end is our end.
ask_process() {
  # Before the variables are cleared away: bash would begin to count anew, and a person may have been waited for.
  local tg_rest_of=$(((tg_seconds > 0 ? tg_seconds : 30) - 2 - SECONDS))
  shopt -s execfail
  exec 3>&- 4>&-
  unset -v tg_token tg_key tg_head tg_text tg_part
  keep_listed
  [[ -r $tg_here/hook.cjs ]] || deny "$tg_here/hook.cjs cannot be read; install toolgate again."
  [[ -n $tg_when || $tg_agent == claude-code ]] || watch_process "$tg_rest_of"
  if [[ $tg_locale == unset ]]; then unset -v LC_ALL; else LC_ALL=$tg_locale; fi
  if [[ -n $tg_rest ]]; then
    # What we have not read is still in the pipe.
    exec "$tg_node" "$tg_here/hook.cjs" "$tg_agent" < <(exec 3>&-; printf "%s" "$tg_body" 2>/dev/null; exec /bin/cat 2>/dev/null)
  else
    exec "$tg_node" "$tg_here/hook.cjs" "$tg_agent" < <(exec 3>&-; printf "%s" "$tg_body" 2>/dev/null)
  fi
  deny "$tg_node cannot be started."
}

# Who waits for our answer: our parent, and where that is only a shell that started us, the one above it, as pids in tg_who. Those who are
# gone have left their children to somebody else. Empty where the kernel has no such table.
find_agent() {
  tg_who= tg_pid=$$
  while ((tg_pid > 1)) && IFS= read -r tg_value 2>&- <"/proc/$tg_pid/stat"; do
    tg_name=${tg_value#*(} tg_name=${tg_name%)*} tg_value=${tg_value##*) }
    # What follows the name is a state and the parent. Above an agent that is no shell it does not matter who comes and goes.
    [[ $tg_pid == "$$" || $tg_name == @(sh|ash|bash|dash|ksh|mksh|zsh) ]] || break
    tg_value=${tg_value#* } tg_pid=${tg_value%% *}
    [[ -n $tg_pid && $tg_pid != *[!0-9]* ]] || break
    tg_who+=" $tg_pid"
  done
}

# A server that hangs up while we write must not end us.
trap '' PIPE

# Before 4.1 (macOS has 3.2) bash cannot read a number of bytes: a newer one takes over, or the process reads all of it.
if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] < 401)); then
  if [[ $BASH == /bin/bash ]]; then
    shopt -s execfail
    for tg_bash in /opt/homebrew/bin/bash /usr/local/bin/bash; do
      [[ -x $tg_bash ]] && exec "$tg_bash" -p "${BASH_SOURCE[0]}" "$@"
    done
  fi
  tg_rest=yes
  ask_process
fi

# What concerns this very session: a task that a hook ended, a note that its rules have hooks that look at a call after it ran. Of a session
# that we cannot name everything is assumed.
tg_state=${XDG_STATE_HOME-}
[[ $tg_state == /* ]] || tg_state=${HOME-}/.local/state
tg_state=$tg_state/toolgate
case $tg_agent in
grok) tg_session=${GROK_SESSION_ID-} ;;
droid) tg_session=${session_id-} ;;
gemini) tg_session=${GEMINI_SESSION_ID-} ;;
qwen) tg_session=${QWEN_CODE_SESSION_ID-} ;;
claude-code) tg_session=${CLAUDE_CODE_SESSION_ID-} ;;
# Started from within another agent, it would have that one's id.
*) tg_session= ;;
esac
[[ $tg_state == /* && ${#tg_session} -le 64 && $tg_session != *[!a-z0-9_-]* ]] || tg_session=
[[ $tg_when == task && -n $tg_session && ! -e $tg_state/ended-tasks/local.$tg_session ]] && exit 0

if ((tg_seconds == 0)) && [[ $tg_when != after ]]; then
  tg_rest=yes
  ask_process
fi

# One byte more than we would send: so much fits into the buffers of a connection even if nobody reads, and writing cannot hang.
IFS= read -r -N 131073 -t "$tg_until" tg_body
tg_status=$?
((tg_status > 128)) && deny "Standard input was not finished within 10 seconds."
if ((tg_status == 0)); then
  tg_rest=yes
  ask_process
fi

# Codex names the session in no variable, but before everything else that it says.
if [[ $tg_agent == codex && -n $tg_when && $tg_state == /* && $tg_body == '{"session_id":"'* ]]; then
  tg_session=${tg_body:15:65}
  tg_session=${tg_session%%'"'*}
  [[ ${#tg_session} -le 64 && $tg_session != *[!a-z0-9_-]* ]] || tg_session=
  [[ $tg_when == task && -n $tg_session && ! -e $tg_state/ended-tasks/local.$tg_session ]] && exit 0
fi

# Nobody has anything to say about the call: the record is written by a process for which the agent does not wait.
if [[ $tg_when == after && -n $tg_session && ! -e $tg_state/after-hooks/$tg_session && $tg_body == *"\"session_id\":\"$tg_session\""* ]]; then
  if [[ $tg_locale == unset ]]; then unset -v LC_ALL; else LC_ALL=$tg_locale; fi
  "${BASH_SOURCE[0]}" "$tg_agent" "$tg_node" "$tg_seconds" < <(exec 2>/dev/null; printf '%s' "$tg_body") >/dev/null 2>&1 &
  exit 0
fi
if ((tg_seconds == 0)); then
  tg_rest=yes
  ask_process
fi

# Only Claude Code is known to wait as long as its settings say. Another program that reads them may give up before a person has answered,
# and run the call. The files of other agents are read by these alone.
if ((tg_seconds > 30)) && [[ $tg_agent == claude-code ]]; then
  [[ -n ${CLAUDE_CODE_SESSION_ID-} && $tg_body == *"\"session_id\":\"$CLAUDE_CODE_SESSION_ID\""* ]] || tg_seconds=30
fi

# Of VS Code, which reads Copilot's files, the same is not known. Its calls name their event.
if ((tg_seconds > 30)) && [[ $tg_agent == copilot && $tg_body == *@('"hookEventName":'|'"hook_event_name":')* ]]; then tg_seconds=30; fi

# Where the server says how it is reached, in a file that only we can have written and only we can read (the server looks at its mode).
[[ $HOME == /* ]] || ask_process
tg_file=${XDG_STATE_HOME-}
[[ $tg_file == /* ]] || tg_file=$HOME/.local/state
tg_file=$tg_file/toolgate/hook.addr
[[ -f $tg_file && -O $tg_file && ! -L $tg_file ]] || ask_process
# Opened to write, too: a pipe that was put in its place meanwhile would be waited for otherwise. What was opened is looked at again.
{ exec 4<>"$tg_file"; } 2>&- || ask_process
[[ -f /dev/fd/4 && -O /dev/fd/4 ]] || ask_process
IFS=' ' read -r -n 500 -t 1 -u 4 tg_format tg_version tg_host tg_port tg_token tg_key tg_pid tg_end || ask_process
exec 4>&-
[[ "$tg_format $tg_version $tg_end" == 'toolgate-hook 3 end' ]] || ask_process
[[ $tg_host == 127.*.*.* && $tg_host != *[!0-9.]* || $tg_host == ::1 ]] || ask_process
[[ -n $tg_port && ${#tg_port} -lt 6 && $tg_port != *[!0-9]* && $tg_token$tg_key != *[!A-Za-z0-9_-]* ]] || ask_process
((${#tg_token} >= 40 && ${#tg_token} <= 100 && ${#tg_key} >= 40 && ${#tg_key} <= 100)) || ask_process
# A server that has died without a word has left its port to whoever wants it: nobody is asked there, and nobody can keep us waiting.
[[ $tg_pid == [1-9]* && $tg_pid != *[!0-9]* && ${#tg_pid} -lt 11 ]] || ask_process
kill -0 "$tg_pid" 2>&- || ask_process

# What decides which rules hold, and who is asked, goes along. A control character could end the header or the field; the process needs no headers.
cd -P . 2>&- || ask_process
tg_place=
for tg_name in PWD HOME XDG_CONFIG_HOME XDG_STATE_HOME XDG_DATA_HOME TOOLGATE_ROUTES CLAUDE_CONFIG_DIR CLAUDE_CODE_PLUGIN_CACHE_DIR CLAUDE_PLUGIN_ROOT \
  CLAUDE_PROJECT_DIR COPILOT_HOME COPILOT_PROJECT_DIR GROK_HOME GROK_WORKSPACE_ROOT \
  FACTORY_PROJECT_DIR CURSOR_PROJECT_DIR CRUSH_PROJECT_DIR \
  CLAUDE_CODE_SESSION_ID CLAUDE_CODE_SESSION_ATTENDED; do
  [[ -n ${!tg_name+set} ]] || continue
  tg_value=${!tg_name}
  [[ $tg_value == *[[:cntrl:]]* ]] && ask_process
  tg_place+=$tg_name=$tg_value$'\t'
done
((${#tg_place} > 12000)) && ask_process

# First only who we are. The server answers with its key, which it tells to nobody else; whoever cannot do that gets no call.
[[ $tg_host == ::1 ]] && tg_name='[::1]' || tg_name=127.0.0.1
tg_nonce=$$.$RANDOM$RANDOM$RANDOM
tg_head="POST /api/hook/$tg_agent HTTP/1.1"$'\r\n'"Host: $tg_name:$tg_port"$'\r\n'"Authorization: Bearer $tg_token"$'\r\n'
tg_head+="Toolgate-Call: $tg_nonce"$'\t'"$tg_seconds"$'\t.\r\nContent-Type: application/json\r\nConnection: close\r\n'
tg_head+=$'Expect: 100-continue\r\nTransfer-Encoding: chunked\r\nTrailer: Toolgate-Place\r\n\r\n'
{ exec 3<>"/dev/tcp/$tg_host/$tg_port"; } 2>&- || ask_process
# The first `printf` of a bash makes one write of each line, and so does its format; another one with a single %s makes one of everything
# up to the last end of a line. Of several small writes the system would hold back the second until the first has arrived: 40 ms.
printf ' ' >/dev/null
printf '%s' "$tg_head" 2>&- >&3 || ask_process
tg_head=$'HTTP/1.1 100 Continue\r\nToolgate-Proof: '"$tg_key $tg_nonce"$'\r\n\r\n'
IFS= read -r -N ${#tg_head} -t $((tg_until - SECONDS)) -u 3 tg_part 2>&- || ask_process
[[ $tg_part == "$tg_head" ]] || ask_process
# The call, and behind it, as a trailer, where it happens.
printf -v tg_head '%x' $((${#tg_body} + 1))
tg_head+=$'\r\n'"$tg_body"$'\n\r\n0\r\nToolgate-Place: '"$tg_place"$'.\r\n\r\n'
printf '%s' "$tg_head" 2>&- >&3 || ask_process

# While a person is asked, the server shows every two seconds that it is there; from silence we do not conclude anything good.
find_agent
tg_agents=$tg_who
while :; do
  IFS= read -r -N 27 -t $((tg_until - SECONDS)) -u 3 tg_part 2>&- || ask_process
  [[ $tg_part == $'HTTP/1.1 102 Processing\r\n\r\n' ]] || break
  # An agent that was killed tells nobody, and we would wait on: with our end the server takes the question back.
  find_agent
  [[ $tg_who == "$tg_agents" ]] || deny "The agent that asked is gone."
  # The process needs its time, too, before the agent gives up.
  ((SECONDS < tg_seconds - 10)) || ask_process
  tg_until=$((SECONDS + 7 < tg_seconds - 10 ? SECONDS + 7 : tg_seconds - 10))
done

# One whole answer of the server that wrote the file, to this very request, or none; its length in seven digits.
tg_head=$'HTTP/1.1 200 OK\r\n\r\n'"$tg_key $tg_nonce "
IFS= read -r -N $((${#tg_head} - 19)) -t $((tg_until - SECONDS)) -u 3 tg_text 2>&- || ask_process
tg_part+=$tg_text
tg_long=${tg_part:${#tg_head}}
[[ $tg_part == "$tg_head$tg_long" && $tg_long == [0-9][0-9][0-9][0-9][0-9][0-9][0-9]' ' ]] || ask_process
IFS= read -r -N $((10#$tg_long)) -t $((tg_until - SECONDS)) -u 3 tg_text 2>&- || ask_process
tg_line=${tg_text%%$'\n'*}
tg_text=${tg_text:${#tg_line}+1}
set -f
IFS=' '
tg_fields=($tg_line)
((${#tg_fields[@]} == 3)) || ask_process
tg_status=${tg_fields[0]} tg_out=${tg_fields[1]} tg_err=${tg_fields[2]} tg_from= tg_long=
# =FROM:LENGTH: the second text is that part of the first.
if [[ $tg_err == =*:* ]]; then
  tg_long=${tg_err#*:} tg_from=${tg_err%%:*} tg_err=0
  tg_from=${tg_from:1}
  [[ -n $tg_from && -n $tg_long && $tg_from$tg_long != *[!0-9]* && ${#tg_from} -lt 8 && ${#tg_long} -lt 8 ]] || ask_process
  tg_from=$((10#$tg_from)) tg_long=$((10#$tg_long))
fi
[[ $tg_status == [02] && $tg_out$tg_err != *[!0-9]* && ${#tg_out} -lt 8 && ${#tg_err} -lt 8 ]] || ask_process
tg_out=$((10#$tg_out)) tg_err=$((10#$tg_err))
((${#tg_text} == tg_out + tg_err && (tg_from + tg_long) <= tg_out)) || ask_process
exec 3>&-

# An answer that does not arrive is no answer: the agent would run what it asked for.
if ((tg_out > 0)); then printf '%s' "${tg_text:0:tg_out}" || deny "The answer could not be written."; fi
((tg_err == 0)) || printf '%s' "${tg_text:tg_out}" >&2
if [[ -n $tg_from ]]; then
  tg_text=${tg_text:tg_from:tg_long}
  printf '%s\n' "${tg_text//\\n/$'\n'}" >&2
fi
exit "$tg_status"
