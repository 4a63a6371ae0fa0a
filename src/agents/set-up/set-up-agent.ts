/**
 * Makes the set-up of an agent out of data: which files hold something of ours, and how it looks there. A file
 * is one or more parts: `hooksInJson` (entries among others), `hooksInToml` (tables), `ownFile` (a plugin).
 *
 *   export const exampleSetup: AgentSetup = setUpAgent({
 *     name: "example", title: "Example", projectVariable: "EXAMPLE_PROJECT_DIR", abilities, hookTrial,
 *     scopes: ["user", "project"],
 *     signs: { programs: ["example"], folders: ({ home }) => [join(home, ".example")] },
 *     parts: ({ scope, home, projectDir }) => [
 *       hooksInJson({
 *         agent: "example", file: join(scope === "project" ? projectDir : home, ".example", "settings.json"),
 *         hooks: ({ before, after }) => ({
 *           BeforeTool: [{ matcher: "*", hooks: [{ type: "command", command: before.line, timeout: before.seconds }] }],
 *           AfterTool: [{ matcher: "*", hooks: [{ type: "command", command: after.line, timeout: after.seconds }] }],
 *         }),
 *       }),
 *     ],
 *     checks: (place) => (isSwitchedOff(place) ? [problem("hooks-off", "...", "...")] : []),
 *   });
 *
 * Everything else follows: foreign entries and layout stay, twice is once, all files or none, uninstall brings back
 * every byte, `examine` sees entries that were changed.
 */
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import type {
  AgentAbilities,
  AgentSetup,
  InstallRequest,
  ProjectPlace,
  SetupRequest,
  SetupResult,
  SetupScope,
} from "../agent-setup.ts";
import { readTextFile } from "../read-json-file.ts";
import type { SetupFinding } from "../setup-finding.ts";
import { putParts, takeParts } from "./change-files.ts";
import { examineParts } from "./examine-parts.ts";
import type { FilePart } from "./file-part.ts";
import { type ChosenCommand, chooseHookCommand, makeExecutable } from "./hook-command.ts";
import { fitsIntoLine, readHookLine } from "./hook-line.ts";
import { keyIn } from "./hook-lines.ts";

export interface ScopedPlace extends ProjectPlace {
  readonly scope: SetupScope;
}

export interface AgentForm
  extends Pick<AgentSetup, "scopes" | "signs" | "hookTrial">,
    Partial<Pick<AgentSetup, "trust" | "findUntrusted" | "findServers" | "serverCommands" | "client">> {
  readonly name: string;
  readonly title: string;
  /** As in the agent's adapter. */
  readonly projectVariable?: string;
  readonly abilities: AgentAbilities;
  /** What is ours, in this scope. */
  parts(place: ScopedPlace): readonly FilePart[];
  /** What is ours only once a person has said yes to `trust`; taken out by uninstall, too. */
  trustParts?(place: ScopedPlace): readonly FilePart[];
  /** What only this agent has: a switch that turns hooks off, a hook that it does not trust yet. */
  checks?(place: ProjectPlace): readonly SetupFinding[];
}

export function setUpAgent(form: AgentForm): AgentSetup {
  const { trust, serverCommands, client } = form;
  return {
    abilities: form.abilities,
    scopes: form.scopes,
    signs: form.signs,
    hookTrial: form.hookTrial,
    install: (request) => install(form, request),
    uninstall: (request) => uninstall(form, request),
    examine(place) {
      const checked = examineParts(form, partsOf(form, place), place);
      return { ...checked, findings: [...checked.findings, ...(form.checks?.(place) ?? [])] };
    },
    findUntrusted: form.findUntrusted ?? (() => []),
    findServers: form.findServers ?? (() => []),
    ...(trust && { trust }),
    ...(serverCommands && { serverCommands }),
    ...(client && { client }),
  };
}

function install(form: AgentForm, request: InstallRequest): SetupResult {
  if (!existsSync(request.bundle)) return refuse(explainNoBundle(request.bundle));
  const wrongScope = explainScope(form, request.scope);
  if (wrongScope !== undefined) return refuse(wrongScope);
  const parts = form.parts(request);
  const chosen = withKey(chooseHookCommand(request, form.projectVariable), request, keysIn(parts));
  const problem = prepareProgram(chosen, request);
  if (problem !== undefined) return refuse(problem);
  const done = putParts(request, parts, chosen);
  if (!done.ok) return done;
  const also = otherFiles(form, request).map(
    (file) => `The hooks are also in ${file}; there each call is checked a second time.`,
  );
  const command = done.lines.find(({ isBefore }) => isBefore)?.line;
  const notes = [...chosen.notes, ...also];
  return { ok: true, files: done.files, ...(command !== undefined && { command }), notes };
}

function uninstall(form: AgentForm, request: SetupRequest): SetupResult {
  const wrongScope = explainScope(form, request.scope);
  if (wrongScope !== undefined) return refuse(wrongScope);
  // The folder goes with what made it, when nothing else is in it.
  const done = takeParts(request, [...(form.trustParts?.(request) ?? []), ...form.parts(request)]);
  if (!done.ok) return done;
  const notes = otherFiles(form, request).map((file) => `The hooks are still in ${file}.`);
  return { ok: true, files: done.files, notes };
}

export function explainNoBundle(bundle: string): string {
  return `The hook ${bundle} is not there. In a clone, run: npm run build`;
}

/** The hook that is named must be there and executable, and its name must fit into a line. Text: why not. */
export function prepareProgram(
  { program, node = "node" }: ChosenCommand,
  request: SetupRequest,
): string | undefined {
  const odd = [program.path, node].find((path) => !fitsIntoLine(path));
  if (odd !== undefined)
    return `The path ${JSON.stringify(odd)} cannot stand in a line. Move toolgate elsewhere.`;
  return request.dryRun === true ? undefined : makeExecutable(program, request.projectDir);
}

/** A project's settings are known to everybody, and are to be the same for everybody. */
export function withKey(
  chosen: ChosenCommand,
  { scope, key }: InstallRequest,
  known: readonly string[],
): ChosenCommand {
  return scope === "project" ? chosen : { ...chosen, key: known[0] ?? key ?? randomBytes(8).toString("hex") };
}

function keysIn(parts: readonly FilePart[]): string[] {
  return parts
    .flatMap(linesInFile)
    .map(({ line }) => keyIn(readHookLine(line)))
    .filter((key) => key !== undefined);
}

function linesInFile(part: FilePart): ReturnType<FilePart["find"]> {
  const read = readTextFile(part.file);
  return read.state === "read" ? part.find(read.text) : [];
}

/** Files of other scopes that hold our hooks. */
function otherFiles(form: AgentForm, request: SetupRequest): string[] {
  const own = form.parts(request).map(({ file }) => file);
  const others = partsOf(form, request).filter((part) => !own.includes(part.file));
  return [...new Set(others.filter((part) => linesInFile(part).length > 0).map(({ file }) => file))];
}

/** Of every scope; a project that is the home has no settings of its own. */
function partsOf(form: AgentForm, place: ProjectPlace): FilePart[] {
  const scopes = form.scopes.filter((scope) => scope === "user" || place.projectDir !== place.home);
  return scopes.flatMap((scope) => form.parts({ ...place, scope }));
}

function explainScope({ title, scopes }: AgentForm, scope: SetupScope): string | undefined {
  if (scopes.includes(scope)) return undefined;
  return `${title} has no settings of the scope ${JSON.stringify(scope)}: it has ${scopes.join(" and ")}.`;
}

function refuse(message: string): SetupResult {
  return { ok: false, message };
}
