/** A gate of the configuration with all its tools: built-in, of plugins and of upstream servers. */
/// <reference lib="esnext.disposable" preserve="true" />
import { realpathSync } from "node:fs";
import { join, sep } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Environment } from "../config/folders.ts";
import { messageOf, ToolgateError } from "../core/call/errors.ts";
import { quietly } from "../core/run/quietly.ts";
import { chooseSandbox } from "../core/tool/sandbox-rules.ts";
import type { AnyTool } from "../core/tool/tool.ts";
import type { Gate } from "../gate/gate.ts";
import {
  type BuiltinOptions,
  type BuiltinTools,
  createBuiltinTools,
} from "../sources/builtin/builtin-tools.ts";
import { openSqliteSupport } from "../sources/builtin/customer-support/sqlite/sqlite-store.ts";
import type { Questioner, Spawner } from "../sources/builtin/task/ports.ts";
import { listSkills, type SkillList } from "../sources/builtin/task/skill/skill-folders.ts";
import { createKnownSearchBackend } from "../sources/builtin/web/search/known-services.ts";
import { type FirstSight, firstSightNote } from "../sources/upstream/pins/accepted-note.ts";
import type { LivePlugins } from "./create-plugins.ts";
import { type GateRequest, type OpenConfig, openGate } from "./open-config.ts";
import { openPlugins } from "./open-plugins.ts";
import { openStore, openStoreParts, type Store } from "./open-store.ts";
import {
  type OpenUpstreams,
  openUpstreams,
  promptsOf,
  resourcesOf,
  type UpstreamsMode,
} from "./open-upstreams.ts";
import type { StoreThread } from "./start-store-thread.ts";
import { storeOf } from "./store/find-store.ts";

const longestFirstLookMs = 10_000;
const shellTool = { id: "shell.exec", category: "shell" };
const checkerTool = { id: "code.diagnostics", category: "code" };

export interface OpenTools extends AsyncDisposable {
  readonly gate: Gate;
  /** Undefined unless it was asked for (`durable`). */
  readonly store: Store | undefined;
  /** What an earlier process left half done and this start undid. Wait for it before calling tools. */
  readonly recovered: BuiltinTools["recovered"];
  /** Loaded; what is wrong with their files is in `plugins.report`. */
  readonly plugins: LivePlugins;
  readonly upstreams: OpenUpstreams;
  /** What it was opened with. */
  readonly config: OpenConfig;
  /** Which skills `skill.load` has. */
  skills(signal: AbortSignal): Promise<SkillList["skills"]>;
  /** Puts rules and upstream servers of a newer configuration in force. Throws if one cannot be used. */
  setRules(config: OpenConfig): Promise<number>;
  /** A session is over: ends its background processes and its browser. */
  readonly endSession: BuiltinTools["endSession"];
  /** From now on task.spawn starts sub-tasks: sessions are opened after the tools that they use. */
  runSubTasks(spawner: Spawner): void;
  /** Ends running calls and background processes, closes databases. */
  close(): Promise<void>;
}

export interface ToolsRequest extends Omit<GateRequest, "policies" | "store" | "onClosed"> {
  /** Keeps records, questions, grants and counts in the state folder. False: only for a look at the tools. */
  readonly durable: boolean;
  /** One that was started before. */
  readonly storeThread?: StoreThread | undefined;
  /** Who answers what task.ask asks. Nobody: it says so. */
  readonly questioner?: Questioner | undefined;
  /** Who runs the sub-tasks of task.spawn. Nobody: it says so, until `runSubTasks` names somebody. */
  readonly spawner?: Spawner | undefined;
  /** Where the key of a search service is read from. Default: the environment of this process. */
  readonly env?: Environment | undefined;
  /** Which built-in tools there are. Default: all; `false`: none. */
  readonly builtin?: ((tool: AnyTool) => boolean) | false;
  /** Closing the gate closes its tools, too: for a program that has only the gate in its hand. */
  readonly closeWithGate?: boolean;
  /** Only these plugin files, as if they were the user's, instead of those of the folders. */
  readonly pluginFiles?: readonly string[];
  /** Default: `first-sight` where calls are recorded, else `known`. */
  readonly upstreams?: UpstreamsMode;
  /** What upstream servers want to be known, for the person who runs this. */
  readonly note?: (text: string) => void;
  /** Upstream servers that were seen for the first time. By default that is recorded in the store. */
  readonly onFirstSight?: (seen: FirstSight) => void;
}

