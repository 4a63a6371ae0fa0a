/** The script for fish, which also shows what each command and option is for. */
import type { CompletedCommand, CompletedOption } from "./completion.ts";

export function fishScript(commands: readonly CompletedCommand[]): string {
  return `# toolgate completion fish > ~/.config/fish/completions/toolgate.fish
function __toolgate_words
    set -l words (commandline -opc)
    set -e words[1]
    string match -v -- '-*' $words
end
function __toolgate_exactly
    test (string join ' ' -- (__toolgate_words)) = "$argv[1]"
end
function __toolgate_behind
    string match -q -- "$argv[1] *" (string join ' ' -- (__toolgate_words))' '
end
${commands.map(linesOf).join("")}`;
}

function linesOf({ path, commands, options, words }: CompletedCommand): string {
  const lines = [
    ...commands.map(
      ({ name, summary }) => `-n ${here("exactly", path)} -f -a ${quoted(name)} -d ${quoted(summary)}`,
    ),
    ...(words === undefined ? [] : [`-n ${here("exactly", path)} -f -a ${quoted(words.join(" "))}`]),
    ...options.map(
      (option) => `-n ${path === "" ? here("exactly", path) : here("behind", path)} ${flagsOf(option)}`,
    ),
  ];
  return lines.map((line) => `complete -c toolgate ${line}\n`).join("");
}

function here(how: "exactly" | "behind", path: string): string {
  return quoted(`__toolgate_${how} "${path}"`);
}

function flagsOf({ names, takesValue, choices, description }: CompletedOption): string {
  const flags = names.map((name) => (name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  const values = choices.length === 0 ? "" : ` -f -a ${quoted(choices.join(" "))}`;
  return `${flags.join(" ")}${takesValue ? ` -r${values}` : ""} -d ${quoted(description)}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
