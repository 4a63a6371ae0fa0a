/** The plugins as they are installed: the file that the build made, with values, loaded as an agent loads it. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { pluginFile } from "../../../../src/agents/in-process/plugin-file.ts";
import type { EditedText } from "../../../../src/agents/set-up/file-part.ts";

let built: Record<string, string>;

beforeAll(async () => {
  const script = new URL("../../../../scripts/build-plugins.mjs", import.meta.url).href;
  const { buildPlugins } = (await import(script)) as { buildPlugins(): Promise<Record<string, string>> };
  built = await buildPlugins();
});

/** Stands for the hook: says what came, and answers by a word in the call. */
const standIn = (deny = '{ deny: "Not this." }', change = '{ input: INPUT, context: "Remember." }') => `
const { createInterface } = require("node:readline");
const { appendFileSync } = require("node:fs");
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, call } = JSON.parse(line);
  appendFileSync(__filename + ".log", call + "\\n");
  const say = (exitCode, stdout) => console.log(JSON.stringify({ id, exitCode, stdout: stdout && JSON.stringify(stdout), stderr: "" }));
  if (call.includes("die-now")) process.exit(1);
  else if (/"tool_result"|PostToolUse/.test(call)) say(0, ${change.replace("INPUT", "undefined")});
  else if (call.includes("not-this")) say(2, ${deny});
  else if (call.includes("change-me")) say(0, ${change.replace("INPUT", '{ command: "changed" }')});
  else say(0, "");
});
`;

interface Installed {
  readonly module: Record<string, unknown>;
  /** What the hook was asked. */
  calls(): Record<string, unknown>[];
}

