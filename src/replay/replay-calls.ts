/** Recorded calls judged again by other rules. Nothing runs, nobody is asked, nothing is recorded. */
import type { Unsure } from "../core/call/call.ts";
import type { Explanation, Verdict } from "../core/call/outcome.ts";
import { isJsonObject, type JsonObject } from "../core/input/json.ts";
import type { LedgerEntry, LedgerFilter, LedgerReader } from "../core/ports/ledger-reader.ts";
import type { OpenConfig } from "../open/open-config.ts";
import type { OpenTools } from "../open/open-tools.ts";
import { openForReplay, ProjectGates, type ReplayTools } from "./project-gates.ts";
import { isIncomplete, recordedProject, recordedUnsure, recordedVerdict } from "./recorded-call.ts";

export interface ReplayedChange {
  readonly entry: LedgerEntry;
  readonly before: Verdict;
  readonly now: Explanation;
}

export interface Replay {
  readonly calls: number;
  /** The order of the records. */
  readonly changes: readonly ReplayedChange[];
  readonly leftOut: {
    /** Stopped by a limit, or because the tool was switched off: no rule to be played again. */
    readonly limited: number;
    /** Of another project than the one whose rules these are. */
    readonly elsewhere: number;
    /** Calls of tools that are not here, such as those of a program that uses the library. */
    readonly noTool: number;
  };
  /** Some of the input was taken out before it was recorded; rules see the mark instead. */
  readonly incomplete: number;
}

export interface ReplayOptions {
  readonly filter?: LedgerFilter;
  /** Only calls of the configuration's own project: its rules mean nothing elsewhere. */
  readonly onlyProject: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: (calls: number) => void;
  readonly tools?: ReplayTools;
}

const pageSize = 500;

export async function replayCalls(
  ledger: Pick<LedgerReader, "query">,
  config: OpenConfig,
  { filter = {}, onlyProject, signal, onProgress, tools }: ReplayOptions,
): Promise<Replay> {
  const gates = new ProjectGates((projectDir) => openForReplay(config, projectDir, tools));
  const changes: ReplayedChange[] = [];
  const leftOut = { limited: 0, elsewhere: 0, noTool: 0 };
  let calls = 0;
  let incomplete = 0;
  try {
    let after: number | undefined;
    do {
      const page = await ledger.query(
        { ...filter, kinds: ["completion"] },
        { limit: pageSize, order: "oldest", after },
      );
      for (const entry of page.entries) {
        signal?.throwIfAborted();
        const before = recordedVerdict(entry.body);
        if (before === undefined) {
          leftOut.limited++;
          continue;
        }
        const project = recordedProject(entry.body, config);
        if (onlyProject && project !== config.projectDir) {
          leftOut.elsewhere++;
          continue;
        }
        const gate = await gates.of(project);
        const now =
          gate &&
          (await explain(gate, entry.body, config.settings.asking?.unsure ?? recordedUnsure(entry.body)));
        if (now === undefined) {
          leftOut.noTool++;
          continue;
        }
        calls++;
        if (isIncomplete(entry.body)) incomplete++;
        if (now.verdict !== before) changes.push({ entry, before, now });
      }
      onProgress?.(calls);
      after = page.next;
    } while (after !== undefined);
    return { calls, changes, leftOut, incomplete };
  } finally {
    await gates.close();
  }
}

/** Undefined: the tool is not here, so nothing can be said. */
async function explain(
  { gate }: OpenTools,
  body: JsonObject,
  unsure: Unsure,
): Promise<Explanation | undefined> {
  const { askedFor, tool: meant, input, sessionId, toolUseId, cwd, mode, caller, kind } = body;
  const tool = String(askedFor ?? meant);
  const as = kind === "call" ? "call" : "check";
  if (as === "call" && !gate.tools.has(tool) && body.code !== "unknown_tool") return undefined;
  return gate.explain(
    {
      tool,
      input: input !== undefined && isJsonObject(input) ? input : {},
      ...(typeof sessionId === "string" && { sessionId }),
      ...(typeof toolUseId === "string" && { toolUseId }),
      ...(typeof cwd === "string" && { cwd }),
      unsure,
      ...(mode === "plan" && { mode: "plan" as const }),
      ...(typeof caller === "string" && { caller: { id: caller, capabilities: ["*"] } }),
    },
    { as },
  );
}
