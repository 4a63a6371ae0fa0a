/** What holds for toolgate's own commands and files before any rule is asked, for every caller. */
import { type Decision, decided, protectedDecision } from "../decision.ts";
import { partOf, type Subject } from "../subject.ts";

/** Undefined: nothing of ours is in it. */
export function ownDecision(subject: Subject): Decision | undefined {
  return personsDecision(subject) ?? scatteredDecision(subject) ?? wholeFolderDecision(subject);
}

/** The agent would be its own approver. No rule opens it: whoever may do it has a terminal of their own. */
function personsDecision(subject: Subject): Decision | undefined {
  const { persons } = subject;
  if (persons === undefined) return undefined;
  const { name, certain } = persons;
  const what = certain ? `"${name}" is` : `It is not known before it runs whether this is "${name}",`;
  const message = `${what} a person's decision, not an agent's. Tell the person what is needed and why; they run it in a terminal of their own.`;
  return decided(certain ? "deny" : "ask", subject, "persons-command", message);
}

/** `find ~ | xargs cat`: one command finds our files, another one opens what it is told. */
function scatteredDecision(subject: Subject): Decision | undefined {
  if (subject.handsOn === undefined) return undefined;
  const message = `It is not known before it runs which files it touches, and ${subject.handsOn} leads to toolgate's own: ${partOf(subject)}`;
  return decided("ask", subject, "holds-own-files", message);
}

/** A program that takes a whole folder gets our files in it. Of an unknown program, a person decides. */
function wholeFolderDecision(subject: Subject): Decision | undefined {
  const { path, command, risk } = subject;
  if (typeof path !== "object" || path.holdsOwn !== true || command === undefined) return undefined;
  const program = (command.argv[0] ?? "").replace(/^.*\//, "");
  if (takesWhole.has(program) || (program === "find" && actsOnAll(command.argv)))
    return protectedDecision(subject, "it holds toolgate's own files");
  // The home folder itself is given to many programs that only look for something in it.
  if (risk === "read" || risk === "write" || !/[\\/]\./.test(path.absolute)) return undefined;
  const message = `${path.absolute} holds toolgate's own files, and nobody here knows what ${program} does with a folder: ${partOf(subject)}`;
  return decided("ask", subject, "holds-own-files", message);
}

/** A link or a mount gives our files another name, the rest copies them. For others see `trees`. */
const takesWhole = new Set(
  "ln link mount bindfs rsync scp sftp zip 7z 7za 7zz rclone restic borg cpio pax unison".split(" "),
);

/** With a name or a depth it means other files, as far as anybody can tell. */
function actsOnAll(argv: readonly string[]): boolean {
  if (!argv.some((word) => /^-(?:delete|exec|execdir|ok|okdir|fls|fprint)/.test(word))) return false;
  const name = argv[argv.findIndex((word) => /^-i?(?:name|path|wholename|regex)$/.test(word)) + 1] ?? "";
  const narrows = argv.some((word) => /^-(?:i?(?:name|path|wholename|regex)|maxdepth)$/.test(word));
  return !narrows || /^[*?.]*$|token|toolgate|state|\.(?:pem|key|addr|sqlite|jsonl?|ya?ml|rules)/i.test(name);
}
