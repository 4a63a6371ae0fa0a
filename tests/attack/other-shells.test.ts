/** Tools that run command lines under other names: what stops a line in Bash stops it there, and nothing that Bash may do is theirs for it. */
import { describe, expect, it } from "vitest";
import { createGate, type Explanation, type Gate, type GateOptions, type Policy } from "../../src/index.ts";
import { tool } from "../unit/paper-gate.ts";
import { words } from "../words.ts";
import { approve, folderWith, noPush, command as says, approveAll as yes } from "./command-policies.ts";

const knownShells = [
  ...words("Monitor Execute run_terminal_command run_terminal_cmd run_in_terminal Shell execute_bash"),
  ...words("shell_command local_shell"),
];
const powerShells = ["PowerShell", "pwsh", "executePwsh"];

type Input = Readonly<Record<string, unknown>>;

/** The forms in which tools that no table knows are given a line. */
const unknownForms: readonly (readonly [string, (line: string) => Input])[] = [
  ["command", (line) => ({ command: line })],
  ["script", (line) => ({ script: line })],
  ["shell_command", (line) => ({ shell_command: line })],
  ["commandLine", (line) => ({ commandLine: line })],
  ["CommandLine", (line) => ({ CommandLine: line })],
  ["Shell-Command", (line) => ({ "Shell-Command": line })],
  ["start_cmd", (line) => ({ service: "web", start_cmd: line })],
  ["bash", (line) => ({ bash: line })],
  ["bash_script", (line) => ({ bash_script: line })],
  ["exec", (line) => ({ exec: line })],
  ["command_to_run", (line) => ({ command_to_run: line })],
  ["exec_args", (line) => ({ exec_args: ["bash", "-c", line] })],
  ["invocation", (line) => ({ invocation: line })],
  ["cli", (line) => ({ cli: line })],
  ["cmdline", (line) => ({ cmdline: line })],
  ["command1", (line) => ({ command1: "true", command2: line })],
  ["commandsToRun", (line) => ({ commandsToRun: ["true", line] })],
  ["terminal_input", (line) => ({ session: 1, terminal_input: line })],
  ["words in argv", (line) => ({ argv: ["bash", "-c", line] })],
  ["many of them", (line) => ({ shell_commands: ["true", line] })],
  ["deep in it", (line) => ({ steps: [{ run: { commandLine: line } }] })],
  ["a program and its words", (line) => ({ command: "bash", args: ["-c", line] })],
  [
    "a program and its text",
    (line) => ({ cmd: line.split(" ")[0], args: line.split(" ").slice(1).join(" ") }),
  ],
  ["deep and in two fields", (line) => ({ job: { program_cmd: "sh", Arguments: ["-c", line] } })],
];

const root = folderWith("file", ".env");

const gateWith = (options: GateOptions = {}): Promise<Gate> => createGate({ roots: [root], ...options });

async function check(gate: Gate, tool: string, input: Input, mode?: "plan"): Promise<Explanation> {
  return gate.explain({ tool, input, cwd: root, ...(mode && { mode }) }, { as: "check" });
}

const bash: Policy = { name: "bash", tools: "Bash", action: "approve" };
const pushRoute = { name: "no-push", tool: "Bash", pattern: "git push", message: "Ask a person to push." };

describe("a shell under another name", () => {
  it.each([...knownShells, ...powerShells])(
    "is stopped by a route that is written for Bash: %s",
    async (tool) => {
      const gate = await gateWith({ routes: [pushRoute] });
      expect(await check(gate, tool, { command: "git push origin main" })).toMatchObject({
        verdict: "deny",
        code: "route_blocked",
      });
      expect((await check(gate, tool, { command: "git status" })).verdict).toBe("abstain");
    },
  );

  it.each(knownShells)("is denied by a policy on commands, also behind wrappers: %s", async (tool) => {
    const gate = await gateWith({ policies: [yes, noPush] });
    for (const line of ["git push", "true && env A=1 bash -c 'git -C . push'", "sudo git push -f"])
      expect([line, (await check(gate, tool, { command: line })).verdict]).toEqual([line, "deny"]);
    expect((await check(gate, tool, { command: "git status" })).verdict).toBe("allow");
  });

  it.each(knownShells)("reads in plan mode and does nothing else: %s", async (tool) => {
    const gate = await gateWith({ policies: [yes] });
    expect((await check(gate, tool, { command: "ls -la" }, "plan")).verdict).toBe("allow");
    for (const line of ["rm file", "touch x", "echo x > file", "tail -f file | tee copy"])
      expect([line, (await check(gate, tool, { command: line }, "plan")).code]).toEqual([line, "plan_mode"]);
  });

  it.each(knownShells)("does not reach a protected file that Bash does not: %s", async (tool) => {
    const gate = await gateWith({ policies: [bash] });
    expect((await check(gate, tool, { command: "tail -f .env" })).verdict).toBe("deny");
    expect((await check(gate, tool, { command: "tail -f file" })).verdict).toBe("allow");
  });

  it("is not called by that name: only agents have tools of these names", async () => {
    const gate = await gateWith({ enable: { enableAll: true } });
    const outcome = await gate.dispatch({ tool: "Monitor", input: { command: "ls" } });
    expect(outcome).toMatchObject({ ok: false, error: { code: "unknown_tool" } });
  });

  it("gives its name to no other shell: who approves Monitor has not approved Bash", async () => {
    const gate = await gateWith({ policies: [{ name: "monitor", tools: "Monitor", action: "approve" }] });
    expect((await check(gate, "Monitor", { command: "tail -f file" })).verdict).toBe("allow");
    for (const tool of ["Bash", "Execute", "shell.exec"])
      expect([tool, (await check(gate, tool, { command: "tail -f file" })).verdict]).toEqual([
        tool,
        "abstain",
      ]);
  });

  it("is a tool of one's own where one is registered by that name", async () => {
    const execute = tool({ id: "Execute", permission: "write", roles: {} });
    const gate = await createGate({ tools: [execute], roots: [root], policies: [bash] });
    expect((await gate.explain({ tool: "Execute", input: { plan: 7 }, cwd: root })).verdict).toBe("ask");
  });
});

