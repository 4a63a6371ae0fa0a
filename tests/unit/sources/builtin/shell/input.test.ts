import { describe, expect, it } from "vitest";
import type { Route } from "../../../../../src/index.ts";
import { rule } from "../../rule.ts";
import { because } from "../../stopped.ts";
import { approveAll, shellGate } from "./shell-gate.ts";

const waitMs = 10_000;
const noPush = rule("deny", "Bash", [["command", "contains", "git push"]], { priority: 10 });

describe("shell.input", () => {
  it("writes whole lines and answers what comes back", async () => {
    const { start, text } = await shellGate();
    const id = await start('while read -r x; do echo "<$x>"; done; echo end', { stdin: true });
    expect(await text("shell.input", { id, text: "a", waitMs })).toMatch(/^<a>\n/);
    expect(await text("shell.input", { id, text: "b\n", waitMs })).toMatch(/^<b>\n/);
    expect(await text("shell.input", { id, text: "c\\\\", waitMs })).toMatch(/^<c\\\\>\n/);
    await text("shell.input", { id, close: true, waitMs: 0 });
    await expect.poll(() => text("shell.output", { id, cursor: 0 })).toMatch(/\nend\n\[.*: exit code 0/);
  });

  it("needs a process that was started with an open input, and one that reads", async () => {
    const { start, failure, code } = await shellGate();
    const closed = await start("sleep 30");
    expect(await failure("shell.input", { id: closed, text: "x" })).toMatchObject(
      because("no_input", "stdin: true"),
    );
    const deaf = await start("exec <&-; echo ready; sleep 30", { stdin: true });
    await failure("shell.input", { id: deaf, text: "x".repeat(100_000) }).catch(() => {});
    await expect.poll(async () => await code("shell.input", { id: deaf, text: "x" })).toBe("input_closed");
  });

  it.each(["git \\", "git \\\n", "echo \\\\\\"])("takes no half line: %j", async (half) => {
    const { failure } = await shellGate();
    expect(await failure("shell.input", { id: "x", text: half })).toMatchObject(
      because("invalid_input", "whole lines"),
    );
  });

  it("asks whatever the text is: what reads it is not known", async () => {
    const { code, start } = await shellGate({}, { policies: [{ ...approveAll, tools: "shell.exec" }] });
    const id = await start("cat", { stdin: true });
    for (const text of ["ls", "true", "yes", "rm -rf build"])
      expect(await code("shell.input", { id, text }), text).toBe("no_approver");
  });

  it("is judged as a command by the rules of the shell: a shell may read it", async () => {
    const { code, start, text } = await shellGate({}, { policies: [approveAll, noPush] });
    const id = await start("cat", { stdin: true });
    for (const typed of [
      "git push",
      "cd x && git push -f",
      "env git push",
      "y\ngit push\n",
      "bash -c 'git push'",
    ])
      for (const name of ["text", "chars", "input"])
        expect(await code("shell.input", { id, [name]: typed }), typed).toBe("policy_denied");
    expect(await text("shell.input", { id, text: "git status", waitMs })).toMatch(/^git status\n/);
  });

  it("asks where it is not understood and a rule of the shell might mean it", async () => {
    const approve = rule("approve", "shell.*");
    const { code, start, text } = await shellGate({}, { policies: [approve, noPush] });
    const id = await start("cat", { stdin: true });
    for (const typed of ["os.system('git push')", "git $x", "if true; then", "cat <<EOF | bash"])
      expect(await code("shell.input", { id, text: typed }), typed).toBe("no_approver");
    expect(await text("shell.input", { id, text: "yes", waitMs })).toMatch(/^yes\n/);
  });

  it("is blocked by the routes of the shell", async () => {
    const route: Route = { name: "no-curl", tool: "Bash", pattern: "\\bcurl\\b", message: "Use web.fetch." };
    const { failure, start } = await shellGate({}, { routes: [route] });
    const id = await start("cat", { stdin: true });
    expect(await failure("write_stdin", { session_id: id, chars: "curl x" })).toMatchObject(
      because("route_blocked", "Use web.fetch."),
    );
  });

  it("is not opened by what opens the shell", async () => {
    const npm = rule("approve", "Bash", [["command", "startsWith", "npm test"]]);
    const cat = { ...approveAll, name: "cat", tools: "shell.exec" };
    const { code, start } = await shellGate({}, { policies: [npm, cat] });
    const id = await start("cat", { stdin: true });
    expect(await code("shell.input", { id, text: "npm test" })).toBe("no_approver");
  });
});
