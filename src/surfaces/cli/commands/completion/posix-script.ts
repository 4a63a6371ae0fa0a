/** The scripts for bash and zsh: one table that both read, and for each what hands the words over. */
import type { CompletedCommand } from "./completion.ts";

export function bashScript(commands: readonly CompletedCommand[]): string {
  return `# toolgate completion bash: source it, for example in ~/.bashrc.
${table(commands)}
_toolgate() {
  local command="" previous="\${COMP_WORDS[COMP_CWORD-1]}" current="\${COMP_WORDS[COMP_CWORD]}" index word
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    case " $(_toolgate_commands "$command") " in *" $word "*) command="\${command:+$command }$word" ;; esac
  done
  if _toolgate_takes_value "$command $previous"; then
    COMPREPLY=($(compgen -W "$(_toolgate_values "$command $previous")" -- "$current"))
    [ "\${#COMPREPLY[@]}" -gt 0 ] || COMPREPLY=($(compgen -f -- "$current"))
    return
  fi
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$(_toolgate_options "$command")" -- "$current")) ;;
    *) COMPREPLY=($(compgen -W "$(_toolgate_commands "$command") $(_toolgate_words "$command")" -- "$current")) ;;
  esac
}
complete -o default -F _toolgate toolgate
`;
}

export function zshScript(commands: readonly CompletedCommand[]): string {
  return `#compdef toolgate
# toolgate completion zsh: source it behind compinit, for example in ~/.zshrc.
${table(commands)}
_toolgate() {
  local command="" previous="\${words[CURRENT-1]}" word
  local -a offered
  integer index
  for ((index = 2; index < CURRENT; index++)); do
    word="\${words[index]}"
    case " $(_toolgate_commands "$command") " in *" $word "*) command="\${command:+$command }$word" ;; esac
  done
  if _toolgate_takes_value "$command $previous"; then
    offered=(\${=$(_toolgate_values "$command $previous")})
  elif [[ "\${words[CURRENT]}" == -* ]]; then
    offered=(\${=$(_toolgate_options "$command")})
  else
    offered=(\${=$(_toolgate_commands "$command")} \${=$(_toolgate_words "$command")})
  fi
  if (( \${#offered} )); then compadd -- $offered; else _files; fi
}
compdef _toolgate toolgate
`;
}

/** Functions that answer by the command, and by the command and the option in front. */
function table(commands: readonly CompletedCommand[]): string {
  const by = (name: string, wordsOf: (one: CompletedCommand) => readonly string[]) =>
    lookUp(
      name,
      commands.map((one) => [one.path, wordsOf(one).join(" ")]),
    );
  const valued = commands.flatMap(({ path, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .flatMap(({ names, choices }) => names.map((name) => [`${path} ${name}`, choices.join(" ")] as const)),
  );
  const keys = valued.map(([key]) => `"${key}"`).join("|");
  return [
    by("commands", (one) => one.commands.map(({ name }) => name)),
    by("options", (one) => one.options.flatMap(({ names }) => names)),
    by("words", (one) => one.words ?? []),
    lookUp("values", valued),
    `_toolgate_takes_value() { case "$1" in ${keys}) return 0 ;; *) return 1 ;; esac; }`,
  ].join("\n");
}

/** No word of ours needs quotes: they are names of commands, options and tools. */
function lookUp(name: string, rows: readonly (readonly [key: string, words: string])[]): string {
  const lines = rows
    .filter(([, words]) => words !== "")
    .map(([key, words]) => `    "${key}") echo "${words}" ;;`);
  return [`_toolgate_${name}() {`, '  case "$1" in', ...lines, "  esac", "}"].join("\n");
}
