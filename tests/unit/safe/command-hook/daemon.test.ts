import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type CommandHook, createGate, type Gate } from "../../../../src/index.ts";
import { isAlive, isGone } from "../../../attack/spawn-attacks.ts";
import { codeOf, tool } from "../../paper-gate.ts";

/** Does with each call what its parameter `do` says; writes a line for each start. */
const program = `
echo $$ >> starts
while read -r line; do
  id=\${line#*:}
  id=\${id%%,*}
  case $line in
    *'"do":"pass"'*) echo "{\\"id\\":$id}" ;;
    *'"do":"cancel"'*) echo "{\\"id\\":$id,\\"cancel\\":true,\\"errorMessage\\":\\"not this one\\"}" ;;
    *'"do":"change"'*) echo "{\\"id\\":$id,\\"modifiedParams\\":{\\"do\\":\\"pass\\"}}" ;;
    *'"do":"keep"'*) kept=$id ;;
    *'"do":"release"'*)
      echo "{\\"id\\":$id,\\"contextModification\\":\\"second\\"}"
      echo "{\\"id\\":$kept,\\"contextModification\\":\\"first\\"}" ;;
    *'"do":"die"'*) exit 7 ;;
    *'"do":"chat"'*) echo loading; echo more >&2; echo "{\\"id\\":$id,\\"contextModification\\":\\"said\\"}" ;;
    *'"do":"twice"'*) echo "{\\"id\\":$id}"; echo "{\\"id\\":$id,\\"cancel\\":true}" ;;
    *'"do":"deny"'*)
      echo "{\\"id\\":$id,\\"hookSpecificOutput\\":{\\"permissionDecision\\":\\"deny\\",\\"permissionDecisionReason\\":\\"their words\\"}}" ;;
  esac
done
`;

interface World {
  readonly folder: string;
  readonly hook: CommandHook;
  readonly gate: Gate;
  ask(what: string): ReturnType<Gate["dispatch"]>;
  starts(): number[];
}