describe("PowerShell", () => {
  it.each(powerShells)(
    "is opaque: approved by no rule for commands, and what may be denied is asked (%s)",
    async (tool) => {
      const reads = approve(says(["ls", "cat", "git"]));
      const approving = await gateWith({ policies: [reads], checkDefault: "ask" });
      for (const line of ["ls", "cat file", "git status; Remove-Item file"])
        expect([line, (await check(approving, tool, { command: line })).verdict]).toEqual([line, "ask"]);
      const denying = await gateWith({ policies: [noPush] });
      expect((await check(denying, tool, { command: "& ('gi'+'t') push" })).verdict).toBe("ask");
      const planning = await gateWith({ policies: [yes] });
      expect((await check(planning, tool, { command: "Get-ChildItem" }, "plan")).code).toBe("plan_mode");
    },
  );

  it.each([
    "Get-Content .env",
    'Get-Content ".\\.env"',
    "[IO.File]::ReadAllText('./.env')",
    "Copy-Item -Path:.env -Destination:x; ls",
  ])("does not open a protected file: %s", async (line) => {
    const gate = await gateWith({ policies: [bash] });
    expect((await check(gate, "PowerShell", { command: line })).verdict).toBe("deny");
  });
});

describe("a tool that no table knows and that is given a command line", () => {
  it.each(unknownForms)("is stopped by what stops Bash: given as %s", async (_form, input) => {
    const routed = await gateWith({ routes: [pushRoute] });
    expect((await check(routed, "strange", input("git push origin"))).code).toBe("route_blocked");
    expect((await check(routed, "strange", input("git pull origin"))).verdict).toBe("abstain");
    const judged = await gateWith({ policies: [yes, noPush] });
    expect((await check(judged, "mcp__srv__go", input("git push origin"))).verdict).toBe("deny");
    expect((await check(judged, "mcp__srv__go", input("git status"))).verdict).not.toBe("deny");
  });

  it.each(unknownForms)("never gets what is approved for Bash: given as %s", async (_form, input) => {
    const gate = await gateWith({ policies: [bash], checkDefault: "ask" });
    expect((await check(gate, "strange", input("git status"))).verdict).toBe("ask");
    expect((await check(gate, "strange", input("git status"), "plan")).code).toBe("plan_mode");
  });

  it.each(unknownForms)("is denied with the shell, and only then: given as %s", async (_form, input) => {
    const gate = await gateWith({ policies: [yes, { name: "no-shell", tools: "Bash", action: "deny" }] });
    expect((await check(gate, "strange", input("ls"))).verdict).toBe("deny");
    for (const harmless of [{}, { query: "ls" }, { commandId: "7", path: "file" }, { recommended: true }])
      expect([harmless, (await check(gate, "strange", harmless)).verdict]).toEqual([harmless, "allow"]);
  });

  it("counts in the limits of Bash and passes its hooks", async () => {
    const seen: string[] = [];
    const gate = await gateWith({
      hooks: [
        {
          name: "look",
          type: "PreToolUse",
          toolPatterns: "Bash",
          run: (call) => void seen.push(call.calledAs),
        },
      ],
    });
    await gate.check({ tool: "strange", input: { commandLine: "ls" }, cwd: root });
    await gate.check({ tool: "strange", input: { query: "ls" }, cwd: root });
    expect(seen).toEqual(["strange"]);
    const limited = await gateWith({ limits: [{ name: "none", tools: "Bash", max: 0, windowMs: 60_000 }] });
    const counted = await limited.check({ tool: "strange", input: { commandLine: "ls" }, cwd: root });
    expect(counted.error?.code).toBe("rate_limited");
    expect((await limited.check({ tool: "strange", input: { query: "ls" }, cwd: root })).verdict).toBe(
      "abstain",
    );
  });

  it("holds for a registered tool as well, by whichever way the command gets into its input", async () => {
    const options = {
      tools: [tool({ id: "ops.task", permission: "execute" })],
      roots: [root],
      policies: [yes, noPush],
    };
    const gate = await createGate(options);
    const verdict = async (from: Gate, input: Input) =>
      (await from.explain({ tool: "ops.task", input, cwd: root })).verdict;
    expect(await verdict(gate, { shellCommand: "git push" })).toBe("deny");
    expect(await verdict(gate, { shellCommand: "git status" })).toBe("allow");
    const route = { name: "old-form", tool: "ops.task", field: "job", pattern: "^push$" };
    const routes = [{ ...route, action: "rewrite" as const, rewrite: { command: "git push" } }];
    const rewriting = await createGate({ ...options, routes });
    expect(await verdict(rewriting, { job: "push" })).toBe("deny");
    const hooked = await createGate({
      ...options,
      hooks: [
        { name: "add", type: "PreToolUse", run: () => ({ modifiedParams: { start_command: "git push" } }) },
      ],
    });
    expect(await verdict(hooked, { job: "push" })).toBe("deny");
  });
});
