/** `toolgate config`: what holds here, whether files are right, and where files are looked for. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { ConfigProblem } from "../../../../config/config-problem.ts";
import { shownUpstream } from "../../../../config/settings/shown-upstream.ts";
import { trustFile } from "../../../../config/trust/trust.ts";
import { plural } from "../../../../core/text/plural.ts";
import { visible } from "../../../../core/text/visible.ts";
import { findSources, type OpenConfig } from "../../../../open/open-config.ts";
import {
  type CommonOptions,
  describeDoubts,
  describeIgnored,
  describeNotes,
  describeProblems,
  describeWhereMore,
  openEffective,
  openUsable,
} from "../../open/effective-config.ts";
import { checkRuleFile } from "../../open/rule-file.ts";
import { type Colours, coloursFor } from "../../terminal/colours.ts";
import { type CliIo, exitCodes, printJson } from "../../terminal/io.ts";
import { effectiveYaml } from "./effective-yaml.ts";

export async function runConfigShow(options: CommonOptions, io: CliIo): Promise<number> {
  const config = await openUsable(options, io);
  if (options.json === true) {
    const { sources, settings, rules, ignored, steppedAside, notes, projectDir } = config;
    const shown = {
      projectDir,
      sources: sources.map(withoutRules),
      settings: withoutSecrets(settings),
      ...rules,
      ignored,
      steppedAside,
      notes,
    };
    printJson(shown, io);
    return exitCodes.ok;
  }
  io.out(effectiveYaml(config, io.cwd));
  io.err(describeNotes(config.notes, io) + describeIgnored(config.ignored, io));
  return exitCodes.ok;
}

interface ValidateOptions extends CommonOptions {
  /** Each by itself; by default everything that holds here, together. */
  readonly files?: readonly string[] | undefined;
}

export async function runConfigValidate(options: ValidateOptions, io: CliIo): Promise<number> {
  const {
    files,
    problems,
    doubts,
    more = "",
  } = (options.files ?? []).length > 0
    ? await validateFiles((options.files ?? []).map((file) => resolve(io.cwd, file)))
    : await validateAll(options, io);
  if (options.json === true) printJson({ ok: problems.length === 0, files, problems, warnings: doubts }, io);
  else if (problems.length === 0) io.out(`${plural(files.length, "file is", "files are")} fine\n`);
  io.err(describeDoubts(doubts, io.cwd));
  if (problems.length === 0) return exitCodes.ok;
  io.err(describeProblems(problems, io.cwd) + more);
  return exitCodes.failed;
}

interface Validated {
  readonly files: readonly string[];
  readonly problems: readonly ConfigProblem[];
  /** Rules that can be used and never match. */
  readonly doubts: readonly ConfigProblem[];
  /** Where more about the problems is told. */
  readonly more?: string;
}

async function validateAll(options: CommonOptions, io: CliIo): Promise<Validated> {
  const config = await openEffective(options, io);
  const { sources, problems, findDoubts, ignored, notes } = config;
  io.err(describeNotes(notes, io) + describeIgnored(ignored, io));
  const files = sources.map(({ file }) => file);
  return { files, problems, doubts: findDoubts(), more: describeWhereMore(config, io) };
}

async function validateFiles(files: readonly string[]): Promise<Validated> {
  const problems: ConfigProblem[] = [];
  const doubts: ConfigProblem[] = [];
  for (const file of files) {
    const checked = await checkRuleFile(file);
    if (checked.ok) doubts.push(...checked.doubts);
    else problems.push(...checked.problems);
  }
  return { files, problems, doubts };
}

export async function runConfigPath(options: CommonOptions, io: CliIo): Promise<number> {
  const config = await openEffective(options, io);
  const { folders, projectDir } = config;
  const files = await lookedFor(options, config, io);
  const kept = { trust: trustFile(folders.state), state: folders.state, cache: folders.cache };
  if (options.json === true) return printJson({ projectDir, files, ...kept }, io);
  const colours = coloursFor(io);
  const width = Math.max(...files.map(({ file }) => file.length));
  io.out("Configuration, in the order in which it is read:\n");
  for (const one of files) io.out(describeLookedFor(one, width, colours));
  io.out(
    `Trusted files are listed in ${visible(kept.trust)}\nCompiled rules are kept in ${visible(kept.cache)}\n`,
  );
  return exitCodes.ok;
}

interface LookedFor {
  readonly origin: string;
  readonly file: string;
  readonly found: boolean;
  readonly plugin?: string;
  /** Of project files. */
  readonly trusted?: boolean;
}

async function lookedFor(options: CommonOptions, config: OpenConfig, io: CliIo): Promise<LookedFor[]> {
  const { folders, projectDir, sources } = config;
  if (options.config !== undefined) {
    const file = resolve(io.cwd, options.config);
    return [{ origin: "option", file, found: existsSync(file) }];
  }
  const { sources: wanted } = await findSources({ cwd: io.cwd, env: io.env }, folders, projectDir);
  const files = wanted.map(({ origin, file, plugin }): LookedFor => {
    const loaded = sources.find((source) => source.file === file);
    return {
      origin,
      file,
      found: existsSync(file),
      ...(plugin !== undefined && { plugin }),
      ...(origin === "project" && loaded !== undefined && { trusted: loaded.trusted }),
    };
  });
  const hasAdmin = files.some(({ origin }) => origin === "admin");
  return hasAdmin
    ? files
    : [{ origin: "admin", file: join(folders.admin, "*.yaml"), found: false }, ...files];
}

function describeLookedFor(
  { origin, file, found, plugin, trusted }: LookedFor,
  width: number,
  colours: Colours,
): string {
  const state = found ? colours.green("found") : colours.dim("not there");
  const remarks = [
    plugin === undefined ? undefined : `plugin ${visible(plugin)}`,
    trusted === undefined ? undefined : trusted ? "trusted" : "not trusted: can only make the gate stricter",
  ].filter((remark) => remark !== undefined);
  const more = remarks.length === 0 ? "" : ` (${remarks.join("; ")})`;
  return `  ${origin.padEnd(12)}${visible(file).padEnd(width + 2)}${state}${more}\n`;
}

/** What is printed stays in scroll-back and logs. */
function withoutSecrets({ upstreams, ...settings }: OpenConfig["settings"]) {
  if (upstreams === undefined) return settings;
  const shown = upstreams.map((upstream) => {
    const { name, tier, source } = upstream;
    return { name, tier, source, ...shownUpstream(upstream) };
  });
  return { ...settings, upstreams: shown };
}

function withoutRules({ rules: _, ...source }: OpenConfig["sources"][number]) {
  return source;
}
