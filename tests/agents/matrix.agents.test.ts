/** What `toolgate check` says to the calls of the matrix: every real agent is compared with it. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { fillProject } from "./real/check-matrix.ts";
import { type MatrixCase, matrixCases, matrixRules, nameOfCase } from "./real/matrix-cases.ts";
import { createWorkbench } from "./workbench.ts";

function callFor({ kind, what, content = "x\n" }: MatrixCase, project: string): object {
  const call = (tool_name: string, tool_input: object) => ({ tool_name, tool_input, cwd: project });
  if (kind === "shell") return call("Bash", { command: what });
  if (kind === "write") return call("Write", { file_path: join(project, what), content });
  if (kind === "read") return call("Read", { file_path: join(project, what) });
  if (kind === "fetch") return call("WebFetch", { url: what, prompt: "What is it about?" });
  return call(`mcp__store__${what}`, {});
}

it("has forty calls, and toolgate check answers them as the matrix says", async () => {
  expect(matrixCases).toHaveLength(40);
  const bench = createWorkbench();
  fillProject(bench);
  bench.writeRules(matrixRules);
  const answers: string[] = [];
  for (const one of matrixCases) {
    const input = JSON.stringify(callFor(one, bench.project));
    const { stdout, stderr } = await bench.toolgate(["check"], { input });
    const word = /\bM-[A-Z]+/.exec(stdout + stderr)?.[0] ?? "passes";
    answers.push(`${nameOfCase(one)}: ${word}`);
  }
  expect(answers).toEqual(matrixCases.map((one) => `${nameOfCase(one)}: ${one.stopped ?? "passes"}`));
});
