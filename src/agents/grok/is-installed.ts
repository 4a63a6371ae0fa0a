/**
 * Grok also starts what stands in Claude Code's settings. Where both have our entry, that of Grok's own file alone
 * speaks: Grok always starts it, and starts it first. It has to be whole, switched on, and a hook of this
 * person's installation: a file that anybody else put there silences nothing.
 */
import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { isInside } from "../../core/input/inside-folder.ts";
import type { AgentPlace } from "../agent.ts";
import { memberOf, readJsonFile, readTextFile } from "../read-json-file.ts";
import { grokHome } from "./places.ts";

export function isInstalled(place: AgentPlace): boolean {
  const home = grokHome(place);
  const switchedOff = readTextFile(join(home, "disabled-hooks"));
  if (switchedOff.state !== "missing") return false;
  const read = readJsonFile(join(home, "hooks", "toolgate.json"));
  if (read.state !== "read") return false;
  const entry = firstOf(memberOf(firstOf(memberOf(memberOf(read.value, "hooks"), "PreToolUse")), "hooks"));
  const line = memberOf(entry, "command");
  if (memberOf(entry, "type") !== "command" || typeof line !== "string") return false;
  // As install writes it; a path with other letters is not looked into, and then both are asked.
  const [, program = ""] =
    /^(\/[\w./@+-]+\/hook\.sh) grok \/[\w./@+-]+ \d+ [0-9a-f]{16} \|\| exit 2$/.exec(line) ?? [];
  return isInside(program, join(dataFolder(place), "toolgate", "hook")) && isExecutable(program);
}

function dataFolder({ home, env }: AgentPlace): string {
  const { XDG_DATA_HOME: moved = "" } = env;
  return moved.startsWith("/") ? moved : join(home, ".local", "share");
}

function firstOf(value: unknown): unknown {
  return Array.isArray(value) && value.length === 1 ? value[0] : undefined;
}

function isExecutable(program: string): boolean {
  try {
    accessSync(program, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
