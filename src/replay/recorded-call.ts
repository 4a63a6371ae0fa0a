/** What a record in the ledger says about the call, for whoever judges it again or learns from it. */
import { findProject } from "../config/find-project.ts";
import type { Unsure } from "../core/call/call.ts";
import type { Verdict } from "../core/call/outcome.ts";
import { isJsonObject, type JsonObject } from "../core/input/json.ts";
import type { OpenConfig } from "../open/open-config.ts";

/** What the rules said: a person's yes means that they asked, a tool's failure that they let it run. */
export function recordedVerdict({ verdict, stage, approval, code }: JsonObject): Verdict | undefined {
  if (stage === "limit" || (typeof code === "string" && switchedOff.has(code))) return undefined;
  if (stage === "approve" || approval !== undefined) return "ask";
  if (stage === "run" || stage === "after-hooks" || stage === "ledger") return "allow";
  return verdict as Verdict;
}

/** A policy that abstained was in doubt, and left the call to the agent's own prompt. */
export function recordedUnsure({ verdict, rule }: JsonObject): Unsure {
  const isDoubt = verdict === "abstain" && isJsonObject(rule) && rule.kind === "policy";
  return isDoubt ? "abstain" : "ask";
}

const switchedOff = new Set(["category_disabled", "above_ceiling", "missing_capability"]);

export function recordedProject({ cwd, project }: JsonObject, { projectDir, folders }: OpenConfig): string {
  if (typeof project === "string") return project;
  return typeof cwd === "string" ? findProject(cwd, folders.home).folder : projectDir;
}

/** Some of the input was taken out before it was recorded. */
export function isIncomplete({ input }: JsonObject): boolean {
  return /\[(?:redacted|cut)\b/.test(JSON.stringify(input ?? {}));
}
