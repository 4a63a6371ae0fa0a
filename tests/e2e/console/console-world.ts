/** A real `toolgate serve` with its store, agents that call it, and a real browser that looks at it. */
import type { ChildProcess } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { vi } from "vitest";
import type { Right } from "../../../src/core/ports/tokens.ts";
import { createFileTokens } from "../../../src/stores/files/file-tokens.ts";
import { giveToken } from "../../../src/surfaces/http/tokens/give-token.ts";
import type { CallOutcome } from "../../../src/surfaces/rest/contract.ts";
import { ask } from "../../raw-http.ts";
import { type CliWorld, createCliWorld, ended } from "../cli-process.ts";
import { openBrowser } from "./browser.ts";

export interface ConsoleWorld {
  readonly cli: CliWorld;
  readonly browser: Browser;
  readonly url: string;
  /** A link that is good once, as `toolgate console` makes it. */
  link(options?: { readonly admin?: boolean }): Promise<string>;
  token(name: string, rights: readonly Right[]): Promise<string>;
  /** A call of an agent; it resolves when the call has ended. */
  call(tool: string, input: object, sessionId?: string): Promise<CallOutcome>;
  /** A call of an agent that a rule asks about; resolves when it waits for a person. */
  ask(tool: string, input: object, sessionId?: string): Promise<WaitingCall>;
  waiting(): Promise<readonly { readonly id: string }[]>;
  request(path: string, body?: unknown): Promise<{ readonly status: number; readonly json: unknown }>;
  /** A page that has come in by a link, and what its policy had to stop. */
  enter(options?: EnterOptions): Promise<Entered>;
  restart(): Promise<void>;
  stop(): Promise<void>;
  close(): Promise<void>;
}

export interface WaitingCall {
  readonly id: string;
  /** How it ended; undefined: the server was gone. */
  readonly end: Promise<CallOutcome | undefined>;
}

export interface EnterOptions {
  readonly admin?: boolean;
  readonly view?: string;
  readonly width?: number;
  readonly height?: number;
  readonly dark?: boolean;
}

export interface Entered {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What the page's policy refused, and errors that nobody caught. */
  readonly problems: string[];
}

export const consoleRules = `
tools: { enabled_categories: [editing, shell, search] }
policies:
  shell-asks:
    tools: shell.exec
    action: ask
    reason: Commands need a person.
    tests:
      - { desc: asks about a push, input: { tool_name: shell.exec, tool_input: { command: git push } }, expect: ask }
  edits-ask:
    tools: fs.write
    action: ask
    reason: Writing needs a person.
  reads-pass:
    tools: "fs.*"
    action: approve
    conditions:
      - { type: risk, operator: equals, value: read }
routes:
  no-forced-push:
    tool: Bash
    pattern: "git push.*--force"
    message: Open a pull request instead.
limits:
  not-too-many: { tools: "*", per: caller, max: 100000, windowMs: 60000 }
server: { limits: { max_per_minute: 1000000 } }
`;

export async function startConsoleWorld(
  config = consoleRules,
  env: NodeJS.ProcessEnv = {},
): Promise<ConsoleWorld> {
  const cli = createCliWorld();
  const file = join(cli.folder, "home", ".config", "toolgate", "config.yaml");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, config);
  writeFileSync(join(cli.project, "notes.txt"), "one\ntwo\nthree\n");
  const browser = await openBrowser();
  let server = await startServer(cli, "0", env);
  const { url } = server;
  const given = new Map<string, string>();
  const token = async (name: string, rights: readonly Right[]) => {
    const known = given.get(name);
    if (known !== undefined) return known;
    const made = await giveToken(createFileTokens(server.stateFolder), { name, rights });
    given.set(name, made.token);
    return made.token;
  };
  const send = async (path: string, bearer: string, body?: unknown) => {
    const { status, text } = await ask(`${url}${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status, json: text === "" ? undefined : (JSON.parse(text) as unknown) };
  };
  const link = async ({ admin = false }: { readonly admin?: boolean } = {}) => {
    const { out, err } = await cli.run(["console", "--json", ...(admin ? ["--admin"] : [])]);
    const found = JSON.parse(out || "{}") as { readonly url?: string };
    if (found.url === undefined) throw new Error(err || out);
    return found.url;
  };
  const world: ConsoleWorld = {
    cli,
    browser,
    url,
    link,
    token,
    async call(tool, input, sessionId) {
      const { json } = await send(`/api/tools/${tool}/call`, await token("agent-7", ["call", "read"]), {
        input,
        ...(sessionId !== undefined && { sessionId }),
      });
      return json as CallOutcome;
    },
    async ask(tool, input, sessionId) {
      const known = new Set((await world.waiting()).map(({ id }) => id));
      let ended: CallOutcome | undefined;
      const end = world.call(tool, input, sessionId).then(
        (outcome) => {
          ended = outcome;
          return outcome;
        },
        () => undefined,
      );
      const id = await vi.waitFor(
        async () => {
          const found = (await world.waiting()).find((one) => !known.has(one.id));
          if (found === undefined) throw new Error(`${tool} does not wait: ${JSON.stringify(ended)}`);
          return found.id;
        },
        { timeout: 30_000, interval: 20 },
      );
      return { id, end };
    },
    async waiting() {
      const { json } = await send("/api/approvals", await token("watcher", ["read"]));
      return (json as { readonly approvals: readonly { readonly id: string }[] }).approvals;
    },
    request: async (path, body) => send(path, await token("operator", ["read", "approve", "admin"]), body),
    async enter({ admin = false, view = "", width = 1280, height = 800, dark = false } = {}) {
      const context = await browser.newContext({
        viewport: { width, height },
        locale: "en-GB",
        colorScheme: dark ? "dark" : "light",
        reducedMotion: "reduce",
      });
      context.setDefaultTimeout(30_000);
      const page = await context.newPage();
      const problems: string[] = [];
      page.on("pageerror", (error) => problems.push(String(error)));
      page.on("console", (message) => {
        if (/Content Security Policy|Trusted ?Type|violat/i.test(message.text()))
          problems.push(message.text());
      });
      await page.goto(await link({ admin }));
      await page.getByRole("navigation", { name: "Views" }).waitFor();
      if (view !== "") await page.goto(`${url}/#/${view}`);
      return { page, context, problems };
    },
    async restart() {
      await server.stop();
      server = await startServer(cli, new URL(url).port, env);
    },
    stop: () => server.stop(),
    async close() {
      await browser.close();
      await server.stop();
      cli.close();
    },
  };
  return world;
}

interface RunningServer {
  readonly url: string;
  readonly stateFolder: string;
  stop(): Promise<void>;
}

async function startServer(cli: CliWorld, port: string, env: NodeJS.ProcessEnv): Promise<RunningServer> {
  const child: ChildProcess = cli.start(["serve", "--port", port, "--json"], [], env);
  const over = ended(child);
  const { url, tokenFile } = await new Promise<{ url: string; tokenFile: string }>((resolve, reject) => {
    child.stdout?.once("data", (line: string) => resolve(JSON.parse(line)));
    void over.then(({ err }) => reject(new Error(err)));
  });
  return {
    url,
    stateFolder: dirname(tokenFile),
    async stop() {
      child.kill("SIGKILL");
      await over;
    },
  };
}
