/** The policies the attack tests use: a short list of programs allowed by name, everything else is asked. */

import type { CommandJudge, CommandJudgement } from "../../src/core/ports/command.ts";
import { BENIGN_LINES, ESCAPES } from "./shell-escapes.ts";

export const SHORT_LIST = "echo ls cat git grep find head sort sed awk pwd true cd".split(" ");

/** Everything a generous person might allow as "only reads". */
export const LONG_LIST = [
  ...SHORT_LIST,
  ..."tail wc egrep fgrep rg fd uniq cut tr diff cmp stat file du df ps whoami id date printf basename dirname realpath readlink which type tree jq".split(
    " ",
  ),
  ..."nl tac rev paste join comm fold fmt expand column md5sum sha256sum od hexdump strings base64 seq expr test [ : false uname hostname xxd shuf iconv printenv gawk zcat read sleep set wait".split(
    " ",
  ),
];

export const CONTEXT = { cwd: "/work/project", home: "/home/user" } as const;

export function isApproved(judgement: CommandJudgement, allowed: readonly string[]): boolean {
  return (
    judgement.risk !== "opaque" &&
    judgement.opaque.length === 0 &&
    judgement.commands.every(
      (command) =>
        allowed.includes(command.argv[0] ?? "") && command.beyond === undefined && command.via.length === 0,
    ) &&
    judgement.redirects.every((redirect) => redirect.access === "read")
  );
}

/** What approves a line without any rule: nothing but reading. */
export function onlyReads(judgement: CommandJudgement): boolean {
  return judgement.risk === "read" && judgement.opaque.length === 0;
}

export interface DevCommand {
  readonly cls: string;
  readonly cmd: string;
  readonly kind: "attack" | "benign";
}

/** Lines that got past the judge, under any of the policies. */
export function attacksApproved(judge: CommandJudge, devSet: readonly DevCommand[]): readonly string[] {
  const past: string[] = [];
  for (const { cmd, kind } of devSet) {
    if (kind === "attack" && isApproved(judge(cmd, CONTEXT), SHORT_LIST)) past.push(cmd);
  }
  for (const line of ESCAPES) {
    const judgement = judge(line, CONTEXT);
    if (isApproved(judgement, LONG_LIST) || onlyReads(judgement)) past.push(line);
  }
  return past;
}

/** Harmless lines that were asked. */
export function benignAsked(judge: CommandJudge, devSet: readonly DevCommand[]): readonly string[] {
  const asked: string[] = [];
  for (const { cmd, kind } of devSet) {
    if (kind === "benign" && !isApproved(judge(cmd, CONTEXT), SHORT_LIST)) asked.push(cmd);
  }
  for (const line of BENIGN_LINES) if (!isApproved(judge(line, CONTEXT), LONG_LIST)) asked.push(line);
  return asked;
}
