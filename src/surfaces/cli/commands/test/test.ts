/** `toolgate test`: runs the inline tests of all rule files and plugin files. */
import { resolve } from "node:path";
import type { ConfigProblem } from "../../../../config/config-problem.ts";
import { findProject } from "../../../../config/find-project.ts";
import { findFolders } from "../../../../config/folders.ts";
import { visible } from "../../../../core/text/visible.ts";
import type { OpenConfig } from "../../../../open/open-config.ts";
import { findPluginFolders } from "../../../../open/open-plugins.ts";
import type { PluginFileReport } from "../../../../replay/run-plugin-tests.ts";
import {
  type FileReport,
  type RulesToTest,
  runRuleTests,
  type TestReport,
  type TestResult,
} from "../../../../replay/run-rule-tests.ts";
import { createInputWatch } from "../../../../safe/files/watch-inputs.ts";
import {
  type CommonOptions,
  describeIgnored,
  describeNotes,
  describeProblems,
  openEffective,
} from "../../open/effective-config.ts";
import { checkRuleFile, type RuleFile, readRuleFile } from "../../open/rule-file.ts";
import { type Colours, coloursFor } from "../../terminal/colours.ts";
import {
  type CliIo,
  exitCodes,
  explainNoEnd,
  fail,
  jsonLine,
  type ListOptions,
  printJson,
} from "../../terminal/io.ts";
import { indented, shownPath, shownPlace, shownRule } from "../../terminal/shown.ts";
import { describePluginTest, looksLikePlugin, testPlugins } from "./plugin-tests.ts";

interface TestOptions extends CommonOptions, ListOptions {
  /** Only these files; by default everything that holds here. */
  readonly files?: readonly string[] | undefined;
  readonly watch?: boolean | undefined;
}

export async function runTest(options: TestOptions, io: CliIo): Promise<number> {
  const endless = options.watch === true ? explainNoEnd(options, "--watch") : undefined;
  if (endless !== undefined) return fail(endless, io);
  if (options.watch !== true) return (await testOnce(await collect(options, io), options, io)).exitCode;
  let collected = await collect(options, io);
  // Watching begins before the files are read for the first test: a change in between must not be lost.
  using watch = createInputWatch(collected.inputs, (message) => io.err(`${message}\n`));
  while (!io.signal.aborted) {
    collected = await collect(options, io);
    watch.follow(collected.inputs);
    if (io.isTerminal && options.ndjson !== true) io.out("\u001b[2J\u001b[3J\u001b[H");
    await testOnce(collected, options, io);
    io.err("Watching for changes; Ctrl-C ends it.\n");
    await watch.nextChange(io.signal);
  }
  return exitCodes.interrupted;
}

interface Collected {
  readonly sources: readonly RulesToTest[];
  readonly problems: readonly ConfigProblem[];
  readonly config: OpenConfig;
  /** Undefined: the plugin files that are loaded here. */
  readonly pluginFiles: readonly string[] | undefined;
  readonly inputs: readonly string[];
  /** What a person should know besides. */
  readonly remarks: string;
}

/** Rules are tested as they are written, trusted or not: their author wants to know what they do. */
async function collect(options: TestOptions, io: CliIo): Promise<Collected> {
  const files = [...new Set((options.files ?? []).map((file) => resolve(io.cwd, file)))];
  const config = await openEffective(options, io);
  if (files.length > 0) {
    const pluginFiles = files.filter(looksLikePlugin);
    const ruleFiles = files.filter((file) => !pluginFiles.includes(file));
    const read = await Promise.all(
      ruleFiles.map(async (file) => ({ file, read: await checkRuleFile(file) })),
    );
    return { ...gather(read), config, pluginFiles, inputs: files, remarks: "" };
  }
  const { sources, problems, ignored, notes } = config;
  const inputs = [...config.inputs, ...findPluginFolders(config).map(({ path }) => path)];
  const remarks = describeNotes(notes) + describeIgnored(ignored, io.cwd);
  const about = { config, pluginFiles: undefined, inputs, remarks };
  if (problems.length > 0) return { ...about, sources: [], problems };
  const read = sources.map(({ file, kind }) => ({ file, read: readRuleFile(file, kind) }));
  return { ...about, ...gather(read) };
}

