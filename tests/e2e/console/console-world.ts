/** A real `toolgate serve` with its store, agents that call it, and a real browser that looks at it. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { expect, onTestFinished, vi } from "vitest";
import type { Right } from "../../../src/core/ports/tokens.ts";
import { createFileTokens } from "../../../src/stores/files/file-tokens.ts";
import { giveToken } from "../../../src/surfaces/http/tokens/give-token.ts";
import type { CallOutcome } from "../../../src/surfaces/rest/contract.ts";
import { ask } from "../../raw-http.ts";
import { type CliWorld, createCliWorld } from "../cli-process.ts";
import { openBrowser } from "./browser.ts";
import { consoleRules, prepareCliWorld, type RunningServer, startServer } from "./console-server.ts";

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
  /** A page that has come in by a link. */
  enter(options?: EnterOptions): Promise<Entered>;
  /** A page of its own; when the test ends it is closed, and its policy has had nothing to stop. */
  open(address: string, screen?: Screen): Promise<Entered>;
  /** Answers everything that waits. */
  denyAll(): Promise<void>;
  close(): Promise<void>;
}

export interface OwnConsoleWorld extends ConsoleWorld {
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface WaitingCall {
  readonly id: string;
  /** How it ended; undefined: the server was gone. */
  readonly end: Promise<CallOutcome | undefined>;
}

export interface Screen {
  readonly width?: number;
  readonly height?: number;
  readonly dark?: boolean;
}

/** How people look at a page. */
export const looks = [
  { look: "light", width: 1280, height: 800, dark: false },
  { look: "dark", width: 1280, height: 800, dark: true },
  { look: "phone", width: 390, height: 844, dark: false },
  { look: "phone-dark", width: 390, height: 844, dark: true },
] as const;

export interface EnterOptions extends Screen {
  readonly admin?: boolean;
  readonly view?: string;
}

export interface Entered {
  readonly page: Page;
  readonly context: BrowserContext;
}

/** The server that all files share, with nothing that waits. */
export async function openConsoleWorld(): Promise<ConsoleWorld> {
  const { folder, ...place } = JSON.parse(process.env.TOOLGATE_TEST_CONSOLE ?? "{}") as {
    readonly folder: string;
    readonly url: string;
    readonly stateFolder: string;
  };
  const world = await createConsoleWorld(createCliWorld({ folder }), place);
  await world.denyAll();
  return world;
}

/** A server with rules of its own, or one that is stopped. */
export async function startConsoleWorld(
  config = consoleRules,
  env: NodeJS.ProcessEnv = {},
): Promise<OwnConsoleWorld> {
  const cli = prepareCliWorld(config);
  let server = await startServer(cli, "0", env);
  const world = await createConsoleWorld(cli, server);
  return {
    ...world,
    async restart() {
      await server.stop();
      server = await startServer(cli, new URL(world.url).port, env);
    },
    stop: () => server.stop(),
    async close() {
      await world.close();
      await server.stop();
      cli.close();
    },
  };
}

async function createConsoleWorld(
  cli: CliWorld,
  { url, stateFolder }: Pick<RunningServer, "url" | "stateFolder">,
): Promise<ConsoleWorld> {
  const browser = await openBrowser();
  const given = new Map<string, string>();
  const token = async (name: string, rights: readonly Right[]) => {
    const known = given.get(name);
    if (known !== undefined) return known;
    const made = await giveToken(createFileTokens(stateFolder), {
      name,
      rights,
      replace: true,
    });
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
    async enter({ admin = false, view = "", ...screen } = {}) {
      const entered = await world.open(await link({ admin }), screen);
      await entered.page.getByRole("navigation", { name: "Views" }).waitFor();
      if (view !== "") await entered.page.goto(`${url}/#/${view}`);
      return entered;
    },
    async open(address, { width = 1280, height = 800, dark = false } = {}) {
      const context = await browser.newContext({
        viewport: { width, height },
        locale: "en-GB",
        colorScheme: dark ? "dark" : "light",
        reducedMotion: "reduce",
      });
      context.setDefaultTimeout(30_000);
      const page = await context.newPage();
      /** What the page's policy refused, and errors that nobody caught. */
      const problems: string[] = [];
      page.on("pageerror", (error) => problems.push(String(error)));
      page.on("console", (message) => {
        if (/Content Security Policy|Trusted ?Type|violat/i.test(message.text()))
          problems.push(message.text());
      });
      onTestFinished(async () => {
        await context.close();
        expect(problems).toEqual([]);
      });
      await page.goto(address);
      return { page, context };
    },
    async denyAll() {
      for (const { id } of await world.waiting())
        await world.request(`/api/approvals/${id}/answer`, { decision: "deny" });
    },
    close: () => browser.close(),
  };
  return world;
}
