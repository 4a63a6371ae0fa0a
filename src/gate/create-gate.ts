/** The only place where the parts of a gate are wired together. */
import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import type { Caller } from "../core/call/call.ts";
import { Events } from "../core/call/event.ts";
import { isCommandHook } from "../core/call/hook.ts";
import { Deadlines } from "../core/run/deadlines.ts";
import { quietly } from "../core/run/quietly.ts";
import { Categories, type CategoryChange } from "../core/tool/categories.ts";
import type { Layer } from "../pipeline/layers/layer.ts";
import { Plans } from "../pipeline/plans.ts";
import { CallLocks } from "../pipeline/run/call-locks.ts";
import { compileHidden } from "../rules/hidden-tools.ts";
import type { Policy } from "../rules/policies.ts";
import type { RuleSet, Rules } from "../rules/rule-set.ts";
import { createCommandHooks } from "../safe/command-hook/command-hooks.ts";
import { expandGlob } from "../safe/files/expand-glob.ts";
import { createFindBelow } from "../safe/files/find-below.ts";
import { createLocatePath } from "../safe/files/locate-path.ts";
import { createNearOwn } from "../safe/files/near-own.ts";
import { lookAtRepository } from "../safe/files/repository/look-at-repository.ts";
import { createFileSpill } from "../safe/files/spill.ts";
import { programFiles } from "../safe/process/program-files.ts";
import { testAll } from "../safe/regex/safe-regex.ts";
import { takeFitting } from "../safe/schema/flat-schema.ts";
import { takeJson } from "../safe/schema/json-guard.ts";
import { compileSchema } from "../safe/schema/standard-schema.ts";
import { judgeCommand } from "../shell/judge.ts";
import { createMemoryApprovals } from "../stores/memory/memory-approvals.ts";
import { createMemoryGrants } from "../stores/memory/memory-grants.ts";
import { createMemoryLedger } from "../stores/memory/memory-ledger.ts";
import { createMemoryLimits } from "../stores/memory/memory-limits.ts";
import { createMemoryModes } from "../stores/memory/memory-modes.ts";
import { createMemoryTasks } from "../stores/memory/memory-tasks.ts";
import { deskOfGate } from "../stores/port/desk-of-gate.ts";
import { hashInput } from "../stores/port/hash-input.ts";
import { createCategoryNotes } from "./category-notes.ts";
import { Gate, type GateWiring } from "./gate.ts";
import { checkOptions, checkRules, type GateOptions } from "./gate-options.ts";
import { Tools } from "./gate-tools.ts";
import { loadRules, type RulesRequest } from "./load-rules.ts";
import { createSystemClock, createSystemIds } from "./system.ts";

export function createGate(options: GateOptions = {}): Promise<Gate> {
  return createGateOf((request) => loadRules(options, request), options);
}

/** What comes with the tools that a gate is made for. */
export interface GateExtras {
  /** Of the tools: they stay when other rules are set. */
  readonly policies?: readonly Policy[] | undefined;
  /** After the last call has ended: closes the tools. Asked each time the gate is closed. */
  readonly onClosed?: (() => Promise<void>) | undefined;
}

