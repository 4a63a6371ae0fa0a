import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, relative, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { ask } from "../raw-http.ts";
import { expectEnd, refuses, says } from "../unit/surfaces/cli/expect-end.ts";
import { type Packed, packPackage, runHookLine } from "./packed.ts";

let packed: Packed;
beforeAll(async () => {
  packed = await packPackage();
});
afterAll(() => packed.close());

const isType = (path: string) => path.endsWith(".d.ts");

function write(file: string, text: string): void {
  mkdirSync(join(packed.project, file, ".."), { recursive: true });
  writeFileSync(join(packed.project, file), text);
}

interface Link {
  readonly target: string;
  readonly found: boolean;
}

/** Of a page in `folder`, without those that lead elsewhere. */
function linksOf(folder: string, page: string): Link[] {
  const text = readFileSync(join(folder, page), "utf8").replaceAll(/^```.*?^```/gms, "");
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
  return links
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => {
      const [path = "", id] = link.split("#");
      const file = path === "" ? join(folder, page) : resolve(folder, page, "..", path);
      const isThere = existsSync(file) && !relative(folder, file).startsWith("..");
      const hasId = () => headingsOf(readFileSync(file, "utf8")).has(id ?? "");
      return { target: `${relative(folder, file)}#${id}`, found: isThere && (id === undefined || hasId()) };
    });
}

function headingsOf(text: string): Set<string> {
  const own = [...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = ""]) => id);
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, "")
      .replaceAll(" ", "-"),
  );
  return new Set([...own, ...headings]);
}