/** Rejects with a StoreError if the store cannot be used: nothing runs without a record. */
export async function openTools(config: OpenConfig, request: ToolsRequest): Promise<OpenTools> {
  const {
    durable,
    storeThread,
    questioner,
    env,
    pluginFiles,
    upstreams: mode,
    note,
    onFirstSight = recordFirstSight,
    builtin: wanted = () => true,
    closeWithGate = false,
    spawner,
    ...gateRequest
  } = request;
  const { state } = config.folders;
  let subTasks = spawner;
  const place = storeOf(config, { stateFolder: state, env: env ?? process.env });
  const parts = openStoreParts(place);
  const opening = durable
    ? openStore({ ...place, ...config.settings.ledger, ...(note && { onAnchor: note }) }, storeThread)
    : undefined;
  // Its thread starts while the tools are made; whether it could be opened is asked below.
  opening?.catch(() => {});
  const { webSearch, webAllowPrivate, webBrowser } = config.settings;
  const search = webSearch && createKnownSearchBackend({ ...webSearch, ...(env && { env }) });
  // Of the newest configuration, also for tools that are there already.
  let { sandbox: sandboxRules = [] } = config.settings;
  const ports: BuiltinOptions = {
    editing: { stateFolder: state },
    shell: {
      hidden: [state],
      sandbox: () => chooseSandbox(sandboxRules, shellTool),
      ...(note && { onNote: note }),
    },
    code: { hidden: [state], sandbox: () => chooseSandbox(sandboxRules, checkerTool, "preferred").mode },
    web: { ...(search && { search }), ...(webAllowPrivate && { allowPrivate: webAllowPrivate }) },
    browser: { ...webBrowser },
    task: {
      skillFolders: () => skillFolders(config),
      ...(questioner && { questioner }),
      spawner: () => subTasks,
    },
    support: { open: () => openSqliteSupport(supportFile(state)) },
    mcp: {
      resources: resourcesOf(() => upstreams?.upstreams),
      prompts: promptsOf(() => upstreams?.upstreams),
    },
    gate: gateOfTools,
  };
  const builtin = wanted === false ? noBuiltinTools : createBuiltinTools(ports);
  let store: Store | undefined;
  let gate: Gate | undefined;
  let plugins: LivePlugins | undefined;
  let upstreams: OpenUpstreams | undefined;
  let closingTools: Promise<void> | undefined;
  const closeTools = () => {
    closingTools ??= (async () => {
      await plugins?.close();
      await upstreams?.close();
      await builtin.close();
      await parts[Symbol.asyncDispose]();
      await store?.close();
    })();
    return closingTools;
  };
  const close = async () => {
    await plugins?.close();
    await gate?.close();
    await closeTools();
  };
  try {
    store = await opening;
    const opened = await openGate(config, {
      ...gateRequest,
      store,
      policies: builtin.policies,
      ...(closeWithGate && { onClosed: closeTools }),
    });
    gate = opened;
    for (const tool of builtin.tools)
      if (wanted !== false && wanted(tool)) opened.tools.register(tool, { kind: "builtin" });
    plugins = openPlugins(config, opened.tools, {
      only: pluginFiles,
      sandbox: (tool) => chooseSandbox(sandboxRules, tool),
    });
    await plugins.reload();
    const connected = await openUpstreams(config, {
      host: opened.tools,
      pins: (store ?? parts).pins,
      mode: mode ?? (durable ? "first-sight" : "known"),
      env: env ?? config.request.env,
      note,
      onFirstSight,
    });
    upstreams = connected;
    // A server that nobody has ever reached must not hold up every command; it goes on in the background.
    if (mode !== "live")
      await Promise.race([connected.firstLook, sleep(longestFirstLookMs, undefined, { ref: false })]);
    const setRules = async (next: OpenConfig) => {
      const version = await opened.setRules(next.rules);
      sandboxRules = next.settings.sandbox ?? [];
      await connected.configure(next);
      return version;
    };
    return {
      gate: opened,
      store,
      plugins,
      upstreams: connected,
      config,
      skills: async (signal) => (await listSkills(skillFolders(config), signal)).skills,
      recovered: builtin.recovered,
      setRules,
      endSession: builtin.endSession,
      runSubTasks: (next) => {
        subTasks = next;
      },
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }

  function recordFirstSight(seen: FirstSight): void {
    const { code, message, about } = firstSightNote(seen);
    const told = { at: Date.now(), code, caller: "toolgate", surface: "upstreams", about };
    const { ledger = store?.ledger ?? request.given?.store?.ledger } = request.given ?? {};
    const noting = async () => ledger?.note?.({ ...told, message: `toolgate ${message}` });
    noting().catch((error: unknown) =>
      note?.(`The ledger has no note about ${seen.server}: ${messageOf(error)}`),
    );
  }

  /** Tools ask for it when they run, and they run through it. */
  function gateOfTools(): Gate {
    if (gate === undefined) throw new ToolgateError("The gate that holds the tools is not open yet.");
    return gate;
  }
}

const noBuiltinTools: BuiltinTools = {
  tools: [],
  policies: [],
  recovered: Promise.resolve([]),
  endSession: async () => {},
  close: async () => {},
};

/** The user's skills first. A project's are text of the repository, and lie in it, whatever a link says. */
function skillFolders({ folders, projectDir }: OpenConfig): readonly string[] {
  const root = realFolder(projectDir);
  const ofProject = [".claude/skills", ".toolgate/skills"].flatMap((name) => {
    const folder = realFolder(join(projectDir, name));
    return folder !== undefined && root !== undefined && folder.startsWith(root + sep) ? [folder] : [];
  });
  return [realFolder(join(folders.config, "skills")) ?? [], ofProject].flat();
}

function realFolder(folder: string): string | undefined {
  return quietly(() => realpathSync(folder));
}

/** Where the support tools keep users, tenants and tickets. */
export function supportFile(stateFolder: string): string {
  return join(stateFolder, "support.sqlite");
}