async function createWorld(more: Partial<CommandHook> = {}): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), "toolgate-daemon-"));
  writeFileSync(join(folder, "daemon.sh"), program);
  const hook: CommandHook = {
    name: "stays",
    type: "PreToolUse",
    mode: "daemon",
    command: ["sh", "daemon.sh"],
    ...more,
  };
  const echo = tool({ roles: {}, run: (args: unknown) => args });
  const gate = await createGate({ tools: [echo], roots: [folder], hooks: [hook] });
  onTestFinished(async () => {
    await gate.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const file = join(folder, "starts");
  return {
    folder,
    hook,
    gate,
    ask: (what) => gate.dispatch({ tool: "x.run", input: { do: what } }),
    starts: () => (existsSync(file) ? readFileSync(file, "utf8").trim().split("\n").map(Number) : []),
  };
}

describe("a hook that stays", () => {
  it("is one process for all calls, and does everything that a hook does", async () => {
    const { ask, starts } = await createWorld();
    expect(codeOf(await ask("pass"))).toBe("ran");
    expect(await ask("cancel")).toMatchObject({ error: { code: "hook_cancelled", message: "not this one" } });
    expect(await ask("deny")).toMatchObject({ error: { code: "hook_cancelled", message: "their words" } });
    expect(await ask("change")).toMatchObject({ ok: true, value: { do: "pass" } });
    expect((await ask("chat")).contexts).toEqual(["said"]);
    expect(codeOf(await ask("twice"))).toBe("ran");
    expect(codeOf(await ask("pass"))).toBe("ran");
    expect(starts()).toHaveLength(1);
  });

  it("may answer in another order than it was asked", async () => {
    const { ask } = await createWorld();
    const first = ask("keep");
    const second = await ask("release");
    expect(second.contexts).toEqual(["second"]);
    expect((await first).contexts).toEqual(["first"]);
  });

  it("lives on when one call takes too long, and a late answer is nobody's", async () => {
    const { ask, starts } = await createWorld({ timeoutMs: 2_000 });
    expect(codeOf(await ask("pass"))).toBe("ran");
    expect(codeOf(await ask("keep"))).toBe("hook_failed");
    expect((await ask("release")).contexts).toEqual(["second"]);
    expect(codeOf(await ask("pass"))).toBe("ran");
    expect(starts()).toHaveLength(1);
  });

  it("is replaced when it no longer answers anybody", async () => {
    const { ask, starts } = await createWorld({ timeoutMs: 2_000 });
    await ask("pass");
    const silent = await Promise.all([ask("nothing"), ask("nothing"), ask("nothing")]);
    expect(silent.map(codeOf)).toEqual(["hook_failed", "hook_failed", "hook_failed"]);
    expect(codeOf(await ask("pass"))).toBe("ran");
    const [old = 0, next] = starts();
    expect(next).toBeDefined();
    expect(await isGone(old)).toBe(true);
  });

  it("is started again at once when it dies, and ever later when it keeps dying", async () => {
    const { ask, starts } = await createWorld();
    const [died, along] = await Promise.all([ask("die"), ask("nothing")]);
    expect(died).toMatchObject({ error: { message: expect.stringContaining("exited with code 7") } });
    expect(codeOf(along)).toBe("hook_failed");
    expect(codeOf(await ask("die"))).toBe("hook_failed");
    expect(starts()).toHaveLength(2);
    expect(await ask("pass")).toMatchObject({
      error: { message: expect.stringMatching(/code 7; it is started again in [\d.]+m?s/) },
    });
    expect(starts()).toHaveLength(2);
    await expect.poll(async () => codeOf(await ask("pass"))).toBe("ran");
    expect(starts()).toHaveLength(3);
  });

  it("stays when the rules are replaced and still name it, ends when they do not", async () => {
    const { gate, hook, ask, starts } = await createWorld();
    await ask("pass");
    await gate.setRules({ hooks: [hook], limits: [{ name: "many", max: 100, windowMs: 1_000 }] });
    await ask("pass");
    const [pid = 0] = starts();
    expect(starts()).toHaveLength(1);
    expect(isAlive(pid)).toBe(true);
    await gate.setRules({});
    expect(await isGone(pid)).toBe(true);
  });

  it("ends with the gate", async () => {
    const { gate, ask, starts } = await createWorld();
    await ask("pass");
    await gate.close();
    expect(starts().filter(isAlive)).toEqual([]);
  });
});

describe.skipIf(process.platform !== "linux")("a toolgate that is killed (needs Linux)", () => {
  it("leaves no daemon behind", async () => {
    const { folder } = await createWorld();
    writeFileSync(
      join(folder, "stay.sh"),
      "trap '' TERM HUP\necho $$ > pid.new; mv pid.new pid\nwhile :; do sleep 0.1; done\n",
    );
    const script = `
      import { createGate, defineTool } from ${JSON.stringify(resolve("src/index.ts"))};
      const gate = await createGate({
        tools: [defineTool({ id: "x.run", description: "x", permission: "read", input: { type: "object" }, run: () => 1 })],
        hooks: [{ name: "stays", type: "PreToolUse", mode: "daemon", command: ["sh", "stay.sh"] }],
        roots: [${JSON.stringify(folder)}],
      });
      await gate.dispatch({ tool: "x.run", input: {} });
    `;
    writeFileSync(join(folder, "gate.mts"), script);
    const gate = spawn(process.execPath, [join(folder, "gate.mts")], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    try {
      await expect.poll(() => existsSync(join(folder, "pid")), { timeout: 60_000 }).toBe(true);
      const pid = Number(readFileSync(join(folder, "pid"), "utf8"));
      expect(isAlive(pid)).toBe(true);
      gate.kill("SIGKILL");
      expect(await isGone(pid)).toBe(true);
    } finally {
      gate.kill("SIGKILL");
    }
  }, 90_000);
});
