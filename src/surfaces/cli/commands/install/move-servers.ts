/** `install --mcp`: an agent's MCP servers move behind the gate, and toolgate takes their place. */
import { join } from "node:path";
import type { SetupRequest, SetupResult } from "../../../../agents/agent-setup.ts";
import { isToolgateServer } from "../../../../agents/mcp-servers/is-toolgate-server.ts";
import { type McpPlace, mcpAgents, mcpPlaceOf } from "../../../../agents/mcp-servers/mcp-places.ts";
import { readTextFile as readAgentsFile } from "../../../../agents/read-json-file.ts";
import { putParts, takeParts } from "../../../../agents/set-up/change-files.ts";
import {
  forgetServers,
  limitIn,
  mcpPart,
  movedServers,
  ownServer,
  rememberServers,
  serversIn,
} from "../../../../agents/set-up/mcp-part.ts";
import { findFolders } from "../../../../config/folders.ts";
import { redactText } from "../../../../safe/redact/redact.ts";
import { hookAddressFile } from "../../../hook/process/find-place.ts";
import type { CliIo } from "../../terminal/io.ts";
import type { OwnAddresses } from "../upstreams/is-toolgate.ts";
import { planImport } from "../upstreams/plan-import.ts";
import type { KnownAgent } from "./on-machine.ts";
import type { Done } from "./setup-report.ts";
import { holdsSame, type Upstreams, upstreamsPart, usersConfig } from "./upstreams-part.ts";

export interface ServerMove {
  /** The program and arguments by which toolgate is started. */
  readonly program: readonly [string, ...string[]];
  readonly own: OwnAddresses;
}

const noHook = { program: { path: "" } };

/** With `dryRun`: what would be done. */
export function moveServers(
  { agent }: KnownAgent,
  request: SetupRequest,
  { program, own }: ServerMove,
  io: CliIo,
): SetupResult {
  const place = mcpPlaceOf(agent.name, request);
  if (place === undefined) return { ok: true, files: [], notes: [explainNoPlace(agent.title, request)] };
  const text = textIn(place.file);
  const servers = serversIn(text, place);
  if (typeof servers === "string")
    return { ok: false, message: `${place.file} was not changed: ${servers}.` };
  const limit = limitIn(text, place);
  if (limit !== undefined)
    return { ok: true, files: [], notes: [explainLimit(agent.title, place.file, limit)] };
  const addressFile = hookAddressFile(findFolders(io.env).state);
  const { memory } = request;
  const earlier = movedServers(place.file, memory);
  const isOwn = (name: string) =>
    isToolgateServer(servers[name], addressFile) || (earlier !== undefined && name === ownServer);
  const isThere = Object.keys(servers).some(isOwn);
  const { taken, shared, stay } = planMove(place, servers, { isOwn, own, io });
  const names = [...taken, ...shared].map(({ from }) => from);
  const [command, ...args] = program;
  // An entry that the person wrote stays; whatever else has our name comes back later.
  const entry = isThere && earlier === undefined ? undefined : place.entry(command, args);
  const added = Object.fromEntries(taken.map(({ name, upstream }) => [name, upstream]));
  const parts = [
    mcpPart({ place, entry, names, memory }),
    ...(taken.length === 0 ? [] : [upstreamsPart(added, io)]),
  ];
  const done = putParts(request, parts, noHook);
  if (!done.ok) return done;
  const isDone = request.dryRun !== true && memory !== undefined && (entry !== undefined || names.length > 0);
  if (isDone) rememberServers(place, replacedBy(servers, names, earlier === undefined), memory);
  const renamed =
    names.length === 0
      ? []
      : [
          `Tools of ${names.join(", ")} are now called ${ownServer}'s: NAME__TOOL. Rules of ${agent.title} that name them by their old names no longer match.`,
        ];
  return shown({ ok: true, files: done.files, notes: [...renamed, ...stay] });
}

function explainLimit(title: string, file: string, limit: string): string {
  return `The MCP servers of ${title} stay where they are: "${limit}" in ${file} says which of them count, and knows none behind the gate. Take it out, and install again.`;
}

function explainNoPlace(title: string, { scope }: SetupRequest): string {
  if (scope === "project")
    return "MCP servers in a project's file are everybody's: they stay where they are. Yours move with --scope user.";
  return `Where ${title} keeps its MCP servers (scope ${scope}) is not known: they stay where they are.`;
}

function replacedBy(
  servers: Readonly<Record<string, unknown>>,
  names: readonly string[],
  isFirst: boolean,
): Readonly<Record<string, unknown>> {
  const all = isFirst && Object.hasOwn(servers, ownServer) ? [...names, ownServer] : names;
  return Object.fromEntries(all.map((name) => [name, servers[name]]));
}

