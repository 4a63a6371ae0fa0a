import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createProgress } from "../../../../../src/surfaces/cli/terminal/progress.ts";
import { goodFile, useCliWorld } from "../cli-world.ts";
import { expectEnd } from "../expect-end.ts";

const gone = "\r\u001b[K";

function shown(stderrIsTerminal: boolean, env: Record<string, string> = {}) {
  const stopping = new AbortController();
  let said = "";
  const err = (text: string) => {
    said += text;
  };
  const progress = createProgress({ stderrIsTerminal, env, err, signal: stopping.signal });
  return { progress, stopping, said: () => said };
}

describe("the line that tells how far work has come", () => {
  it("replaces itself and is gone at the end", () => {
    const { progress, said } = shown(true);
    progress.step("one");
    progress.step("two");
    progress[Symbol.dispose]();
    progress.step("too late");
    expect(said()).toBe(`${gone}one${gone}two${gone}`);
  });

  it("is gone the moment somebody presses Ctrl-C, and does not come back", () => {
    const { progress, stopping, said } = shown(true);
    progress.step("one");
    stopping.abort();
    progress.step("two");
    progress[Symbol.dispose]();
    expect(said()).toBe(`${gone}one${gone}`);
  });

  it("takes one line of the terminal, however narrow", () => {
    const { progress, said } = shown(true, { COLUMNS: "10" });
    progress.step("a text that is too long");
    expect(said()).toBe(`${gone}a text t…`);
  });

  it("counts a few times a second at most", () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const { progress, said } = shown(true);
    for (let count = 1; count <= 1_000; count++, vi.advanceTimersByTime(1)) progress.show(`${count}`);
    expect(said()).toBe([1, 201, 401, 601, 801].map((count) => `${gone}${count}`).join(""));
  });

  it.each([
    [false, {}],
    [true, { TERM: "dumb" }],
  ])("is not written where nobody can see it change (terminal: %j, %j)", (isTerminal, env) => {
    const { progress, said } = shown(isTerminal, env);
    progress.step("one");
    progress.show("two");
    progress[Symbol.dispose]();
    expect(said()).toBe("");
  });
});

describe("long commands", () => {
  const world = useCliWorld(async (world) => {
    world.file("toolgate.yaml", goodFile);
    await world.run("check Bash 'git status'");
  });

  it.each<[string[], string]>([
    [["audit", "verify"], "Reading the ledger"],
    [["audit", "export", "-o", "ledger.jsonl"], "1 line written"],
    [["replay"], "Reading the record of calls"],
    [["upstreams", "import", "claude", "--dry-run"], "Looking for MCP servers"],
  ])("%j shows it on standard error, and leaves nothing of it", async (argv, text) => {
    const { err, out } = await world.run(argv, { stderrIsTerminal: true });
    expect(err.startsWith(`${gone}${text}`)).toBe(true);
    expect(err.split(gone).at(-1)).not.toContain(text);
    expect(out).not.toContain("\u001b");
  });

  it("tell how much of an export is verified", async () => {
    await world.run("audit export -o ledger.jsonl");
    const { err } = await expectEnd(
      world.run("audit verify --file ledger.jsonl", { stderrIsTerminal: true }),
      { code: 1, out: "1 record (1 to 1)", err: /1 line, \d+ % of the file/ },
    );
    expect(err.endsWith(gone)).toBe(true);
  });

  it("say nothing of it to a program", async () => {
    for (const argv of [["audit", "verify"], ["replay"]])
      expect((await world.run(argv)).err).not.toContain("\r");
  });

  it("end without a word about the inside when they are interrupted, and leave no half of a file", async () => {
    const stopped = AbortSignal.abort();
    for (const argv of [
      ["audit", "verify"],
      ["audit", "export", "-o", "half.jsonl"],
      ["replay", "--since", "1d"],
    ]) {
      const { err, out } = await world.run(argv, { signal: stopped, stderrIsTerminal: true });
      expect(out).toBe("");
      expect(err.replaceAll(gone, "")).toBe("");
    }
    expect(existsSync(join(world.root, "half.jsonl"))).toBe(false);
  });
});
