import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { expectEnd } from "../unit/surfaces/cli/expect-end.ts";
import type { Ended } from "./cli-process.ts";
import { useCliWorld } from "./use-cli-world.ts";

/** A user's hooks: a guard in our words, one written for Claude Code, and one that looks afterwards. */
const config = `hooks:
  commands:
    no-deletes:
      type: PreToolUse
      toolPatterns: Bash
      command: ./no-deletes.sh
    for-claude:
      type: PreToolUse
      toolPatterns: [Read, Write]
      wire: claude-code
      command: [sh, PLACE/for-claude.sh]
    keeps-a-list:
      type: PostToolUse
      command: cat >> seen.jsonl
`;
const noDeletes = `#!/bin/sh
read -r call
case $call in
  *'rm -r'*) echo 'Move it to the trash instead.' >&2; exit 2 ;;
esac
`;
const forClaude = `call=$(cat)
case $call in
  *'"tool_name":"Read"'*'"file_path":"private'*)
    echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"private"}}' ;;
  *'"tool_name":"Read"'*) echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"Reads are watched."}}' ;;
esac
`;

const world = useCliWorld(({ file }) => {
  world.configure(config.replace("PLACE", folder));
  writeFileSync(join(folder, "no-deletes.sh"), noDeletes, { mode: 0o755 });
  writeFileSync(join(folder, "for-claude.sh"), forClaude);
  for (const name of ["a.txt", "private.txt"]) file(name, "hello\n");
});
const folder = join(world.home, ".config/toolgate");

const check = (tool: string, input: object, ...argv: string[]): Promise<Ended> =>
  world.run(["check", ...argv], JSON.stringify({ tool_name: tool, tool_input: input }));

describe("programs as hooks, from the command line", () => {
  it("stop a call that an agent asks about", async () => {
    await expectEnd(check("Bash", { command: "rm -r build" }), {
      code: 2,
      err: ["Move it to the trash instead.", `(hook no-deletes, ${join(folder, "config.yaml")}:3)`],
    });
  });

  it("look at calls that toolgate runs itself, before and after", async () => {
    const [refused, noted, read] = await Promise.all([
      world.run(["tools", "call", "fs.read", '{"path":"private.txt"}']),
      world.run(["tools", "call", "fs.read", '{"path":"a.txt"}']),
      world.run(["tools", "call", "fs.read", '{"path":"a.txt"}', "--json"]),
    ]);
    expect(refused.code).toBe(1);
    expect(refused.err).toContain("private");
    expect(noted).toEqual({ code: 0, out: "1\thello\n", err: "note: Reads are watched.\n" });
    expect(JSON.parse(read.out)).toMatchObject({ ok: true, contexts: ["Reads are watched."] });
    const seen = readFileSync(join(folder, "seen.jsonl"), "utf8").trim().split("\n");
    expect(seen.map((line) => JSON.parse(line) as unknown)).toContainEqual(
      expect.objectContaining({
        calledAs: "fs.read",
        postToolUse: expect.objectContaining({ toolName: "fs.read", success: true }),
      }),
    );
  });

  it("are not started for a project that nobody trusts, and that is said", async () => {
    world.file("toolgate.yaml", "hooks:\n  commands:\n    evil: {type: PreToolUse, command: touch PWNED}\n");
    await expectEnd(check("Bash", { command: "true" }), {
      err: 'toolgate.yaml:3: hook "evil" is ignored: it runs a command',
    });
    expect(existsSync(join(world.project, "PWNED"))).toBe(false);
  });
});
