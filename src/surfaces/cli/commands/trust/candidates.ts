/** Which files a person wants to trust, and what each of them would be allowed to do. */
import { existsSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { projectSources } from "../../../../config/find-project.ts";
import type { Ignored } from "../../../../config/loaded-config.ts";
import { unboundedReader } from "../../../../config/trust/strangers.ts";
import type { TrustedFile } from "../../../../config/trust/trust.ts";
import { visible } from "../../../../core/text/visible.ts";
import { openConfig } from "../../../../open/open-config.ts";
import { projectToolsFolder } from "../../../../open/open-plugins.ts";
import { describeProblems } from "../../open/effective-config.ts";
import { realPath } from "../../open/real-path.ts";
import { coloursFor } from "../../terminal/colours.ts";
import { describePluginErrors } from "../../terminal/describe-plugins.ts";
import type { CliIo } from "../../terminal/io.ts";
import { shownPath, shownPlace } from "../../terminal/shown.ts";
import { findPluginFiles, toPluginCandidate } from "./plugin-candidates.ts";

export interface Candidate {
  readonly file: string;
  readonly sha256: string;
  readonly trusted: boolean;
  /** Trusted before, with another content. */
  readonly changed: boolean;
  /** What the file would be allowed to do from now on. */
  readonly gains: readonly Ignored[];
  /** Otherwise the file holds rules. */
  readonly isPlugin?: boolean;
}

type Found =
  | { readonly ok: true; readonly candidates: readonly Candidate[] }
  | { readonly ok: false; readonly message: string };

export async function findCandidates(
  targets: readonly string[],
  pins: readonly TrustedFile[],
  io: CliIo,
): Promise<Found> {
  const candidates: Candidate[] = [];
  let messages = "";
  const wanted = targets.length > 0 ? targets : [undefined];
  for (const target of wanted) {
    const isFolder =
      target === undefined || statSync(target, { throwIfNoEntry: false })?.isDirectory() === true;
    const folder = target === undefined ? io.cwd : isFolder ? target : projectOf(target);
    const config = await openConfig({ cwd: folder, env: io.env, strangers: unboundedReader });
    const { sources, problems, ignored, projectDir } = config;
    const named = sources.flatMap(({ file, origin }) => (origin === "environment" ? [file] : []));
    const files = [
      ...filesFor(target, isFolder, projectDir, folder),
      ...named.filter((one) => one === target),
    ];
    const pluginFiles = findPluginFiles(config, target, io);
    for (const file of pluginFiles) {
      const found = toPluginCandidate(file, config, pins);
      if (found.ok) candidates.push(found.candidate);
      else messages += describePluginErrors(found.errors, io.cwd);
    }
    if (files.length === 0 && pluginFiles.length === 0)
      messages += `${explainNothing(target, isFolder, target === undefined ? projectDir : folder, io.cwd)}\n`;
    for (const file of files) {
      const source = sources.find((one) => one.file === file);
      const wrong = problems.filter((problem) => problem.file === file);
      if (source === undefined) {
        // A file that cannot be used cannot be judged either.
        messages += describeProblems(
          wrong.length > 0 ? wrong : [{ file, message: "It is not read as a project file here." }],
          io.cwd,
        );
        continue;
      }
      const pin = pins.find(({ path }) => path === realPath(file));
      candidates.push({
        file,
        sha256: source.sha256,
        trusted: source.vouched,
        changed: pin !== undefined && pin.sha256 !== source.sha256,
        gains: ignored.filter((one) => one.file === file),
      });
    }
  }
  return messages === "" ? { ok: true, candidates } : { ok: false, message: messages };
}

function filesFor(
  target: string | undefined,
  isFolder: boolean,
  projectDir: string,
  folder: string,
): string[] {
  const files = projectSources(target === undefined ? projectDir : folder).map(({ file }) => file);
  if (!isFolder) return files.filter((file) => file === target && existsSync(file));
  return files.filter((file) => existsSync(file));
}

function explainNothing(target: string | undefined, isFolder: boolean, folder: string, cwd: string): string {
  const names = projectSources("").map(({ file }) => file);
  if (target !== undefined && !isFolder) {
    const path = shownPath(target, cwd);
    if (!existsSync(target)) return `${path}: There is no such file.`;
    return `${path}: This is no project file; only these are read from a project: ${names.join(", ")} and plugins in .toolgate/tools. A file of TOOLGATE_ROUTES can be trusted where that variable names it.`;
  }
  return `${visible(folder)} has no project file to trust: there is no ${names.join(", ")} and no plugin in .toolgate/tools.`;
}

/** The project of `.claude/tool-routes.yaml` or `.toolgate/tools/x.json` is above those folders. */
function projectOf(file: string): string {
  const folder = dirname(file);
  const project = dirname(dirname(folder));
  if (folder === projectToolsFolder(project)) return project;
  return basename(folder) === ".claude" ? dirname(folder) : folder;
}

export function describeCandidate({ file, sha256, trusted, changed, gains }: Candidate, io: CliIo): string {
  const colours = coloursFor(io);
  const title = `${colours.bold(shownPath(file, io.cwd))} ${colours.dim(`(sha256 ${sha256.slice(0, 12)})`)}`;
  if (trusted) return `${title} is trusted already.\n`;
  const before = changed ? "  It has changed since it was trusted.\n" : "";
  if (gains.length === 0)
    return `${title}\n${before}  It only makes the gate stricter: nothing in it was ignored.\n`;
  const lines = gains.map(({ line, what, why }) => {
    const place = shownPlace({ file, ...(line !== undefined && { line }) }, io.cwd);
    return `    ${visible(what)}: ${visible(why)} ${colours.dim(`(${place})`)}\n`;
  });
  return `${title}\n${before}  Ignored until now, in force once it is trusted:\n${lines.join("")}`;
}
