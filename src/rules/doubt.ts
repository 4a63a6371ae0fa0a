/** What is said where nobody can tell before a call runs what it does: what is unclear, and what to write instead. */
import type { JudgedCommand } from "../core/ports/command.ts";
import { cutText } from "../core/text/cut-text.ts";
import { partOf, type Subject } from "./subject.ts";

/** `policy`: the name of the one that may concern it. */
export function describeDoubt(subject: Subject, policy?: string): string {
  const part = partOf(subject);
  const unclear = `Unclear before it runs: ${whatIsUnclear(subject)}${part === "" ? "" : ` (${part})`}.`;
  return policy === undefined ? unclear : `${unclear} Policy "${policy}" may concern it.`;
}

function whatIsUnclear({ opaque, unclear, path, command }: Subject): string {
  const reason = opaque ?? unclear;
  if (reason !== undefined) return reason;
  const words = command === undefined ? [] : unknownWords(command);
  const stand = `${words.join(" and ")} ${words.length > 1 ? "stand" : "stands"} for`;
  if (path !== "unknown") return words.length === 0 ? "what it does" : `what ${stand}; write it out`;
  if (isFilledIn.test(words[0] ?? "")) return "which files it gets from another command; name the files";
  if (words.length > 0) return `which files ${stand}; write their names`;
  return command?.pathsNotChosen === true
    ? "which files it touches, because the repository or the environment decides"
    : "which files it touches; name them in the line";
}

/** What `xargs` adds, and what `find` puts in its place. */
const isFilledIn = /^(?:\.\.\.|\{\})$/;

function unknownWords({ argv, dynamic }: JudgedCommand): string[] {
  return dynamic.slice(0, 2).map((index) => cutText(argv[index] ?? "", 60));
}
