/** Says what a command line would do without running it; what is not fully understood is opaque. */

import type { CommandContext, CommandJudge, CommandJudgement } from "../core/ports/command.ts";
import { JUDGE_PARTS, type JudgeParts } from "./judge-parts.ts";
import { settleLoops } from "./loops.ts";
import { parseLine } from "./parse.ts";
import { readScript } from "./statements.ts";
import { markOpaque, markUnread, RISKS, startWalk, type Walk } from "./walk.ts";
import { checkZshText } from "./words/zsh.ts";

export const judgeCommand: CommandJudge = createJudge(JUDGE_PARTS);

export function createJudge(parts: JudgeParts): CommandJudge {
  return (commandLine, context) => {
    const walk = startWalk(parts, context);
    try {
      judgeInto(walk, commandLine, context);
    } catch (error) {
      // Deep nesting overflows the stack in the parser or here; what was found so far stays for deny rules.
      markUnread(
        walk,
        `the line could not be judged (${error instanceof Error ? error.message : "unknown error"})`,
        "",
      );
    }
    return toJudgement(walk);
  };
}

function judgeInto(walk: Walk, commandLine: string, context: CommandContext): void {
  if (context.shell !== undefined && context.shell !== "bash") {
    markOpaque(walk, `lines for ${context.shell} are not read in advance`, String(commandLine));
    return;
  }
  if (walk.zsh && typeof commandLine === "string") checkZshText(walk, commandLine);
  const parsed = parseLine(commandLine);
  if (!parsed.ok) {
    markUnread(walk, parsed.reason, typeof commandLine === "string" ? commandLine : "");
    return;
  }
  walk.source = commandLine;
  readScript(walk, parsed.script);
  if (walk.trusted === undefined || walk.tainted === undefined) return;
  for (const name of walk.trusted) {
    if (walk.tainted.has(name))
      markOpaque(walk, "the shell evaluates the text of a variable that this line sets", name);
  }
}

function toJudgement(walk: Walk): CommandJudgement {
  settleLoops(walk);
  return {
    risk: RISKS[walk.risk] ?? "opaque",
    commands: walk.commands,
    redirects: walk.redirects,
    network: walk.network,
    opaque: walk.opaque,
    ...(walk.unread && UNREAD),
  };
}

const UNREAD = { unread: true } as const;
