/** What a call holds and would touch, for a person who decides. Nothing is decided, run, asked or recorded. */

import { Stop } from "../core/call/errors.ts";
import type { CommandJudgement } from "../core/ports/command.ts";
import type { Location } from "../core/ports/location.ts";
import { findAgentsTool } from "../core/tool/known-tools.ts";
import type { Permission } from "../core/tool/permission.ts";
import type { DecidingParts } from "../pipeline/parts.ts";
import { valuesOf } from "../pipeline/stages/derived-values.ts";
import { resolve } from "../pipeline/stages/resolve.ts";
import { incomingCall } from "./incoming-call.ts";

export interface LookRequest {
  readonly tool: string;
  readonly input: unknown;
  /** Where relative paths begin. Default: the first root. */
  readonly cwd?: string | undefined;
  /** The workspace, which may be that of another project. Default: the gate's. */
  readonly roots?: readonly string[] | undefined;
  /** What the agent itself calls the tool. */
  readonly agentTool?: string | undefined;
}

export interface LookedAtCall {
  /** The tool's id. */
  readonly tool: string;
  readonly permission: Permission;
  /** False: neither a tool of the gate nor one that an agent is known to have. */
  readonly isKnown: boolean;
  /** The command lines in it, each taken apart. */
  readonly lines: readonly { readonly line: string; readonly judged: CommandJudgement | undefined }[];
  readonly paths: readonly string[];
  readonly urls: readonly string[];
  /** Roles in which the input holds something that nobody can read. */
  readonly unreadable: readonly string[];
  readonly cwd: string;
  readonly roots: readonly string[];
  readonly locate: (path: string, access: "read" | "write") => Location;
  /** Which files a program's name means now. */
  readonly findProgram: (name: string) => readonly string[];
  readonly statePaths: readonly string[];
}

/** Undefined: there is no such tool, or the input is none. */
export function lookAtCall(request: LookRequest, parts: DecidingParts): LookedAtCall | undefined {
  const { roots = parts.roots, cwd = roots[0] ?? "/", agentTool } = request;
  const asked = { tool: agentTool ?? request.tool, input: request.input };
  const call = resolve(incomingCall(asked, { kind: "check", dry: true, surface: "look" }, parts), parts);
  if (call instanceof Stop) return undefined;
  const { planned, registered, input } = call;
  call.args = input;
  const values = valuesOf(call);
  const { judgeCommand, locatePath } = registered === undefined ? parts.agentJudges : parts.judges;
  const context = {
    cwd,
    ...(parts.home !== undefined && { home: parts.home }),
    ...(planned.language !== undefined && { shell: planned.language }),
  };
  const fixed = values?.fixed === undefined ? [] : [values.fixed.command];
  return {
    tool: planned.id,
    permission: planned.permission,
    isKnown: registered !== undefined || findAgentsTool(asked.tool) !== undefined,
    lines: [...(values?.command ?? []), ...fixed].map((line) => ({
      line,
      judged: judgeCommand?.(line, context),
    })),
    paths: values?.path ?? [],
    urls: values?.url ?? [],
    unreadable: values?.unreadable ?? [],
    cwd,
    roots,
    locate: (path, access) => locatePath(path, { cwd, roots, access }),
    findProgram: (name) => parts.findProgramFiles(name, [cwd]),
    statePaths: parts.statePaths,
  };
}
