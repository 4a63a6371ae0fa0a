/** Plugins in `toolgate test`: their tests are real calls, made only for trusted or named files. */
import { isJsonObject } from "../../../../core/input/json.ts";
import { visible } from "../../../../core/text/visible.ts";
import type { OpenConfig } from "../../../../open/open-config.ts";
import {
  type PluginFileReport,
  type PluginTestResult,
  runPluginTests,
} from "../../../../replay/run-plugin-tests.ts";
import { readJson } from "../../../../safe/files/documents/read-json.ts";
import { readTextFile } from "../../../../safe/files/documents/read-text-file.ts";
import { readYaml } from "../../../../safe/files/documents/read-yaml.ts";
import type { Colours } from "../../terminal/colours.ts";
import { describePluginReport } from "../../terminal/describe-plugins.ts";
import type { CliIo } from "../../terminal/io.ts";
import { asTyped } from "../../terminal/own-command.ts";
import { shownPath, shownPlace } from "../../terminal/shown.ts";

export interface PluginsTested {
  readonly files: readonly PluginFileReport[];
  readonly passed: number;
  readonly failed: number;
  /** What a person should know besides. */
  readonly remarks: string;
}

/** `files`: only these; none at all if the list is empty. */
export async function testPlugins(
  config: OpenConfig,
  files: readonly string[] | undefined,
  io: CliIo,
): Promise<PluginsTested> {
  if (files?.length === 0) return { files: [], passed: 0, failed: 0, remarks: "" };
  const { files: tested, report, untested } = await runPluginTests(config, files);
  const results = tested.flatMap(({ tests }) => tests);
  const passed = results.filter(({ ok }) => ok).length;
  const broken = tested.filter(({ problem }) => problem !== undefined).length;
  const remarks = untested.map(
    (file) =>
      `Not tested, because a test runs what the file says and nobody trusts it yet (${asTyped(`look at it, then run: toolgate trust ${shownPath(file, io.cwd)}`, io)}): ${shownPath(file, io.cwd)}\n`,
  );
  return {
    files: tested,
    passed,
    failed: results.length - passed + broken,
    remarks: describePluginReport({ ...report, errors: [] }, io) + remarks.join(""),
  };
}

/** In a plugin file `tools` is a list, in a configuration file it never is. */
export function looksLikePlugin(file: string): boolean {
  const read = readTextFile(file);
  if (!read.ok) return false;
  const parsed = /\.json$/i.test(file) ? readJson(read.text) : readYaml(read.text);
  if (!parsed.ok) return /\.json$/i.test(file) && /"tools"\s*:/.test(read.text);
  return isJsonObject(parsed.value) && Array.isArray(parsed.value.tools);
}

export function describePluginTest(test: PluginTestResult, cwd: string, colours: Colours): string {
  const title = visible(`${test.tool}: ${test.desc}`);
  if (test.ok) return `  ${colours.green("✓")} ${title}\n`;
  const { expected, got, code, source } = test;
  const lines = [
    ...Object.entries(expected).map(([key, text]) => `${key}: ${JSON.stringify(text)}`),
    code === undefined ? `got: ${JSON.stringify(got)}` : `got: ${code}: ${got}`,
    `tool: ${shownPlace(source, cwd)}`,
  ];
  const shown = lines.map((line) => visible(line, { keepNewlines: true, maxLength: 2_000 }));
  return `  ${colours.red("✗")} ${title}\n${shown.map((line) => `${line.trimEnd().replaceAll(/^/gm, "      ")}\n`).join("")}`;
}
