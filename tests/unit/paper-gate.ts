/** A gate whose workspace and shell exist only on paper, so that tests of the walk need no disk and no real shell judge. */
import { resolve } from "node:path";
import type { CommandJudge, JudgedCommand } from "../../src/core/ports/command.ts";
import {
  type AnyTool,
  type CallRequest,
  type CheckResult,
  defineTool,
  type LocatePath,
  type Outcome,
} from "../../src/index.ts";
import { createTestGate, type TestGate, type TestGateOptions } from "../../src/testing/index.ts";

/** Inside `/workspace` by text; every `.env` is protected. */
export const locateOnPaper: LocatePath = (path, { cwd, roots }) => {
  const absolute = resolve(cwd, path);
  const inside = roots.some((root) => absolute === root || absolute.startsWith(`${root}/`));
  return absolute.endsWith("/.env")
    ? { absolute, inside, protected: "it holds secrets" }
    : { absolute, inside };
};

const riskOf: Record<string, JudgedCommand["risk"]> = {
  ls: "read",
  cat: "read",
  find: "read",
  curl: "read",
  touch: "write",
  rm: "write",
  git: "execute",
  node: "execute",
};

/** `a && b`, `> file`, `sudo`, `$x`, `eval`: just enough of a shell for the rules to have parts to judge. */
export const judgeOnPaper: CommandJudge = (line) => {
  const commands: JudgedCommand[] = [];
  const redirects: { path: string; access: "write" }[] = [];
  const opaque: { reason: string; text: string }[] = [];
  for (const piece of line.split("&&").map((text) => text.trim())) {
    if (piece === "") continue;
    const [before = "", target] = piece.split(">").map((text) => text.trim());
    if (target !== undefined) redirects.push({ path: target, access: "write" });
    const words = before.split(/\s+/);
    const via = words[0] === "sudo" || words[0] === "timeout" ? [words.shift() ?? ""] : [];
    const program = (words[0] ?? "").split("/").at(-1) ?? "";
    if (program === "eval") {
      opaque.push({ reason: "eval runs text", text: piece });
      continue;
    }
    const names = words
      .slice(1)
      .filter(
        (word) => !word.startsWith("-") && !word.startsWith("$") && program !== "git" && program !== "curl",
      );
    const risk = words.includes("-delete") ? "write" : (riskOf[program] ?? "execute");
    commands.push({
      argv: words,
      dynamic: words.flatMap((word, index) => (word.startsWith("$") ? [index] : [])),
      risk,
      reads: risk === "read" ? names : [],
      writes: risk === "write" ? names : [],
      globs: [],
      unknownPaths: program !== "git" && words.some((word) => word.startsWith("$")),
      network: program === "curl",
      via,
      ...(words.includes("-delete") && { beyond: "find -delete removes files" }),
    });
  }
  const order = ["read", "write", "execute"] as const;
  const highest = Math.max(0, ...commands.map(({ risk }) => order.indexOf(risk as "read")));
  const risk = opaque.length > 0 ? "opaque" : (order[highest] ?? "execute");
  return { risk, commands, redirects, network: commands.some(({ network }) => network), opaque };
};

export function paperGate(options: TestGateOptions = {}): Promise<TestGate> {
  return createTestGate({ locatePath: locateOnPaper, judgeCommand: judgeOnPaper, ...options });
}

/** A tool of which a test states only what matters to it. */
export function tool(parts: Partial<AnyTool> = {}): AnyTool {
  const whole = {
    id: "x.run",
    description: "Does something.",
    permission: "read",
    input: { type: "object" },
    run: () => "done",
    ...parts,
  };
  return defineTool(whole as never) as AnyTool;
}

export const shell = tool({
  id: "shell.exec",
  permission: "execute",
  capabilities: ["shell:run"],
  roles: { command: ["command", "cmd", "commands"], path: ["cwd"] },
});

export function codeOf(end: Outcome | CheckResult): string {
  if ("verdict" in end) return end.error?.code ?? end.verdict;
  return end.ok ? "ran" : end.error.code;
}

export function messageOf(end: Outcome): string {
  return end.ok ? "" : end.error.message;
}

/** For the place of a function that fails. */
export function throws(what: unknown): () => never {
  return () => {
    throw what;
  };
}

/** How one call ends in a gate of its own. */
export async function endOf(options: TestGateOptions, request: Partial<CallRequest> = {}): Promise<string> {
  const { gate } = await paperGate(options);
  return codeOf(await gate.dispatch({ tool: "x.run", ...request }));
}

/** Lets promises that have settled run on. */
export function settle(): Promise<void> {
  return new Promise((next) => setImmediate(next));
}