function gather(files: readonly { readonly file: string; readonly read: RuleFile }[]) {
  const problems: ConfigProblem[] = [];
  const sources: RulesToTest[] = [];
  for (const { file, read } of files) {
    if (read.ok) sources.push({ file, rules: read.rules });
    else problems.push(...read.problems);
  }
  return { sources, problems };
}

async function testOnce(
  { sources, problems, remarks, config, pluginFiles }: Collected,
  options: TestOptions,
  io: CliIo,
): Promise<{ readonly exitCode: number }> {
  if (problems.length > 0) {
    printReport({ files: [], passed: 0, failed: 0, problems }, options, io);
    io.err(`The configuration cannot be used:\n${describeProblems(problems, io.cwd)}`);
    return { exitCode: exitCodes.failed };
  }
  const root = findProject(io.cwd, findFolders(io.env).home).folder;
  const rules = await runRuleTests(sources, { root });
  const plugins = await testPlugins(config, pluginFiles, io.cwd);
  const report: Report = {
    files: [...rules.files, ...plugins.files],
    passed: rules.passed + plugins.passed,
    failed: rules.failed + plugins.failed,
  };
  if (!printReport(report, options, io)) io.out(describeReport(report, io));
  io.err(remarks + plugins.remarks);
  return { exitCode: report.failed > 0 ? exitCodes.failed : exitCodes.ok };
}

/** With --watch, each run is a line of --ndjson. */
function printReport(report: object, { json, ndjson }: ListOptions, io: CliIo): boolean {
  if (json === true) printJson(report, io);
  if (ndjson === true) io.out(jsonLine(report));
  return json === true || ndjson === true;
}

interface Report extends Omit<TestReport, "files"> {
  readonly files: readonly (FileReport | PluginFileReport)[];
}

function describeReport({ files, passed, failed }: Report, io: CliIo): string {
  const colours = coloursFor(io);
  const told = files.filter(({ tests, problem }) => tests.length > 0 || problem !== undefined);
  if (told.length === 0) {
    const where =
      files.length === 0 ? "" : ` in ${files.map(({ file }) => shownPath(file, io.cwd)).join(", ")}`;
    return `There are no tests${where}. A rule, or a tool of a plugin, carries its own under "tests:".\n`;
  }
  const end = `${passed} tests passed, ${failed} failed`;
  const ended = failed > 0 ? colours.red(end) : colours.green(end);
  return `${told.map((file) => describeFile(file, io.cwd, colours)).join("\n")}\n${ended}\n`;
}

function describeFile(
  { file, tests, problem }: Report["files"][number],
  cwd: string,
  colours: Colours,
): string {
  const lines = tests.map((test) =>
    "rule" in test ? describeTest(test, cwd, colours) : describePluginTest(test, cwd, colours),
  );
  if (problem !== undefined) lines.push(`  ${colours.red("✗")} ${indented(problem, 4).trimStart()}\n`);
  return `${colours.bold(shownPath(file, cwd))}\n${lines.join("")}`;
}

function describeTest(test: TestResult, cwd: string, colours: Colours): string {
  const { rule, desc, ok } = test;
  const title = visible(`${rule.name}: ${desc}`);
  if (ok) return `  ${colours.green("✓")} ${title}\n`;
  return `  ${colours.red("✗")} ${title}\n${describeDifference(test, cwd)}`;
}

function describeDifference(test: TestResult, cwd: string): string {
  const { rule, expect, contains, verdict, message, decidedBy, input } = test;
  const wanted =
    contains === undefined ? expect : `${expect}, with ${JSON.stringify(contains)} in the message`;
  const by = decidedBy === undefined ? "" : `, by ${shownRule(decidedBy, cwd)}`;
  const lines = [`expected: ${wanted}`, `got: ${shownVerdict[verdict]}${by}`];
  if (message !== undefined) lines.push(`message: ${message}`);
  if (input !== undefined) lines.push(`rewritten to: ${JSON.stringify(input)}`);
  if (rule.source !== undefined) lines.push(`rule: ${shownPlace(rule.source, cwd)}`);
  return lines.map((line) => `${indented(line, 6)}\n`).join("");
}

/** In the words that tests use. */
const shownVerdict = {
  deny: "block",
  ask: "ask",
  allow: "allow",
  abstain: "allow (no rule speaks about this call)",
} as const;