/** Its address, until the test is over. */
async function servePage(): Promise<string> {
  const server = createServer((_, response) => {
    response.setHeader("content-type", "text/html");
    response.end(page);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const page = "<html><body><main><h1>A heading</h1><p>Some text.</p></main></body></html>";

describe("the packed package", () => {
  // The console is six files and less than 1 MB of it; sessions and the browser are loaded late, in parts of their own.
  it("holds at most 80 files and 4.8 MB besides types", () => {
    const others = packed.files.filter(({ path }) => !isType(path));
    expect(others.length).toBeLessThanOrEqual(80);
    const bytes = others
      .filter(({ path }) => !path.endsWith(".wasm"))
      .reduce((sum, { size }) => sum + size, 0);
    expect(bytes).toBeLessThanOrEqual(4_800_000);
    expect(packed.files.filter(({ path }) => isType(path)).length).toBeLessThanOrEqual(10);
  });

  it("has pages whose links lead to files and headings that are in it", () => {
    const folder = join(packed.project, "node_modules/toolgate");
    const pages = packed.files.map(({ path }) => path).filter((path) => path.endsWith(".md"));
    expect(pages.sort()).toEqual(["README.md", "dist/docs.md"]);
    const links = pages.flatMap((page) => linksOf(folder, page));
    expect(links.filter(({ target }) => target.startsWith("dist/docs.md#")).length).toBeGreaterThan(10);
    expect(links.filter(({ found }) => !found)).toEqual([]);
  });

  it("has every page that its messages name", () => {
    const folder = join(packed.project, "node_modules/toolgate");
    const textOf = (path: string) => readFileSync(join(folder, path), "utf8");
    const code = packed.files.map(({ path }) => path).filter((path) => /\.(?:[cm]?js|json)$/.test(path));
    const named = new Set(code.flatMap((path) => textOf(path).match(/\bdocs\/[a-z0-9/-]+\.md\b/g) ?? []));
    expect(named).toContain("docs/sessions.md");
    const listed = textOf("dist/docs.md").matchAll(/^- \[.+\]\(#.+\): `(.+)`$/gm);
    const there = [...listed].map(([, page]) => page);
    expect([...named].filter((page) => !there.includes(page))).toEqual([]);
  });

  it("shows an error that nobody catches under its name", async () => {
    const broken = packed.node(`import { defineTool } from "toolgate"; defineTool({ id: "" });`);
    await expectEnd(broken, { code: 1, err: /^ToolgateError: /m });
  });

  it("is a library with a gate, tools, a store in its thread, and the parts for tests", async () => {
    const { out, err } = await packed.node(`
      import { createGate, defineTool, openStore, textResult } from "toolgate";
      import { createTestGate, createFakeClock } from "toolgate/testing";
      import * as contract from "toolgate/contract";
      import schema from "toolgate/schemas/toolgate.schema.json" with { type: "json" };
      const store = await openStore({ stateFolder: ${JSON.stringify(join(packed.home, "lib-state"))} });
      const tool = defineTool({ id: "test.say", description: "Says.", permission: "read", input: { type: "object" }, run: () => textResult("said") });
      const gate = await createGate({ tools: [tool], store });
      const outcome = await gate.call(tool, {});
      await gate.close(); await store.close();
      console.log(outcome.ok, typeof createTestGate, typeof createFakeClock, typeof schema, Object.keys(contract).length);
    `);
    expect(err).toBe("");
    expect(out).toBe("true function function object 0\n");
  });

  it("has types for programs without Node's types, also where they are checked themselves", () => {
    write(
      "consumer/main.ts",
      `
      import { createGate, defineTool, openStore } from "toolgate";
      import { createTestGate } from "toolgate/testing";
      import type { Tool } from "toolgate/contract";
      export const names = (tools: readonly Tool[]): string[] => tools.map(({ name }) => name);
      export { createGate, createTestGate, defineTool, openStore };
    `,
    );
    write(
      "consumer/tsconfig.json",
      JSON.stringify({
        compilerOptions: {
          target: "es2024",
          module: "nodenext",
          types: [],
          strict: true,
          skipLibCheck: false,
          noEmit: true,
        },
        files: ["main.ts"],
      }),
    );
    write("consumer/package.json", '{ "type": "module" }');
    const tsc = resolve(import.meta.dirname, "../../node_modules/typescript/bin/tsc");
    const project = join(packed.project, "consumer");
    const said = execFileSync(process.execPath, [tsc, "-p", project], { encoding: "utf8" });
    expect(said).toBe("");
  });

  it("runs commands, and finds definitions in a process of its own", async () => {
    write("a.ts", "export function findMe(): number {\n  return 1;\n}\n");
    const call = async (tool: string, input: object) => {
      const args = ["tools", "call", tool, JSON.stringify(input), "--enable-tools", "--yes"];
      const { out, err } = await packed.toolgate(args);
      return `${out}${err}`;
    };
    expect(await call("shell.exec", { command: "echo from-the-shell" })).toContain("from-the-shell");
    expect(await call("code.definitions", { path: "a.ts" })).toContain("findMe");
  });

  it("has beside its parts what they start by address", async () => {
    const folder = join(packed.project, "node_modules/toolgate/dist/lib");
    const names = readdirSync(folder).filter((name) => name.endsWith(".js"));
    const named = names.flatMap((name) =>
      [...readFileSync(join(folder, name), "utf8").matchAll(/"\.\/(beside-[\w-]+\.js)"/g)].map(
        ([, file]) => file,
      ),
    );
    expect(new Set(named).size).toBeGreaterThanOrEqual(4);
    for (const file of named) expect(names).toContain(file);
    for (const file of ["beside-read-page.js", "beside-strangers-process.js"]) {
      const { out } = await packed.node(
        `console.log(typeof (await import(${JSON.stringify(join(folder, file))})).run)`,
      );
      expect(out, file).toBe("function\n");
    }
  });

  it("calls tools of plugin files, which run commands and ask servers", async () => {
    const base = await servePage();
    const schema = { type: "object", properties: {} };
    const tools = [
      {
        name: "say_it",
        description: "Says it.",
        inputSchema: schema,
        handler: { type: "shell", command: "echo from-a-plugin" },
      },
      {
        name: "ask_it",
        description: "Asks.",
        inputSchema: schema,
        handler: { type: "http", url: `${base}/page`, method: "GET" },
      },
    ];
    const folder = join(packed.home, ".config/toolgate/tools");
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, "mine.json"),
      JSON.stringify({ name: "mine", version: "1.0.0", allowPrivate: true, tools }),
    );
    expect(await packed.toolgate(["tools", "call", "say_it", "{}", "--yes"])).toMatchObject({
      code: 0,
      out: "from-a-plugin\n",
    });
    expect((await packed.toolgate(["tools", "call", "ask_it", "{}", "--yes"])).out).toContain("A heading");
  });

  it("fetches no page of this machine, and reads pages as Markdown", async () => {
    const base = await servePage();
    const input = JSON.stringify({ url: `${base}/page` });
    await refuses(
      packed.toolgate([
        ...["tools", "call", "web.fetch", input],
        ...["--enable-tools", "--enable-tool-categories", "web", "--yes"],
      ]),
      "Only public addresses are fetched",
    );
    const file = join(packed.project, "node_modules/toolgate/dist/lib/beside-read-page.js");
    await says(
      packed.node(`
      const { run } = await import(${JSON.stringify(file)});
      const bytes = Buffer.from(${JSON.stringify(page)});
      const read = run({ bytes, contentType: "text/html", url: "https://example.org/", format: "markdown", raw: false });
      console.log(read.text);
    `),
      "# A heading",
    );
  });

  it("passes calls on to an MCP server that was added", async () => {
    const server = resolve(import.meta.dirname, "../scripted-mcp-server.ts");
    const script = join(packed.home, "definitions.json");
    const echo = {
      name: "echo",
      description: "Says it again.",
      inputSchema: { type: "object", properties: { text: { type: "string" } } },
    };
    writeFileSync(script, JSON.stringify({ tools: [echo] }));
    await says(
      packed.toolgate(["upstreams", "add", "notes", "--", process.execPath, server, script]),
      "1 tool can be called.",
    );
    const called = await packed.toolgate(["tools", "call", "notes__echo", '{"text":"hi"}', "--yes"]);
    expect(called.out).toBe('echo {"text":"hi"}\n');
    expect((await packed.toolgate(["upstreams", "remove", "notes"])).code).toBe(0);
  });

  it("serves its tools until it is told to end", async () => {
    const child = packed.start(["serve", "--port", "0", "--json"]);
    const over = once(child, "close");
    onTestFinished(() => void child.kill("SIGKILL"));
    const [line] = await once(child.stdout, "data");
    const { url, tokenFile } = JSON.parse(String(line));
    const authorization = `Bearer ${readFileSync(tokenFile, "utf8").trim()}`;
    const answer = await ask(`${url}/api/tools`, { headers: { authorization } });
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('"fs.read"');
    expect((await ask(`${url}/api/tools`)).status).toBe(401);
    child.kill("SIGTERM");
    expect(await over).toEqual([0, null]);
  });

  it("speaks MCP", async () => {
    const params = {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "t", version: "1" },
    };
    const asked = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params });
    const { out } = await packed.toolgate(["mcp"], `${asked}\n`);
    expect(JSON.parse(out.split("\n")[0] ?? "")).toMatchObject({ id: 1, result: { serverInfo: {} } });
  });
});

