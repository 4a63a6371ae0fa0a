/**
 * The real server with the real store and the built-in tools, and a gate that is as busy as it is told to be. A process of its
 * own; calls are made inside of it, because 5,000 requests a second would cost more than what is tested.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineTool } from "../../../src/index.ts";
import { openConfig } from "../../../src/open/open-config.ts";
import { openTools } from "../../../src/open/open-tools.ts";
import { makeConsoleLink } from "../../../src/surfaces/cli/commands/console/console.ts";
import { openTokenFile } from "../../../src/surfaces/http/tokens/owner-token.ts";
import { openServer } from "../../../src/surfaces/serve/open-server.ts";
import { chooseServer } from "../../../src/surfaces/serve/server-settings.ts";

/** What it did until it was stopped. */
export interface BusyReport {
  readonly calls: number;
  readonly refused: number;
  readonly questions: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
}

export type BusyOrder =
  | { readonly perSecond: number }
  /** So many calls, as fast as they go. */
  | { readonly calls: number }
  | "stop"
  | "link";

const folder = mkdtempSync(join(tmpdir(), "toolgate-busy-"));
const env = { HOME: folder, PATH: process.env.PATH };
const configFolder = join(folder, ".config", "toolgate");
mkdirSync(configFolder, { recursive: true });
writeFileSync(
  join(configFolder, "config.yaml"),
  `policies:
  odd-one-out: { tools: math.add, action: deny, reason: Not this one., conditions: [{ type: argument, field: a, operator: equals, value: 7 }] }
  asks: { tools: math.ask, action: ask, reason: Somebody has to look. }
`,
);
const project = join(folder, "project");
mkdirSync(project);
const config = await openConfig({ cwd: project, env });
const open = await openTools(config, { durable: true, approver: "desk" });
const { gate, store } = open;
if (store === undefined || config.problems.length > 0) throw new Error(JSON.stringify(config.problems));
for (const id of ["math.add", "math.ask"])
  gate.tools.register(
    defineTool({
      id,
      description: "Adds two numbers.",
      permission: "read",
      input: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } } },
      run: ({ a = 0, b = 0 }: { a?: number; b?: number }) => a + b,
    }),
  );
const server = await openServer({
  open: { ...open, store },
  config: { current: config, broken: [] },
  chosen: chooseServer({ port: 0 }),
  owner: openTokenFile(join(config.folders.state, "token"), { name: "owner" }),
  version: "test",
  env,
  tell: (message) => console.error(message),
});

const caller = { id: "agent-7", capabilities: ["*"] };
const done = { calls: 0, refused: 0, questions: 0 };
let stop = () => {};

/** Every 250th call is refused: twenty a second at 5,000. */
async function callOnce(number: number, by = caller): Promise<void> {
  const a = number % 250 === 249 ? 7 : 1;
  const { ok } = await gate.dispatch({ tool: "math.add", input: { a, b: number }, caller: by });
  done.calls += 1;
  if (!ok) done.refused += 1;
}

async function fill(calls: number): Promise<void> {
  let made = 0;
  const fillOne = async () => {
    // The oldest ones are somebody else's: whoever looks for them has to go through all the others.
    while (made < calls) await callOnce(made++, made <= 20 ? { ...caller, id: "agent-1" } : caller);
  };
  await Promise.all(Array.from({ length: 1_000 }, fillOne));
  process.send?.({ ...done, seconds: 0, cpuSeconds: 0 } satisfies BusyReport);
}

/** Once in five seconds a call asks, and waits. */
function work(perSecond: number): () => void {
  const [began, cpu] = [performance.now(), process.cpuUsage()];
  let made = 0;
  let running = 0;
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - began) * perSecond) / 1_000);
    // A gate that cannot keep up has calls waiting, not a memory full of them.
    while (made < due && running < 2_000) {
      running += 1;
      void callOnce(made++).then(() => {
        running -= 1;
      });
    }
  }, 10);
  const asking = setInterval(() => {
    done.questions += 1;
    void gate.dispatch({ tool: "math.ask", input: { a: done.questions }, caller });
  }, 5_000);
  return () => {
    clearInterval(timer);
    clearInterval(asking);
    const wait = setInterval(() => {
      if (running > 0) return;
      clearInterval(wait);
      const { user, system } = process.cpuUsage(cpu);
      const seconds = (performance.now() - began) / 1_000;
      process.send?.({ ...done, seconds, cpuSeconds: (user + system) / 1e6 } satisfies BusyReport);
    }, 20);
  };
}

process.on("message", (order: BusyOrder) => {
  if (order === "stop") return stop();
  if (order === "link")
    return process.send?.({ url: makeConsoleLink(config.folders.state, server.http.url, {}).url });
  if ("calls" in order) return void fill(order.calls);
  stop = work(order.perSecond);
});
process.on("disconnect", () => {
  rmSync(folder, { recursive: true, force: true });
  process.exit();
});
process.send?.({ url: server.http.url });
