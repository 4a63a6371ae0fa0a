/** What the tests found, for a person: a line for each, and under a failure what came instead. */
import { plural } from "../../../../core/text/plural.ts";
import { visible } from "../../../../core/text/visible.ts";
import type { PluginFileReport } from "../../../../replay/run-plugin-tests.ts";
import type { FileReport, Shadow, TestReport, TestResult } from "../../../../replay/run-rule-tests.ts";
import { type Colours, coloursFor } from "../../terminal/colours.ts";
import type { CliIo } from "../../terminal/io.ts";
import { indented, shownPath, shownPlace, shownRule } from "../../terminal/shown.ts";
import { describePluginTest } from "./plugin-tests.ts";

export interface Report extends Omit<TestReport, "files"> {
  readonly files: readonly (FileReport | PluginFileReport)[];
}

export function describeReport({ files, passed, failed }: Report, io: CliIo): string {
  const colours = coloursFor(io);
  const told = files.filter(({ tests, problem }) => tests.length > 0 || problem !== undefined);
  if (told.length === 0) {
    const where =
      files.length === 0 ? "" : ` in ${files.map(({ file }) => shownPath(file, io.cwd)).join(", ")}`;
    return `There are no tests${where}. A rule, or a tool of a plugin, carries its own under "tests:".\n`;
  }
  const end = `${plural(passed, "test")} passed, ${failed} failed`;
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
  if (test.shadowedBy !== undefined) lines.push(`shadowed: ${describeShadow(test.shadowedBy, cwd)}`);
  if (message !== undefined) lines.push(`message: ${message}`);
  if (input !== undefined) lines.push(`rewritten to: ${JSON.stringify(input)}`);
  if (rule.source !== undefined) lines.push(`rule: ${shownPlace(rule.source, cwd)}`);
  return lines.map((line) => `${indented(line, 6)}\n`).join("");
}

function describeShadow({ rule }: Shadow, cwd: string): string {
  const by = rule === undefined ? "the rules of other files come" : `${shownRule(rule, cwd)} comes`;
  return `by itself this file passes the test, but ${by} first`;
}

/** In the words that tests use. */
const shownVerdict = {
  deny: "block",
  ask: "ask",
  allow: "allow",
  abstain: "allow (no rule speaks about this call)",
} as const;
