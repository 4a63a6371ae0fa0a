/** Opens the configuration for a command and says everything about it that a person must know. */
import { join } from "node:path";
import { type ConfigProblem, describeConfigProblem, inOrder } from "../../../config/config-problem.ts";
import type { Ignored } from "../../../config/loaded-config.ts";
import { visible } from "../../../core/text/visible.ts";
import { explainProblems } from "../../../open/explain-problems.ts";
import { type OpenConfig, openConfig } from "../../../open/open-config.ts";
import { type CliIo, type JsonOption, printJson, Told } from "../terminal/io.ts";
import { asTyped } from "../terminal/own-command.ts";
import { shellWord, shownPath, shownPlace } from "../terminal/shown.ts";

/** What `--config` and `--json` are called in every command. */
export interface CommonOptions extends JsonOption {
  readonly config?: string | undefined;
}

export async function openEffective({ config }: CommonOptions, io: CliIo): Promise<OpenConfig> {
  const open = await openConfig({
    cwd: io.cwd,
    env: io.env,
    ...(config !== undefined && { configFile: config }),
  });
  if (open.problems.length === 0) return open;
  // A person mends them all at once; who only asks for a verdict does not wait for that.
  return { ...open, problems: inOrder([...open.problems, ...(await open.findMoreProblems())]) };
}

export function describeProblems(problems: readonly ConfigProblem[], cwd: string): string {
  return problems
    .map((problem) => {
      const told = describeConfigProblem({ ...problem, file: shownPath(problem.file, cwd) });
      return `${visible(told, { keepNewlines: true })}\n`;
    })
    .join("");
}

/** Of files that nobody vouches for little is told, unless a person names them. Empty text: all was told. */
export function describeWhereMore(config: OpenConfig, io: CliIo): string {
  const { problems, sources, broken, projectDir, request } = config;
  if (request.configFile !== undefined) return "";
  const vouched = new Set([...sources, ...broken].filter((one) => one.vouched).map(({ file }) => file));
  const files = [...new Set(problems.map(({ file }) => file))]
    .filter((file) => file.startsWith(join(projectDir, "/")) && !vouched.has(file))
    .map((file) => shellWord(shownPath(file, io.cwd)));
  return files.length === 0
    ? ""
    : asTyped(`More about it: toolgate config validate ${files.join(" ")}\n`, io);
}

/** Throws if the configuration cannot be used; why is said by then. */
export async function openUsable(options: CommonOptions, io: CliIo): Promise<OpenConfig> {
  const config = await openEffective(options, io);
  if (config.problems.length === 0) return config;
  if (options.json === true) printJson({ problems: config.problems }, io);
  const told = describeProblems(config.problems, io.cwd);
  io.err(`The configuration cannot be used:\n${told}${describeWhereMore(config, io)}`);
  throw new Told(explainProblems(config.problems));
}

/** What untrusted files wanted and did not get, file by file. Empty text: nothing to say. */
export function describeIgnored(ignored: readonly Ignored[], io: CliIo): string {
  const { cwd } = io;
  const files = [...new Set(ignored.map(({ file }) => file))];
  return files
    .map((file) => {
      const lines = ignored
        .filter((one) => one.file === file)
        .map(
          ({ line, what, why, detail }) =>
            `  ${shownPlace({ file, ...(line !== undefined && { line }) }, cwd)}: ${visible(what)}: ${visible(why)}${detail === undefined ? "" : `: ${visible(detail)}`}`,
        );
      const path = shownPath(file, cwd);
      const todo = asTyped(`look at it, then run: toolgate trust ${path}`, io);
      return `Ignored, because ${path} is not trusted (${todo}):\n${lines.join("\n")}\n`;
    })
    .join("");
}

/** Rules that never match: what their author should look at. Empty text: there are none. */
export function describeDoubts(doubts: readonly ConfigProblem[], cwd: string): string {
  return doubts.map((doubt) => `warning: ${describeProblems([doubt], cwd)}`).join("");
}

/** `io`: they are our own words, and the commands in them are told as they have to be typed. */
export function describeNotes(notes: readonly string[], io?: CliIo): string {
  const told = io === undefined ? notes : notes.map((note) => asTyped(note, io));
  return told.map((note) => `note: ${visible(note, { keepNewlines: true })}\n`).join("");
}
