/** The bundled hook with hooks of its own: what the agents start, starting programs. Needs `npm run build`. */
import { chmodSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bash } from "../hook-home.ts";
import { createProcessWorld, type ProcessWorld, verdictOf } from "./hook-process.ts";
import { isAlive, isGone } from "./spawn-attacks.ts";

let world: ProcessWorld;
let folder = "";

const config = `hooks:
  commands:
    words:
      type: PreToolUse
      toolPatterns: Bash
      command: ./words.sh
      timeoutMs: 1500
    stays:
      type: PreToolUse
      toolPatterns: WebFetch
      mode: daemon
      command: [sh, stays.sh]
    afterwards:
      type: PostToolUse
      toolPatterns: Bash
      wire: claude-code
      command: cat > after.json; echo '{"decision":"block","reason":"too late"}'; exit 2
    failures:
      type: OnError
      toolPatterns: Bash
      command: cat > failure.json
`;
const words = `read -r call
case $call in
  *hang*) echo $$ > hang.new; mv hang.new hang.pid; trap '' TERM; while :; do sleep 0.1; done ;;
  *child*) setsid sh -c 'echo $$ > child.new; mv child.new child.pid; trap "" TERM; while :; do sleep 0.1; done' & while [ ! -e child.pid ]; do sleep 0.01; done ;;
  *crash*) exit 1 ;;
  *rewrite*) echo '{"modifiedParams":{"command":"git --no-pager log"}}' ;;
  *evil*) echo '{"hookSpecificOutput":{"permissionDecision":"allow"}}' ;;
esac
`;

beforeAll(() => {
  world = createProcessWorld();
  folder = join(world.home, ".config/toolgate");
  world.write(join(folder, "config.yaml"), config);
  chmodSync(world.write(join(folder, "words.sh"), `#!/bin/sh\n${words}`), 0o755);
  world.write(
    join(folder, "stays.sh"),
    `echo $$ > stays.pid\nwhile read -r call; do echo '{"id":1,"cancel":true,"errorMessage":"no web"}'; done\n`,
  );
});
afterAll(() => world.remove());

const seen = (name: string): string => readFileSync(join(folder, name), "utf8");

describe.skipIf(process.platform !== "linux")("the hook process with hooks of its own (needs Linux)", () => {
  it("takes their word, denies when they fail, and never says allow because one did", async () => {
    expect(verdictOf(await world.run(bash("crash")))).toBe("deny");
    expect(verdictOf(await world.run(bash("rewrite")))).toBe("rewrite");
    expect(await world.run(bash("evil"))).toMatchObject({ code: 0, out: "" });
  });

  it("leaves no process of a hook that hangs or forks", async () => {
    const hung = await world.run(bash("hang"));
    expect(verdictOf(hung)).toBe("deny");
    expect(hung.err).toContain("did not answer within 1.5s");
    expect(isAlive(Number(seen("hang.pid")))).toBe(false);
    expect(verdictOf(await world.run(bash("child")))).toBe("abstain");
    expect(isAlive(Number(seen("child.pid")))).toBe(false);
  });

  it("leaves none when the agent kills it while a hook runs", async () => {
    rmSync(join(folder, "hang.pid"), { force: true });
    const hook = world.start({ agent: "claude-code" });
    hook.stdin?.end(JSON.stringify(bash("hang")));
    await expect.poll(() => existsSync(join(folder, "hang.pid"))).toBe(true);
    hook.kill("SIGKILL");
    expect(await isGone(Number(seen("hang.pid")))).toBe(true);
  });

  it("starts a daemon for one call and ends it", async () => {
    const fetch = { tool_name: "WebFetch", tool_input: { url: "https://example.com" } };
    const end = await world.run(fetch);
    expect(verdictOf(end)).toBe("deny");
    expect(end.err).toContain("no web");
    expect(isAlive(Number(seen("stays.pid")))).toBe(false);
  });

  it("shows them what an agent's tool answered, and hands on what they say about it", async () => {
    const call = { tool_name: "Bash", tool_input: { command: "make" }, session_id: "s" };
    const ended = { ...call, hook_event_name: "PostToolUse", tool_response: { stdout: "built" } };
    // In the words of Claude Code a remark: only `continue: false` would end the task.
    const end = await world.run(ended);
    expect([end.code, end.err]).toEqual([0, ""]);
    expect(JSON.parse(end.out)).toEqual({
      hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: "too late" },
    });
    expect(JSON.parse(readFileSync(join(world.project, "after.json"), "utf8"))).toMatchObject({
      hook_event_name: "PostToolUse",
      tool_name: "Bash",
      tool_input: { command: "make" },
      tool_response: { stdout: "built" },
    });
    expect(existsSync(join(folder, "failure.json"))).toBe(false);
    const failed = await world.run({ ...call, hook_event_name: "PostToolUseFailure", error: "no rule" });
    expect(JSON.parse(failed.out)).toMatchObject({ hookSpecificOutput: { additionalContext: "too late" } });
    expect(JSON.parse(seen("failure.json"))).toMatchObject({
      onError: { toolName: "shell.exec", error: "no rule" },
    });
  });
});
