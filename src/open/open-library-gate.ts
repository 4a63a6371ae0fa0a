/** A gate of a program with built-in tools and rule files, opened as the command line opens it. */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { describeConfigProblem } from "../config/config-problem.ts";
import { ToolgateError } from "../core/call/errors.ts";
import { isRecord } from "../core/input/json.ts";
import { visible } from "../core/text/visible.ts";
import { Categories, type CategoryChoice, categoriesNamed } from "../core/tool/categories.ts";
import type { AnyTool } from "../core/tool/tool.ts";
import type { Gate } from "../gate/gate.ts";
import { checkOptions, type GateOptions, refuseUnknownKeys } from "../gate/gate-options.ts";
import { describePluginError } from "../sources/plugins/plugin-error.ts";
import { configuredChoice, type OpenConfig, openConfig } from "./open-config.ts";
import { openTools } from "./open-tools.ts";

export interface BuiltinChoice {
  /** The folder that the tools work in, instead of `roots`. */
  readonly workspace?: string;
  /** Only tools of these categories, which are switched on. Default: all tools, those on that usually are. */
  readonly categories?: readonly string[];
  /** Where edits that were cut off are kept, and what the tools must not touch. Default: as the command. */
  readonly stateFolder?: string;
}

export interface LibraryGateRequest {
  readonly builtin: boolean | BuiltinChoice;
  readonly rules: string | readonly string[] | undefined;
  readonly onNote: ((text: string) => void) | undefined;
  readonly given: GateOptions;
}

export async function openLibraryGate({ builtin, rules, onNote, given }: LibraryGateRequest): Promise<Gate> {
  checkOptions(given);
  const choice = readChoice(builtin);
  if (onNote !== undefined && typeof onNote !== "function")
    throw new ToolgateError("onNote must be a function that takes a text.");
  const [root = process.cwd()] = rootsOf(choice, given);
  const config = await readRules(readFiles(rules), root, choice);
  const { enable: chosen = configuredChoice(config), roots = [root], ...rest } = given;
  const enable = withCategories(chosen, choice, given);
  const tell = onNote ?? (() => {});
  for (const note of [...config.notes, ...config.findDoubts().map(describeConfigProblem)]) tell(note);
  const open = await openTools(config, {
    durable: false,
    given: { ...rest, roots },
    enable,
    ceilings: enable.ceilings ?? config.settings.ceilings,
    builtin: builtin === false ? false : wantedTools(choice),
    upstreams: "first-sight",
    closeWithGate: true,
    note: tell,
  });
  try {
    const { success, errors } = open.plugins.report;
    if (!success)
      throw new ToolgateError(
        `The plugins that the rules name cannot be used:\n${errors.map((error) => describePluginError(error)).join("\n")}`,
      );
    // What an earlier process left half done is put right before the first call.
    await open.recovered;
    return open.gate;
  } catch (error) {
    await open.close();
    throw error;
  }
}

function readChoice(builtin: boolean | BuiltinChoice): BuiltinChoice {
  if (typeof builtin === "boolean") return {};
  if (!isRecord(builtin))
    throw new ToolgateError("builtin must be true, or an object with workspace, categories, stateFolder.");
  refuseUnknownKeys("builtin", builtin, ["workspace", "categories", "stateFolder"]);
  const { workspace, stateFolder, categories } = builtin;
  for (const [name, path] of Object.entries({ workspace, stateFolder }))
    if (path !== undefined && (typeof path !== "string" || path === ""))
      throw new ToolgateError(`builtin.${name} must be a folder.`);
  if (categories !== undefined && !isTexts(categories))
    throw new ToolgateError('builtin.categories must be a list of names such as "filesystem".');
  return builtin;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string" && one !== "");
}

/** A folder that is not there would make every call fail, each with a message of its own. */
function rootsOf({ workspace }: BuiltinChoice, { roots }: GateOptions): readonly string[] {
  if (workspace === undefined) return roots?.map((root) => resolve(root)) ?? [];
  if (roots !== undefined)
    throw new ToolgateError("builtin.workspace and roots say the same; give one of them.");
  const folder = resolve(workspace);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new ToolgateError(
      `builtin.workspace: there is no folder ${visible(folder)}. Make it, or name another one.`,
    );
  return [folder];
}

function readFiles(rules: LibraryGateRequest["rules"]): readonly string[] {
  const files = typeof rules === "string" ? [rules] : (rules ?? []);
  if (!isTexts(files)) throw new ToolgateError("rules must be the path of a rule file, or a list of paths.");
  return files;
}

async function readRules(
  files: readonly string[],
  projectDir: string,
  { stateFolder }: BuiltinChoice,
): Promise<OpenConfig> {
  const config = await openConfig({ cwd: process.cwd(), env: process.env, files, projectDir });
  if (config.problems.length > 0) {
    const told = config.problems.map((problem) =>
      visible(describeConfigProblem(problem), { keepNewlines: true }),
    );
    throw new ToolgateError(`The rules cannot be used:\n${told.join("\n")}`);
  }
  const state = stateFolder === undefined ? config.folders.state : resolve(stateFolder);
  return { ...config, projectDir, folders: { ...config.folders, state } };
}

/** Categories that are named with the tools are on. */
function withCategories(
  chosen: CategoryChoice,
  { categories = [] }: BuiltinChoice,
  { categories: own = [] }: GateOptions,
): CategoryChoice {
  const known = new Categories(() => {}, own);
  // Throws with the closest name for one that nobody has.
  for (const name of categories) known.enable(name);
  return { ...chosen, enabledCategories: [...(chosen.enabledCategories ?? []), ...categories] };
}

function wantedTools({ categories }: BuiltinChoice): (tool: AnyTool) => boolean {
  if (categories === undefined) return () => true;
  const wanted = new Set(categories.flatMap((name) => categoriesNamed(name)));
  return ({ category = "" }) => wanted.has(category);
}