describe("a newcomer", () => {
  it("has a forced push blocked after install, without the package too, and no byte left after uninstall", async () => {
    const settings = join(packed.home, ".claude/settings.json");
    const files = () =>
      readdirSync(packed.home, { recursive: true, encoding: "utf8" }).filter((file) =>
        /^\.claude|^\.local\/share/.test(file),
      );
    write(
      "toolgate.yaml",
      'routes:\n  no-forced-push:\n    tool: Bash\n    pattern: "git push.*--force"\n    message: "Open a pull request."\n',
    );
    const before = files();
    expect((await packed.toolgate(["install", "claude-code"])).code).toBe(0);
    const { hooks } = JSON.parse(readFileSync(settings, "utf8"));
    const line = hooks.PreToolUse[0].hooks[0].command;
    const event = (command: string) => ({
      hook_event_name: "PreToolUse",
      session_id: "s",
      tool_use_id: "t",
      cwd: packed.project,
      tool_name: "Bash",
      tool_input: { command },
    });
    const push = () => runHookLine(line, event("git push --force"), packed);
    expect((await push()).out).toContain("Open a pull request.");
    await expectEnd(runHookLine(line, event("git status"), packed), { out: "" });
    // As good as deleted: nothing of the package is found any more.
    renameSync(join(packed.project, "node_modules"), join(packed.project, "gone"));
    try {
      expect((await push()).out).toContain("Open a pull request.");
    } finally {
      renameSync(join(packed.project, "gone"), join(packed.project, "node_modules"));
    }
    expect((await packed.toolgate(["uninstall", "claude-code"])).code).toBe(0);
    expect(existsSync(settings)).toBe(false);
    expect(files()).toEqual(before);
  });
});
