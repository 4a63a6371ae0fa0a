/** A gate where a person is asked about everything, over a folder in which links can be swapped while they think. */
import { mkdirSync, readdirSync, readFileSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import type { ApprovalAnswer, ApprovalRequest } from "../../src/core/call/approval.ts";
import { createGate } from "../../src/gate/create-gate.ts";
import type { Gate } from "../../src/gate/gate.ts";
import type { GateOptions } from "../../src/gate/gate-options.ts";
import type { Outcome } from "../../src/index.ts";
import { createBuiltinTools } from "../../src/sources/builtin/builtin-tools.ts";
import type { ShellOptions } from "../../src/sources/builtin/shell/options.ts";
import type { PluginToolDefinition } from "../../src/sources/plugins/plugin-format.ts";
import { toolFromPlugin } from "../../src/sources/plugins/tool-from-plugin.ts";
import { texts } from "../unit/sources/plugins/handlers/plugin-gate.ts";
import type { PathWorld } from "./path-world.ts";
import { raceWorld } from "./race-world.ts";

export interface ApprovalWorld extends PathWorld {
  readonly gate: Gate;
  /** Another folder inside, with the same names in it. */
  readonly elsewhere: string;
  /** Of everything that is not where the calls were approved to act, inside and outside. */
  elsewhereState(): string;
  /** Asks, lets `meanwhile` happen, then says yes. */
  approveAfter(
    call: { readonly tool: string; readonly input: unknown; readonly sessionId?: string },
    meanwhile: (request: ApprovalRequest) => void | Promise<void>,
    answer?: Partial<ApprovalAnswer>,
  ): Promise<Outcome>;
}

export interface ApprovalWorldOptions {
  readonly shell?: ShellOptions;
  readonly gate?: GateOptions;
}

export async function approvalWorld(options: ApprovalWorldOptions = {}): Promise<ApprovalWorld> {
  const world = raceWorld();
  onTestFinished(() => world.remove());
  const { root, top } = world;
  const elsewhere = join(root, "elsewhere");
  mkdirSync(join(elsewhere, "low"), { recursive: true });
  for (const name of ["secret.txt", "file.txt", "low/secret.txt"])
    writeFileSync(join(elsewhere, name), `inside, but elsewhere: ${world.canary}`);
  // One of the doors leads out, the other to another place inside.
  unlinkSync(join(root, "deep/mid.link"));
  symlinkSync(elsewhere, join(root, "deep/mid.link"));
  const state = join(top, "state");
  const plugins = join(top, "plugins");
  for (const folder of [state, plugins]) mkdirSync(folder);
  const builtin = createBuiltinTools({
    editing: { stateFolder: state, durable: false },
    shell: options.shell ?? {},
  });
  const gate = await createGate({
    tools: [...builtin.tools, ...pluginTools(root, plugins, options.shell?.sandbox)],
    roots: [root],
    enable: { enableAll: true },
    policies: [{ name: "a person decides", tools: "*", action: "ask" }],
    approver: "desk",
    ...options.gate,
  });
  onTestFinished(async () => {
    await gate.close();
    await builtin.close();
  });
  const answerTo = async (callId: string) => {
    const find = async () => (await gate.approvals.pending()).find((request) => request.callId === callId);
    await expect.poll(find, { interval: 1 }).toBeDefined();
    return (await find()) as ApprovalRequest;
  };
  return {
    ...world,
    gate,
    elsewhere,
    elsewhereState: () => `${contents(world.outside)}\n${contents(elsewhere)}`,
    async approveAfter(call, meanwhile, answer = {}) {
      let callId = "";
      const stop = gate.events.on("call-start", (started) => {
        callId ||= started.callId;
      });
      const outcome = gate.dispatch({ ...call, surface: "test" });
      stop();
      const first = await Promise.race([outcome, answerTo(callId)]);
      if ("ok" in first) return first;
      await meanwhile(first);
      await gate.approvals.answer(first.id, { decision: "approve", by: "ann", ...answer });
      return outcome;
    },
  };
}

function contents(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return entry.isFile() ? `${path}: ${readFileSync(path, "utf8")}` : path;
    })
    .sort()
    .join("\n");
}

function pluginTools(root: string, folder: string, sandbox: ShellOptions["sandbox"]) {
  const definitions: Omit<PluginToolDefinition, "description">[] = [
    { name: "plugin.read", inputSchema: texts("path"), handler: { type: "file-read", basePath: root } },
    {
      name: "plugin.shell",
      inputSchema: texts("path"),
      handler: { type: "shell", command: "cp inside.txt {{path}}" },
    },
  ];
  const place = {
    file: join(folder, "p.json"),
    folder,
    trusted: true,
    allowPrivate: false,
    env: {},
    ...(typeof sandbox === "string" && { sandbox: () => ({ mode: sandbox, network: false }) }),
  };
  return definitions.map((definition) => {
    const made = toolFromPlugin({ description: "A tool of a test.", ...definition }, place);
    if (!made.ok) throw new Error(made.problems.map(({ message }) => message).join("\n"));
    return made.tool;
  });
}

/** Calls of each kind of tool that touch this path. */
export const callsOn: Readonly<Record<string, (path: string) => { tool: string; input: unknown }>> = {
  "fs.write": (path) => ({ tool: "fs.write", input: { path, content: "written" } }),
  "fs.edit": (path) => ({
    tool: "fs.edit",
    input: { path, old_string: "inside", new_string: "edited inside" },
  }),
  "fs.delete": (path) => ({ tool: "fs.delete", input: { path } }),
  "fs.apply_patch": (path) => ({
    tool: "fs.apply_patch",
    input: {
      patch: `*** Begin Patch\n*** Update File: ${path}\n@@\n-inside\n+patched inside\n*** End Patch`,
    },
  }),
  "fs.move": (path) => ({ tool: "fs.move", input: { from: path, to: `${path}.moved` } }),
  "fs.read": (path) => ({ tool: "fs.read", input: { path } }),
  "shell.exec": (path) => ({ tool: "shell.exec", input: { command: `cp inside.txt ${path}` } }),
  "plugin file-read": (path) => ({ tool: "plugin.read", input: { path } }),
  "plugin shell": (path) => ({ tool: "plugin.shell", input: { path } }),
};

/** The kinds that open files themselves, by handle; the others start programs, which open what they like. */
export const opensByHandle = [
  ..."write edit delete apply_patch move read".split(" ").map((name) => `fs.${name}`),
  "plugin file-read",
];
