/** Which rules are tested, and which others they are judged together with. */
import { resolve } from "node:path";
import type { ConfigProblem } from "../../../../config/config-problem.ts";
import { withTier } from "../../../../config/load-config.ts";
import { stepAside } from "../../../../config/step-aside.ts";
import type { OpenConfig } from "../../../../open/open-config.ts";
import { findPluginFolders } from "../../../../open/open-plugins.ts";
import type { RulesToTest } from "../../../../replay/test-judges.ts";
import {
  type CommonOptions,
  describeIgnored,
  describeNotes,
  openEffective,
} from "../../open/effective-config.ts";
import { realPath } from "../../open/real-path.ts";
import { checkRuleFiles, readRuleFiles } from "../../open/rule-file.ts";
import type { CliIo } from "../../terminal/io.ts";
import { looksLikePlugin } from "./plugin-tests.ts";

export interface WhatToTest extends CommonOptions {
  /** Only these files; by default everything of the user's that holds here. */
  readonly files?: readonly string[] | undefined;
  /** Shipped rules, too. */
  readonly all?: boolean | undefined;
}

export interface Collected {
  /** All rules that count, file by file. */
  readonly sources: readonly RulesToTest[];
  /** The files whose tests run. */
  readonly tested: readonly string[];
  readonly problems: readonly ConfigProblem[];
  readonly config: OpenConfig;
  /** Undefined: the plugin files that are loaded here. */
  readonly pluginFiles: readonly string[] | undefined;
  readonly inputs: readonly string[];
  /** What a person should know besides. */
  readonly remarks: string;
}

export async function collectRules(options: WhatToTest, io: CliIo): Promise<Collected> {
  const config = await openEffective(options, io);
  const files = [...new Set((options.files ?? []).map((file) => resolve(io.cwd, file)))];
  if (files.length > 0) return collectNamed(files, config);
  const { sources, problems, ignored, notes } = config;
  const inputs = [...config.inputs, ...findPluginFolders(config).map(({ path }) => path)];
  const remarks = describeNotes(notes, io) + describeIgnored(ignored, io);
  const mine = sources.filter(({ origin }) => options.all === true || origin !== "shipped");
  const tested = mine.map(({ file }) => file);
  const about = { config, pluginFiles: undefined, inputs, remarks, tested };
  if (problems.length > 0) return { ...about, sources: [], problems };
  return { ...about, ...asWritten(config) };
}

/** Files that hold here are judged by all that holds here; others by what they say together. */
async function collectNamed(files: readonly string[], config: OpenConfig): Promise<Collected> {
  const pluginFiles = files.filter(looksLikePlugin);
  const ruleFiles = files.filter((file) => !pluginFiles.includes(file));
  const about = { config, pluginFiles, inputs: files, remarks: "" };
  const holding = new Map(config.sources.map(({ file }) => [realPath(file), file]));
  const tested = ruleFiles.map((file) => holding.get(realPath(file)));
  if (config.problems.length === 0 && tested.every((file) => file !== undefined))
    return { ...about, ...asWritten(config), tested, inputs: [...files, ...config.inputs] };
  const read = await checkRuleFiles(ruleFiles);
  return { ...about, sources: read.files, tested: ruleFiles, problems: read.problems };
}

/** Trusted or not: their author wants to know what they do. */
function asWritten({ sources: found, steppedAside }: OpenConfig): Pick<Collected, "sources" | "problems"> {
  const { files, problems } = readRuleFiles(found);
  const written = found.flatMap((source) => {
    const rules = files.find(({ file }) => file === source.file)?.rules;
    return rules === undefined ? [] : [{ ...source, trusted: true, rules: withTier(rules, source.tier) }];
  });
  const off = steppedAside.filter(({ why }) => why === "off");
  const switches = off.map(({ name, for: file }) => ({ file, shipped: [name] }));
  return { sources: stepAside(written, switches).sources, problems };
}
