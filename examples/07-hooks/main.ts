/** Hooks are programs in any language: one in bash, one in Python that was written for Claude Code, one that stays. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { type CommandHook, createGate, defineTool } from "toolgate";
import { z } from "zod";

const cwd = import.meta.dirname;
const shell = defineTool({
  id: "shell.exec",
  description: "Runs a command (here it only says so).",
  category: "shell",
  permission: "execute",
  input: z.object({ command: z.string() }),
  run: ({ command }) => `ran ${command}`,
});

/** A gate that approves every command, also what it does not understand, so that only the hook can object. */
const everything = ["read", "write", "execute", "opaque"];

async function gateWith(hook: CommandHook) {
  const gate = await createGate({
    tools: [shell],
    enable: { enabledCategories: ["shell"] },
    policies: [
      {
        name: "fine",
        tools: "shell.exec",
        action: "approve",
        conditions: [{ type: "risk", operator: "equals", value: everything }],
      },
    ],
    hooks: [hook],
  });
  return {
    close: () => gate.close(),
    async say(command: string) {
      const outcome = await gate.dispatch({ tool: "shell.exec", input: { command } });
      const told = outcome.ok ? String(outcome.value) : `${outcome.error.code}: ${outcome.error.message}`;
      const more = outcome.contexts.map((context) => ` [${context}]`).join("");
      console.log(`   ${command.padEnd(24)} -> ${told}${more}`);
      return `${told}${more}`;
    },
  };
}

console.log("1. A hook in bash");
const bash = await gateWith({
  name: "no-force",
  type: "PreToolUse",
  toolPatterns: "Bash",
  command: ["bash", "no-force.sh"],
  cwd,
});
assert.equal(await bash.say("git push"), "ran git push [The build runs for a few minutes after each push.]");
assert.match(await bash.say("git push --force"), /^hook_cancelled: Force-pushing rewrites/);
assert.equal(await bash.say("git status"), "ran git status");
await bash.close();

console.log("2. A hook in Python, written for Claude Code");
if (spawnSync("python3", ["-c", "0"]).status === 0) {
  const python = await gateWith({
    name: "no-secrets",
    type: "PreToolUse",
    toolPatterns: "Bash",
    command: ["python3", "no_secrets.py"],
    wire: "claude-code",
    cwd,
  });
  assert.equal(await python.say("ls"), "ran ls -la");
  assert.match(await python.say("aws --key AKIA0123456789ABCDEF"), /^hook_cancelled: That is a key/);
  // It asks for a person, and nobody is there.
  assert.match(await python.say("sudo reboot"), /^no_approver: sudo is for people/);
  await python.close();
} else {
  console.log("   skipped: there is no python3 on this machine");
  assert.notEqual(process.env.TOOLGATE_CI, "full", "python3 is missing");
}

console.log("3. A hook that stays");
const daemon = await gateWith({
  name: "count",
  type: "PreToolUse",
  mode: "daemon",
  command: [process.execPath, "count.cjs"],
  cwd,
});
for (const command of ["one", "two", "three"]) assert.equal(await daemon.say(command), `ran ${command}`);
assert.equal(await daemon.say("four"), "hook_cancelled: Three commands are enough.");
await daemon.close();

console.log("4. A hook that breaks has not agreed");
const broken = await gateWith({ name: "broken", type: "PreToolUse", command: "exit 1" });
assert.match(await broken.say("ls"), /^hook_failed: Hook "broken" failed: it exited with code 1/);
await broken.close();
