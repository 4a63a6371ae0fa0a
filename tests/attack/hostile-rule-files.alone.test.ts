/** A real `toolgate serve` and the worst repositories: whoever else calls it does not notice, and nothing of what a link leads to is said. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { byTier } from "../tier.ts";
import { hostileFiles, secretParts, secretText } from "./hostile-rule-files.ts";

const cli = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
const slowestMs = 100;
const mostGrowthMb = 100;

interface Measured {
  /** Of honest calls just before, while no hostile repository was there: what the machine does by itself. */
  readonly aloneP99: number;
  /** On a machine that others use: of the same calls at the same time to a server that no stranger uses. */
  readonly besideP99: number;
  readonly p99: number;
  readonly growthMb: number;
}

/** Alone it is 5 ms on a quiet machine; on one that others use, everything takes longer, and the bar moves with it. */
function isFine({ aloneP99, besideP99, p99, growthMb }: Measured): boolean {
  return p99 < slowestMs + 2 * Math.max(aloneP99, besideP99) && growthMb < mostGrowthMb;
}

/** Others use the machine, too: what it did a second ago says nothing about what it does now. */
function isShared(): boolean {
  return (loadavg()[0] ?? 0) > 2 * availableParallelism();
}

interface Served {
  readonly child: ChildProcess;
  readonly url: string;
  readonly token: string;
}

describe("a server that strangers' repositories use", () => {
  let base: string;
  let served: Served;
  let beside: Served;
  let told = "";

  beforeAll(async () => {
    base = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-hostile-")));
    for (const folder of ["home/.ssh", "honest/.git"]) mkdirSync(join(base, folder), { recursive: true });
    writeFileSync(join(base, "home/.ssh/id"), secretText, { mode: 0o600 });
    writeFileSync(
      join(base, "honest/toolgate.yaml"),
      "routes:\n  no-push: {tool: Bash, pattern: 'git push', message: Ask first.}\n",
    );
    served = await serve(join(base, "home"));
    beside = await serve(join(base, "home-beside"));
    for (let count = 0; count < 50; count++)
      for (const one of [served, beside]) await ask(one, "honest", "ls");
  });

  afterAll(async () => {
    for (const { child } of [served, beside]) {
      const exit = once(child, "exit");
      child.kill("SIGKILL");
      await exit;
    }
    rmSync(base, { recursive: true, force: true });
  });

  async function serve(home: string): Promise<Served> {
    mkdirSync(join(home, ".config/toolgate"), { recursive: true });
    writeFileSync(
      join(home, ".config/toolgate/config.yaml"),
      "server: {limits: {max_per_minute: 1000000, max_in_flight: 1000}}\n",
    );
    const child = spawn(process.execPath, [cli, "serve", "--port", "0", "--json"], {
      cwd: home,
      env: { PATH: process.env.PATH, HOME: home },
      stdio: ["ignore", "pipe", "pipe"],
    });
    child.stderr?.on("data", (text) => {
      told += String(text);
    });
    const [said] = (await once(child.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
    const { url } = JSON.parse(said.toString()) as { url: string };
    return { child, url, token: readFileSync(join(home, ".local/state/toolgate/token"), "utf8").trim() };
  }

  /** What the agent is answered. */
  async function ask(
    { url, token }: Served,
    project: string,
    command: string,
    event = "PreToolUse",
  ): Promise<string> {
    const response = await fetch(`${url}/api/hook/claude-code`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({
        hook_event_name: event,
        session_id: project,
        tool_use_id: `${project}-${command.length}`,
        cwd: join(base, project),
        tool_name: "Bash",
        tool_input: { command },
        ...(event === "PostToolUse" && { tool_response: "done" }),
      }),
    });
    return await response.text();
  }

  /** Of the server and of all processes below it; what they share counts once. */
  function usedMb(pid = served.child.pid as number): number {
    try {
      const own =
        Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1]) / 1024;
      const below = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
        .trim()
        .split(" ")
        .filter(Boolean);
      return below.reduce((sum, one) => sum + usedMb(Number(one)), own);
    } catch {
      // It has ended meanwhile.
      return 0;
    }
  }

  /** Calls of an honest project, one every ten milliseconds, until the others are done. */
  async function honestTimes(
    to: Served,
    until: Promise<unknown>,
    least = byTier(100, 300),
  ): Promise<number[]> {
    const times: number[] = [];
    const running: Promise<void>[] = [];
    let isOver = false;
    void until.finally(() => {
      isOver = true;
    });
    while (!isOver || times.length < least) {
      const began = performance.now();
      running.push(
        ask(to, "honest", times.length % 2 === 0 ? "ls" : "git push").then(() => {
          times.push(performance.now() - began);
        }),
      );
      await sleep(10);
    }
    await Promise.all(running);
    return times.sort((a, b) => a - b);
  }

  /** While the hostile project asks, before and after its calls. */
  async function measure(project: string, answers: string[]): Promise<Measured> {
    const aloneP99 = p99Of(await honestTimes(served, Promise.resolve(), byTier(50, 100)));
    const before = usedMb();
    let most = before;
    const watch = setInterval(() => {
      most = Math.max(most, usedMb());
    }, 20);
    const hostile = (async () => {
      for (const command of ["ls", "ab".repeat(1_900), `${"a".repeat(3_900)}!`, "ls"]) {
        answers.push(await ask(served, project, command));
        answers.push(await ask(served, project, command, "PostToolUse"));
      }
    })();
    const [times, besideTimes] = await Promise.all([
      honestTimes(served, hostile),
      isShared() ? honestTimes(beside, hostile) : [0],
    ]);
    await hostile;
    clearInterval(watch);
    return { aloneP99, besideP99: p99Of(besideTimes), p99: p99Of(times), growthMb: most - before };
  }

  function p99Of(sorted: readonly number[]): number {
    return sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
  }

  it.each(hostileFiles.map((one, index) => ({ ...one, index })))(
    "$what: nobody else waits, little memory is taken, and nothing is given away",
    async ({ put, index }) => {
      const answers: string[] = [];
      const tries: Measured[] = [];
      // A busy machine delays one call in a hundred by itself: then it is measured again, with a repository that is new to the server.
      for (let round = 0; round < 2 && !tries.some(isFine); round++) {
        const project = `hostile-${index}-${round}`;
        mkdirSync(join(base, project, ".git"), { recursive: true });
        put(join(base, project), join(base, "home/.ssh/id"));
        tries.push(await measure(project, answers));
        rmSync(join(base, project), { recursive: true, force: true });
      }
      expect(tries).toContainEqual(expect.toSatisfy(isFine));
      const { url, token } = served;
      const ledger = await (
        await fetch(`${url}/api/ledger?limit=200`, { headers: { authorization: `Bearer ${token}` } })
      ).text();
      for (const part of secretParts) {
        expect(answers.join("\n")).not.toContain(part);
        expect(ledger).not.toContain(part);
        expect(told).not.toContain(part);
      }
      // Strict, and its people are told; or rules that can be used.
      expect(answers[0]).toMatch(/^\{\}$|cannot be used|is ignored/);
    },
  );
});