async function install(agent: string, hook: string): Promise<Installed> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolgate plugin's ")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "plugins.json"), JSON.stringify(built));
  mkdirSync(join(folder, "copy"));
  const program = join(folder, "copy", "hook.cjs");
  writeFileSync(program, hook);
  // Agents take `.js` for a module; Node needs the name.
  const file = join(folder, "toolgate.mjs");
  const put: EditedText = pluginFile(agent, file, agent, folder).put(undefined, {
    program: { path: join(folder, "copy", "hook.sh") },
    node: process.execPath,
  });
  if (!put.ok) throw new Error(put.message);
  writeFileSync(file, put.text ?? "");
  return {
    module: (await import(pathToFileURL(file).href)) as Record<string, unknown>,
    calls: () =>
      readFileSync(`${program}.log`, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}

describe("every plugin", () => {
  it("imports nothing but parts of Node, and exports one thing", () => {
    expect(Object.keys(built).sort()).toEqual(["cline", "opencode", "pi"]);
    for (const [name, text] of Object.entries(built)) {
      const imports = [...text.matchAll(/\bfrom "([^"]+)"|\bimport\(|\brequire\(/g)].map(([, from]) => from);
      expect(
        imports.filter((from) => from?.startsWith("node:") !== true),
        name,
      ).toEqual([]);
      expect(text.match(/^export /gm), name).toHaveLength(1);
      expect(Buffer.byteLength(text), name).toBeLessThan(16_000);
    }
  });
});

describe("the plugin of OpenCode and Kilo", () => {
  type Hook = (input: object, output: object) => Promise<void>;

  async function start() {
    const { module, calls } = await install("opencode", standIn());
    const logged: object[] = [];
    const client = {
      app: { log: async (entry: object) => void logged.push(entry) },
      session: { abort: async () => {} },
    };
    const make = module.toolgate as (place: object) => Promise<Record<string, Hook>>;
    const hooks = await make({ directory: "/project", client });
    const askFor = async (command: string) => {
      const output = { args: { command } };
      await hooks["tool.execute.before"]?.({ tool: "bash", sessionID: "s", callID: "c" }, output);
      return output.args;
    };
    return { hooks, askFor, calls };
  }

  it("throws the reason of a denial, and leaves other calls alone", async () => {
    const { askFor, calls } = await start();
    await expect(askFor("not-this")).rejects.toThrow("Not this.");
    expect(await askFor("ls")).toEqual({ command: "ls" });
    const call = { event: "PreToolUse", tool: "bash", input: { command: "ls" }, session: "s", call: "c" };
    expect(calls()).toContainEqual({ cwd: "/project", ...call });
  });

  it("changes the very object that the agent will use, and tells with its result what was said before", async () => {
    const { askFor, hooks } = await start();
    expect(await askFor("change-me")).toEqual({ command: "changed" });
    const result = { title: "", output: "done", metadata: {} };
    await hooks["tool.execute.after"]?.({ tool: "bash", sessionID: "s", callID: "c", args: {} }, result);
    expect(result.output).toBe("done\n\nRemember.\n\nRemember.");
  });

  it("denies while the hook dies, and works again afterwards", async () => {
    const { askFor } = await start();
    await expect(askFor("die-now")).rejects.toThrow("could not be checked");
    expect(await askFor("ls")).toEqual({ command: "ls" });
  });

  it("says which servers there are, and which session works for another", async () => {
    const { hooks, calls } = await start();
    await (hooks.config as unknown as (config: object) => void)({ mcp: { store: {}, other: {} } });
    const created = { type: "session.created", properties: { info: { id: "child", parentID: "s" } } };
    await (hooks.event as unknown as (event: object) => void)({ event: created });
    await hooks["tool.execute.before"]?.(
      { tool: "store_drop", sessionID: "child", callID: "c" },
      { args: {} },
    );
    expect(calls()).toContainEqual(
      expect.objectContaining({ tool: "store_drop", agent: "child", servers: ["store", "other"] }),
    );
  });
});

describe("the extension of pi", () => {
  type Handler = (event: object, context: object) => Promise<unknown>;

  async function start() {
    const { module } = await install("pi", standIn());
    const handlers: Record<string, Handler> = {};
    (module.default as (pi: object) => void)({
      on: (name: string, handler: Handler) => {
        handlers[name] = handler;
      },
    });
    const sessionManager = { getSessionId: () => "s" };
    const context = { cwd: "/project", hasUI: false, sessionManager, abort: () => {} };
    return (name: string, event: object) => handlers[name]?.(event, context);
  }

  it("blocks with the reason, changes the input in place, and adds to the result", async () => {
    const fire = await start();
    const call = (command: string) => ({ toolName: "bash", toolCallId: "c", input: { command } });
    expect(await fire("tool_call", call("not-this"))).toEqual({ block: true, reason: "Not this." });
    expect(await fire("tool_call", call("ls"))).toBeUndefined();
    const changed = call("change-me");
    expect(await fire("tool_call", changed)).toBeUndefined();
    expect(changed.input).toEqual({ command: "changed" });
    const content = [{ type: "text", text: "done" }];
    expect(await fire("tool_result", { ...changed, content, isError: false })).toEqual({
      content: [...content, { type: "text", text: "Remember.\n\nRemember." }],
    });
    expect(await fire("tool_call", call("die-now"))).toMatchObject({ block: true });
  });
});

describe("the plugin of Cline", () => {
  interface Plugin {
    setup(api: object, context: object): void;
    readonly hooks: Readonly<Record<string, (context: object) => Promise<object | undefined>>>;
  }

  async function start() {
    const { module } = await install(
      "cline",
      standIn(
        '{ cancel: true, errorMessage: "Not this." }',
        '{ overrideInput: INPUT, contextModification: "Remember." }',
      ),
    );
    const plugin = module.default as Plugin;
    plugin.setup({}, { workspaceInfo: { rootPath: "/project" } });
    const context = (command: string) => ({
      snapshot: { agentId: "a", parentAgentId: null, conversationId: "s" },
      toolCall: { toolCallId: "c", toolName: "run_commands" },
      input: { commands: [command] },
    });
    const askFor = (command: string) => plugin.hooks.beforeTool?.(context(command));
    // It answers within two seconds, and a busy machine may need longer to start a process.
    await expect.poll(() => askFor("echo"), { timeout: 20_000 }).toEqual({});
    return {
      askFor,
      tellOf: (command: string) =>
        plugin.hooks.afterTool?.({ ...context(command), result: { output: "x" }, durationMs: 1 }),
    };
  }

  it("skips with the reason, changes the input, and adds to the conversation", async () => {
    const { askFor, tellOf } = await start();
    expect(await askFor("not-this")).toEqual({ skip: true, reason: "Not this." });
    expect(await askFor("ls")).toEqual({});
    expect(await askFor("change-me")).toEqual({ input: { command: "changed" }, appendContext: "Remember." });
    expect(await tellOf("ls")).toEqual({ appendContext: "Remember." });
  });

  it("never throws: what it cannot ask is skipped, and what it cannot tell is nothing", async () => {
    const { askFor, tellOf } = await start();
    expect(await askFor("die-now")).toMatchObject({
      skip: true,
      reason: expect.stringContaining("could not be checked"),
    });
    expect(await tellOf("die-now")).toEqual({});
  });
});
