/** Recorded calls judged again by rules that somebody pasted. Bounded in calls and time; nothing of it runs. */
import { setImmediate as turn } from "node:timers/promises";
import type { ConfigProblem } from "../../../config/config-problem.ts";
import { parseConfigFile } from "../../../config/file/parse-file.ts";
import { withTier } from "../../../config/load-config.ts";
import { defined } from "../../../core/input/defined.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../core/input/json.ts";
import type { LedgerEntry, LedgerFilter, LedgerReader } from "../../../core/ports/ledger-reader.ts";
import { compileConfigured } from "../../../open/compile-config.ts";
import type { OpenConfig } from "../../../open/open-config.ts";
import { replayCalls } from "../../../replay/replay-calls.ts";
import type { ReplayResult } from "../contract.ts";
import { summaryOf } from "../preview/summary.ts";

export interface PastedRules {
  readonly yaml: string;
  /** Besides the rules in force; one with the same name takes the place of the other. */
  readonly keep: boolean;
  readonly filter: LedgerFilter;
  readonly limit: number;
  readonly signal: AbortSignal;
}

const mostChanges = 500;
const longestMs = 20_000;
/** Others get their turn after so many calls: one with a long command line takes a while. */
const callsAtOnce = 1;
const pasted = "pasted.yaml";

export async function replayPasted(
  ledger: Pick<LedgerReader, "query">,
  current: OpenConfig,
  { yaml, keep, filter, limit, signal }: PastedRules,
): Promise<ReplayResult> {
  const read = await withRules(current, yaml, keep);
  if (!read.ok) return refused(read.problems);
  const entries = await newest(ledger, filter, limit);
  const deadline = performance.now() + longestMs;
  let stoppedEarly = false;
  // In the order in which they were made, and no longer than somebody waits.
  const pages: Pick<LedgerReader, "query"> = {
    async query(_filter, { after = 0 } = {}) {
      await turn();
      const at = after;
      stoppedEarly = performance.now() > deadline && at < entries.length;
      if (stoppedEarly) return { entries: [] };
      const next = at + callsAtOnce;
      const page = entries.slice(at, next);
      return next < entries.length ? { entries: page, next } : { entries: page };
    },
  };
  // Neither plugins nor upstream servers are started for it.
  const tools = { pluginFiles: [], upstreams: "known" as const };
  const { calls, changes, leftOut, incomplete } = await replayCalls(pages, read.config, {
    onlyProject: false,
    signal,
    tools,
  });
  return {
    ok: true,
    problems: [],
    calls,
    changed: changes.length,
    changes: changes.slice(-mostChanges).toReversed().map(toChange),
    leftOut,
    incomplete,
    stoppedEarly,
  };
}

type Read =
  | { readonly ok: true; readonly config: OpenConfig }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

async function withRules(current: OpenConfig, yaml: string, keep: boolean): Promise<Read> {
  const parsed = parseConfigFile(yaml, pasted, "config");
  if (!parsed.ok) return parsed;
  const given = withTier(parsed.file, "user");
  const { routes = [], policies = [] } = keep ? current.rules : {};
  const isReplaced = (all: readonly { readonly name: string }[]) => {
    const names = new Set(all.map(({ name }) => name));
    return ({ name }: { readonly name: string }) => !names.has(name);
  };
  const rules = {
    routes: [...given.routes, ...routes.filter(isReplaced(given.routes))],
    policies: [...given.policies, ...policies.filter(isReplaced(given.policies))],
    // What counts calls, or starts a program, has no place in a look at the past.
    limits: [],
    hooks: [],
  };
  // Whoever pasted it is trusted with reading, not with patterns that take for ever.
  const unvouched = { bounded: [pasted], discreet: [] };
  const compiled = await compileConfigured(rules, unvouched, current.settings.categories);
  if (!compiled.ok) return compiled;
  return { ok: true, config: { ...current, rules: { ...current.rules, ...rules }, compiled } };
}

async function newest(
  ledger: Pick<LedgerReader, "query">,
  filter: LedgerFilter,
  limit: number,
): Promise<LedgerEntry[]> {
  const found: LedgerEntry[] = [];
  let after: number | undefined;
  do {
    const page = await ledger.query(
      { ...filter, kinds: ["completion"] },
      { limit: Math.min(1_000, limit - found.length), after },
    );
    found.push(...page.entries);
    after = page.next;
  } while (after !== undefined && found.length < limit);
  return found.reverse();
}

type Change = Awaited<ReturnType<typeof replayCalls>>["changes"][number];

function toChange({ entry, before, now }: Change): ReplayResult["changes"][number] {
  const { seq, at, callId, tool = "", body } = entry;
  const { caller, input } = body;
  const shown = isJsonObject(input as Json) ? (input as JsonObject) : {};
  return defined({
    seq,
    at,
    callId,
    tool,
    caller: typeof caller === "string" ? caller : undefined,
    summary: summaryOf(tool, shown),
    before,
    now: now.verdict,
    rule: now.rule,
    message: now.message,
  });
}

function refused(problems: readonly ConfigProblem[]): ReplayResult {
  return {
    ok: false,
    problems: problems.map(({ line, column, message }) => defined({ line, column, message })),
    calls: 0,
    changed: 0,
    changes: [],
    leftOut: { limited: 0, elsewhere: 0, noTool: 0 },
    incomplete: 0,
    stoppedEarly: false,
  };
}
