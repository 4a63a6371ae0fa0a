/** Runs the inline tests of plugin tools: real calls by a gate that holds only them and asks nobody. */
import { basename } from "node:path";
import type { Approver } from "../core/call/approval.ts";
import { textOf } from "../core/call/content.ts";
import { visible } from "../core/text/visible.ts";
import { createGate } from "../gate/create-gate.ts";
import type { Gate } from "../gate/gate.ts";
import { openPlugins, type PluginConfig } from "../open/open-plugins.ts";
import type { LoadedPluginTool } from "../sources/plugins/load-plugin-file.ts";
import { describePluginError } from "../sources/plugins/plugin-error.ts";
import type { PluginToolTest } from "../sources/plugins/plugin-format.ts";
import type { PluginReport } from "../sources/plugins/plugin-set.ts";

export interface PluginTestResult {
  readonly tool: string;
  readonly source: { readonly file: string; readonly line: number; readonly column: number };
  readonly desc: string;
  readonly ok: boolean;
  /** What the test asks for: the keys of the test that say so. */
  readonly expected: Pick<PluginToolTest, "expect" | "contains" | "error">;
  /** The text of the answer, or the message of the error. */
  readonly got: string;
  /** Set when the call did not succeed. */
  readonly code?: string;
}

export interface PluginFileReport {
  readonly file: string;
  readonly tests: readonly PluginTestResult[];
  /** What keeps the file, or some of its tools, from being loaded. Counts as one failure. */
  readonly problem?: string;
}

export interface PluginTestReport {
  readonly files: readonly PluginFileReport[];
  readonly report: PluginReport;
  /** Files with tests that were not run, because running them runs what nobody has trusted. */
  readonly untested: readonly string[];
}

/** Of the files given, as if they were the user's own, or else of all that are loaded here. */
export async function runPluginTests(
  config: PluginConfig,
  files: readonly string[] | undefined,
): Promise<PluginTestReport> {
  const gate = await createGate({
    roots: [config.projectDir],
    enable: { enableAll: true },
    approver: everything,
  });
  try {
    const plugins = openPlugins(config, gate.tools, { only: files });
    const report = await plugins.reload();
    const { tools } = plugins;
    const untested = tools.filter(({ trusted, tests }) => !trusted && tests.length > 0);
    const results = new Map<string, PluginTestResult[]>();
    for (const loaded of tools) {
      const here = results.get(loaded.file) ?? [];
      results.set(loaded.file, here);
      if (loaded.trusted) for (const test of loaded.tests) here.push(await runTest(gate, loaded, test));
    }
    for (const { source } of report.errors) if (!results.has(source)) results.set(source, []);
    return {
      files: [...results].map(([file, tests]) => ({ file, tests, ...problemOf(file, report) })),
      report,
      untested: [...new Set(untested.map(({ file }) => file))],
    };
  } finally {
    await gate.close();
  }
}

function problemOf(file: string, { errors }: PluginReport): { readonly problem?: string } {
  const here = errors.filter(({ source }) => source === file);
  if (here.length === 0) return {};
  return { problem: here.map((error) => describePluginError(error, basename(file))).join("\n") };
}

/** Whoever starts the tests wants the calls. */
const everything: Approver = { name: "test", ask: () => ({ decision: "approve" }) };

async function runTest(
  gate: Gate,
  { tool, file, place }: LoadedPluginTool,
  { desc, input, ...asked }: PluginToolTest,
): Promise<PluginTestResult> {
  const outcome = await gate.dispatch({ tool: tool.id, input });
  const text = textOf(outcome.result);
  const failed = !outcome.ok || outcome.result.isError;
  return {
    tool: tool.id,
    source: { file, ...place },
    desc: desc ?? `${visible(JSON.stringify(input), { maxLength: 60 })} ${describeAsked(asked)}`,
    ok: failed ? asked.error !== undefined && text.includes(asked.error) : holds(text, asked),
    expected: asked,
    got: text,
    ...(!outcome.ok && { code: outcome.error.code }),
  };
}

function holds(text: string, { expect, contains, error }: PluginTestResult["expected"]): boolean {
  if (error !== undefined) return false;
  return (
    (expect === undefined || withoutEnd(text) === withoutEnd(expect)) &&
    (contains === undefined || text.includes(contains))
  );
}

/** Programs end their output with a line break, people do not write one into a test. */
function withoutEnd(text: string): string {
  return text.replace(/\r?\n$/, "");
}

function describeAsked({ expect, contains, error }: PluginTestResult["expected"]): string {
  if (error !== undefined) return "should fail";
  const wanted = visible(expect ?? contains ?? "", { maxLength: 40 });
  return `should answer ${expect === undefined ? "with " : ""}"${wanted}"`;
}