interface Moved {
  /** As the agent calls it, and as it is called here. */
  readonly from: string;
  readonly name: string;
  readonly upstream: Upstreams[string];
}

function planMove(
  place: McpPlace,
  servers: Readonly<Record<string, unknown>>,
  {
    isOwn,
    own,
    io,
  }: { readonly isOwn: (name: string) => boolean; readonly own: OwnAddresses; readonly io: CliIo },
) {
  const config = usersConfig(io).text;
  // A gate that calls itself would ask and answer in circles.
  const read = place.read(servers, place.file).filter(({ name }) => !isOwn(name));
  const found = read.filter(({ disabled }) => disabled !== true);
  const moved: Moved[] = [];
  const shared: Moved[] = [];
  const stay: string[] = [];
  // One at a time: what a server is called in the agent has to be known.
  let text = config;
  for (const server of found) {
    const into = { text, own, env: io.env };
    // What leaves the agent's file must not be lost: values go along, into a file that only the user can read.
    const { taken, left } = planImport([server], into, { copySecrets: true });
    const [adopted] = taken;
    const again = planImport([server], { ...into, text: "" }, { copySecrets: true }).taken[0];
    if (adopted !== undefined) {
      moved.push({ from: server.name, name: adopted.name, upstream: adopted.upstream });
      text = upstreamsPart({ [adopted.name]: adopted.upstream }, io).textWith(text);
    } else if (again !== undefined && holdsSame(text, again.name, again.upstream))
      shared.push({ from: server.name, name: again.name, upstream: again.upstream });
    else if (left[0] !== undefined && left[0].why !== "it is toolgate itself")
      stay.push(`${server.name} stays where it is: ${left[0].why}.`);
  }
  for (const { name, disabled } of read)
    if (disabled === true) stay.push(`${name} stays where it is: it is switched off.`);
  return { taken: moved, shared, stay };
}

/** Before the hooks are taken out. The upstreams go when no agent reaches them by toolgate any more. */
export function returnServers(
  chosen: readonly KnownAgent[],
  request: SetupRequest,
  io: CliIo,
): ReadonlyMap<KnownAgent, SetupResult> {
  const ends = new Map<KnownAgent, SetupResult>();
  const back: Record<string, Upstreams[string]> = {};
  const own = { ports: [], hosts: [] };
  const { memory } = request;
  for (const known of chosen) {
    const place = mcpPlaceOf(known.agent.name, request);
    const moved = place && movedServers(place.file, memory);
    if (place === undefined || moved === undefined) continue;
    const done = takeParts(request, [mcpPart({ place, entry: undefined, names: [], memory })]);
    ends.set(known, done.ok ? shown({ ok: true, files: done.files, notes: [] }) : done);
    if (!done.ok) continue;
    for (const server of place.read(moved, place.file))
      for (const { name, upstream } of planImport(
        [server],
        { text: "", own, env: io.env },
        { copySecrets: true },
      ).taken)
        back[name] = upstream;
    if (request.dryRun !== true && memory !== undefined) forgetServers(place, memory);
  }
  const [last] = [...ends.keys()].slice(-1);
  if (last === undefined) return ends;
  const isNeeded = mcpAgents().some((name) => isRegistered(name, request, chosen));
  const end = ends.get(last);
  if (end?.ok !== true) return ends;
  if (isNeeded) {
    ends.set(last, {
      ...end,
      notes: [
        ...end.notes,
        "The upstreams stay in your configuration: another agent reaches them by toolgate.",
      ],
    });
    return ends;
  }
  const done = takeParts(request, [upstreamsPart(back, io)]);
  if (done.ok) ends.set(last, shown({ ...end, files: [...end.files, ...done.files] }));
  else ends.set(last, done);
  return ends;
}

/** An agent that stays as it is has servers behind the gate. */
function isRegistered(agent: string, request: SetupRequest, chosen: readonly KnownAgent[]): boolean {
  return (["user", "project", "local"] as const).some((scope) => {
    if (scope === request.scope && chosen.some((known) => known.agent.name === agent)) return false;
    const place = mcpPlaceOf(agent, { ...request, scope });
    return place !== undefined && movedServers(place.file, request.memory) !== undefined;
  });
}

/** Keys and tokens of servers are no news to the person, and nothing for a screen. */
function shown(done: Done): SetupResult {
  const files = done.files.map((file) => ({
    ...file,
    added: file.added.map(redactText),
    removed: file.removed.map(redactText),
  }));
  return { ...done, files };
}

function textIn(file: string): string {
  const read = readAgentsFile(file);
  return read.state === "read" ? read.text : "";
}

/** How an agent starts toolgate: the node and the command line of this package. */
export function ownProgram(bundle: string, execPath: string): ServerMove["program"] {
  return [execPath, join(bundle, "..", "..", "cli.js"), "mcp"];
}
