/** `toolgate test`: runs the inline tests of rule files and plugin files, by all rules that hold here. */
import { findProject } from "../../../../config/find-project.ts";
import { findFolders } from "../../../../config/folders.ts";
import { runRuleTests } from "../../../../replay/run-rule-tests.ts";
import { createInputWatch } from "../../../../safe/files/watch-inputs.ts";
import { describeProblems } from "../../open/effective-config.ts";
import {
  type CliIo,
  exitCodes,
  explainNoEnd,
  fail,
  jsonLine,
  type ListOptions,
  printJson,
} from "../../terminal/io.ts";
import { describeReport, type Report } from "./describe-report.ts";
import { testPlugins } from "./plugin-tests.ts";
import { type Collected, collectRules, type WhatToTest } from "./rules-to-test.ts";

interface TestOptions extends WhatToTest, ListOptions {
  readonly watch?: boolean | undefined;
}

export async function runTest(options: TestOptions, io: CliIo): Promise<number> {
  const endless = options.watch === true ? explainNoEnd(options, "--watch") : undefined;
  if (endless !== undefined) return fail(endless, io);
  if (options.watch !== true) return (await testOnce(await collectRules(options, io), options, io)).exitCode;
  let collected = await collectRules(options, io);
  // Watching begins before the files are read for the first test: a change in between must not be lost.
  using watch = createInputWatch(collected.inputs, (message) => io.err(`${message}\n`));
  while (!io.signal.aborted) {
    collected = await collectRules(options, io);
    watch.follow(collected.inputs);
    if (io.isTerminal && options.ndjson !== true) io.out("\u001b[2J\u001b[3J\u001b[H");
    await testOnce(collected, options, io);
    io.err("Watching for changes; Ctrl-C ends it.\n");
    await watch.nextChange(io.signal);
  }
  return exitCodes.interrupted;
}

async function testOnce(
  { sources, tested, problems, remarks, config, pluginFiles }: Collected,
  options: TestOptions,
  io: CliIo,
): Promise<{ readonly exitCode: number }> {
  if (problems.length > 0) {
    printReport({ files: [], passed: 0, failed: 0, problems }, options, io);
    io.err(`The configuration cannot be used:\n${describeProblems(problems, io.cwd)}`);
    return { exitCode: exitCodes.failed };
  }
  const root = findProject(io.cwd, findFolders(io.env).home).folder;
  const rules = await runRuleTests(sources, { root, tested });
  const plugins = await testPlugins(config, pluginFiles, io);
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
