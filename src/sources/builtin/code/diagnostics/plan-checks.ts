/** Decides which checkers are run for the paths that were asked for. */
import { dirname, extname, relative, sep } from "node:path";
import type { Failed } from "../../../../core/call/tool-answer.ts";
import { isInside } from "../../../../core/input/inside-folder.ts";
import type { ToolContext } from "../../../../core/tool/tool.ts";
import { shownPath } from "../../../../safe/files/workspace-files.ts";
import { findPlace, type SearchPlace } from "../../search/search-place.ts";
import type { Checker, CodeSettings } from "./options.ts";
import type { CheckerRun } from "./run-checker.ts";
import { maxProjects, projectsFor } from "./typescript-projects.ts";

export interface CheckPlan {
  readonly ok: true;
  readonly runs: readonly CheckerRun[];
  /** What was left out, and why. */
  readonly notes: readonly string[];
  /** Whether a finding in this file (absolute) was asked for. */
  covers(file: string): boolean;
}

export async function planChecks(
  paths: readonly string[],
  settings: CodeSettings,
  context: ToolContext,
): Promise<CheckPlan | Failed> {
  const places: SearchPlace[] = [];
  for (const path of paths.length === 0 ? ["."] : paths) {
    const place = await findPlace(path, context);
    if (place.kind === "refused") return { ok: false, code: place.code ?? "refused", message: place.message };
    places.push(place);
  }
  const notes: string[] = [];
  const configured = settings.checkers.flatMap((checker) => runOf(checker, places, context));
  const typescript = settings.typescript ? await typescriptRuns(places, context, notes) : [];
  return {
    ok: true,
    runs: [...configured, ...typescript],
    notes,
    covers: (file) => paths.length === 0 || places.some(({ absolute }) => isInside(file, absolute)),
  };
}

function runOf(checker: Checker, places: readonly SearchPlace[], context: ToolContext): CheckerRun[] {
  const { command, parse, matches } = checker;
  const asked = places.filter(
    ({ kind, absolute }) => kind === "directory" || matches(relative(context.cwd, absolute).split(sep)),
  );
  if (asked.length === 0) return [];
  // With ./ before it, no name of a file can be taken for an option.
  const names = asked.map(({ absolute }) => {
    const below = shownPath(absolute, context);
    return below.startsWith("/") || below === "." ? below : `./${below}`;
  });
  const [program = "", ...rest] = command;
  const args = rest.flatMap((one) => (one === "{paths}" ? names : [one]));
  return [{ name: program, command: program, args, cwd: context.cwd, form: parse, writes: true }];
}

const typescriptFiles = new Set([".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".json"]);

async function typescriptRuns(places: readonly SearchPlace[], context: ToolContext, notes: string[]) {
  const configs = new Map<string, string | undefined>();
  for (const place of places) {
    const { kind, absolute } = place;
    if (kind === "file" && !typescriptFiles.has(extname(absolute).toLowerCase())) continue;
    const folder = kind === "file" ? dirname(absolute) : absolute;
    for (const { config, compiler } of await projectsFor(place, folder)) configs.set(config, compiler);
  }
  const runs: CheckerRun[] = [];
  for (const [config, compiler] of configs) {
    const shown = shownPath(config, context);
    if (runs.length === maxProjects) {
      notes.push(
        `Only ${maxProjects} TypeScript projects are checked at once; name a path in one of the others.`,
      );
      break;
    }
    if (compiler === undefined)
      notes.push(
        `${shown} was not checked: there is no node_modules/typescript beside it or above it in the workspace. Install TypeScript in the project.`,
      );
    else runs.push(tscRun(compiler, config, shown));
  }
  return runs;
}

/** Nothing is written: no output, no build information, also where the configuration asks for it. */
function tscRun(compiler: string, config: string, shown: string): CheckerRun {
  const quiet = ["--noEmit", "--pretty", "false", "--incremental", "false", "--composite", "false"];
  return {
    name: `tsc -p ${shown}`,
    command: process.execPath,
    args: [compiler, ...quiet, "--tsBuildInfoFile", "null", "-p", config],
    cwd: dirname(config),
    form: "tsc",
    writes: false,
  };
}
