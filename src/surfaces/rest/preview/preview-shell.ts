/** A command line part by part: what each part is, reads, writes and asks, and what nobody understood. */
import { defined } from "../../../core/input/defined.ts";
import type { CommandJudgement, CommandRisk, JudgedCommand } from "../../../core/ports/command.ts";
import type { LookedAtCall } from "../../../gate/look-at-call.ts";
import { redactText } from "../../../safe/redact/redact.ts";
import type { PreviewCommand, PreviewShell } from "../contract.ts";
import type { ShownPath } from "./preview-path.ts";

const mostCommands = 100;
const mostPaths = 50;
const mostWords = 200;
/** A line is shown whole, unless it is longer than anybody reads. */
const mostCharacters = 100_000;

/** Undefined: there is no command in it. */
export function previewShell(
  { lines, findProgram }: LookedAtCall,
  shown: ShownPath,
): PreviewShell | undefined {
  if (lines.length === 0) return undefined;
  const line = lines.map((one) => one.line).join("\n");
  const judged = lines.flatMap((one) => one.judged ?? []);
  const unread = lines.filter((one) => one.judged === undefined);
  const all = judged.flatMap(({ commands }) => commands);
  const redirects = judged.flatMap((one) => one.redirects);
  const opaque = [
    ...judged.flatMap((one) => one.opaque),
    ...unread.map((one) => ({ reason: "nobody here reads this language", text: one.line })),
  ];
  return {
    line: redactText(line.slice(0, mostCharacters)),
    risk: highest(judged, unread.length > 0),
    network: judged.some(({ network }) => network),
    commands: all.slice(0, mostCommands).map((command) => toCommand(command, shown, findProgram)),
    redirects: redirects.slice(0, mostPaths).map(({ path, access }) => shown(path, access)),
    notUnderstood: opaque.slice(0, mostPaths).map(({ reason, text }) => ({
      reason,
      text: redactText(text.slice(0, 2_000)),
    })),
    cut: line.length > mostCharacters || all.length > mostCommands || redirects.length > mostPaths,
  };
}

function toCommand(
  command: JudgedCommand,
  shown: ShownPath,
  findProgram: LookedAtCall["findProgram"],
): PreviewCommand {
  const { dynamic, risk, network, reads, writes, globs, via, beyond, unknownPaths } = command;
  const argv = command.argv.slice(0, mostWords).map((word) => redactText(word));
  const [name] = command.argv;
  const program = name === undefined || dynamic.includes(0) ? undefined : findProgram(name)[0];
  return defined({
    text: redactText(command.argv.slice(0, mostWords).map(quoted).join(" ")),
    argv,
    dynamic: dynamic.filter((at) => at < mostWords),
    risk,
    network,
    reads: reads.slice(0, mostPaths).map((path) => shown(path, "read")),
    writes: writes.slice(0, mostPaths).map((path) => shown(path, "write")),
    globs: [...globs].slice(0, mostPaths),
    via: [...via],
    beyond,
    unknownPaths,
    program,
  });
}

function quoted(word: string): string {
  return /^[\w@%+=:,./$*?~{}[\]-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

const order: readonly CommandRisk[] = ["read", "write", "execute", "opaque"];

function highest(judged: readonly CommandJudgement[], hasUnread: boolean): CommandRisk {
  if (hasUnread) return "opaque";
  return order[Math.max(0, ...judged.map(({ risk }) => order.indexOf(risk)))] ?? "opaque";
}