/** For whoever has compiled the rules already. */
export async function createGateOf(
  load: (request: RulesRequest) => Promise<RuleSet>,
  options: GateOptions,
  extras: GateExtras = {},
): Promise<Gate> {
  checkOptions(options);
  const { store, approvalDesk: desk = store?.approvals } = options;
  const clock = options.clock ?? createSystemClock();
  const statePaths = Object.freeze([...(options.statePaths ?? [])]);
  const { programPaths = [] } = options;
  const events = new Events();
  const { id, capabilities, rights }: Caller = options.defaultCaller ?? { id: "local", capabilities: ["*"] };
  const defaultCaller = Object.freeze({
    id,
    capabilities: Object.freeze([...capabilities]),
    ...(rights && { rights: Object.freeze([...rights]) }),
  });
  // Nobody listens while the gate is being made.
  let announce = () => {};
  let noteChange: (change: CategoryChange) => void = () => {};
  const categories = new Categories((change) => {
    announce();
    noteChange(change);
  }, options.categories);
  const roots = (options.roots ?? [process.cwd()]).map(realRoot);
  const commands = createCommandHooks({
    projectDir: roots[0] ?? process.cwd(),
    maxConcurrent: options.hookConcurrency,
  });
  const isHidden = compileHidden(options.hidden ?? []);
  const plans: Plans<RuleSet> = new Plans(() => tools, await load({ version: 1, categories, commands }));
  const tools: Tools = new Tools(
    { categories, plans, defaultCaller, takeJson, isHidden },
    compileSchema,
    () => {
      plans.forget();
      announce();
    },
  );
  categories.choose(options.enable ?? {});
  for (const tool of options.tools ?? []) tools.register(tool);
  announce = () => events.emit("tools-change", { count: tools.count });

  const ledger = options.ledger ?? store?.ledger ?? createMemoryLedger();
  const notes = createCategoryNotes(ledger, clock, id);
  // Before the first call: what categories let it do is on record.
  await notes.started(categories);
  noteChange = notes.changed;

  const judge = options.judgeCommand ?? judgeCommand;
  const { agentDialect: dialect = "bash" } = options;
  const judges = {
    judgeCommand: judge,
    locatePath:
      options.locatePath ??
      createLocatePath({ statePaths, secretPaths: options.secretPaths ?? [], programPaths }),
    expandGlob,
    findBelow: createFindBelow({ statePaths }),
    lookAtRepository,
  };
  const tasks = store?.tasks ?? createMemoryTasks();
  const layers: Layer[] = [];
  let lastChange: Promise<void> = Promise.resolve();
  let closed = false;
  const parts: GateWiring["parts"] = {
    registry: tools,
    categories,
    isHidden,
    events,
    clock,
    ids: options.ids ?? createSystemIds(),
    ledger,
    limits: options.limitStore ?? store?.limits ?? createMemoryLimits(),
    tasks,
    desk:
      desk === undefined
        ? createMemoryApprovals({ clock, hashInput, ...options.approvals })
        : deskOfGate(desk),
    grants: options.grantStore ?? store?.grants ?? createMemoryGrants(clock.now),
    approver: options.approver === "desk" ? undefined : options.approver,
    attended: options.approver === "desk",
    approvalTimeoutMs: options.approvals?.timeoutMs ?? 600_000,
    spill: options.spill ?? createFileSpill({ ...(store && { clean: store.redactText }) }),
    judges,
    agentJudges: { ...judges, judgeCommand: (line, context) => judge(line, { ...context, dialect }) },
    nearOwn: createNearOwn({ statePaths, programPaths }),
    findProgramFiles: programFiles,
    takeJson,
    takeFitting,
    testAllPatterns: testAll,
    locks: new CallLocks(),
    deadlines: new Deadlines(clock),
    layers,
    services: options.services ?? {},
    defaultCaller,
    statePaths,
    roots,
    home: homedir(),
    defaultTimeoutMs: options.defaultTimeoutMs ?? 60_000,
    maxOutputBytes: options.maxOutputBytes ?? 64 * 1024,
    checkDefault: options.checkDefault ?? "abstain",
    isClosed: () => closed,
  };
  return new Gate({
    parts,
    plans,
    tools,
    categories,
    events,
    modes: store?.modes ?? createMemoryModes(),
    tasks,
    layers,
    replaceRules: (next) => {
      // One after the other: of two changes the later one must stay, however long the first takes to load.
      const replacing = lastChange.then(async () => {
        checkRules(next);
        const rules = withPolicies(next, extras.policies ?? []);
        const compiled = await loadRules(rules, { version: plans.rules.version + 1, categories, commands });
        plans.setRules(compiled);
        commands.keepOnly((next.hooks ?? []).filter(isCommandHook));
        return compiled.version;
      });
      lastChange = replacing.then(ignore, ignore);
      return replacing;
    },
    onClose: () => {
      closed = true;
    },
    onClosed: async () => {
      await notes.recorded().catch(ignore);
      await commands.close();
      await extras.onClosed?.();
    },
    recorded: notes.recorded,
  });
}

function ignore(): void {}

/** A policy of the tools counts as they wrote it, whoever uses its name. */
function withPolicies(rules: Rules, policies: readonly Policy[]): Rules {
  if (policies.length === 0) return rules;
  const names = new Set(policies.map(({ name }) => name));
  const others = (rules.policies ?? []).filter(({ name }) => !names.has(name));
  return { ...rules, policies: [...others, ...policies] };
}

/** Links are followed once: rules and calls then speak of the same places. */
function realRoot(root: string): string {
  return quietly(() => realpathSync(resolve(root))) ?? resolve(root);
}
