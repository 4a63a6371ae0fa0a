/** `toolgate upstreams review` and `accept`: changed tools, and a person's yes to what was shown. */
import { ToolgateError } from "../../../../core/call/errors.ts";
import { hasInvisible, shownName } from "../../../../core/text/visible.ts";
import type { OpenConfig } from "../../../../open/open-config.ts";
import { openStoreParts } from "../../../../open/open-store.ts";
import { openTools } from "../../../../open/open-tools.ts";
import { pinKey } from "../../../../open/resolve-upstreams.ts";
import { storeOf } from "../../../../open/store/find-store.ts";
import {
  acceptedNote,
  type FirstSight,
  firstSightNote,
} from "../../../../sources/upstream/pins/accepted-note.ts";
import { acceptItems, type ReviewItem, reviewItems } from "../../../../sources/upstream/pins/review.ts";
import { explainForPeople } from "../../agent-around.ts";
import { type CommonOptions, openUsable } from "../../open/effective-config.ts";
import { changeOnRecord } from "../../open/record-change.ts";
import { coloursFor } from "../../terminal/colours.ts";
import { confirm } from "../../terminal/confirm.ts";
import { type CliIo, exitCodes, fail, printJson } from "../../terminal/io.ts";
import { asTyped } from "../../terminal/own-command.ts";
import { chooseUpstreams } from "./choose-upstreams.ts";
import { describeItem, isCompact } from "./describe-review.ts";
import { shownProblem, whyItDoesNotWork } from "./server-problem.ts";

interface ReviewOptions extends CommonOptions {
  readonly names?: readonly string[] | undefined;
  /** Only what was seen before; nothing is started. */
  readonly offline?: boolean | undefined;
  /** Whole definitions instead of how they begin. */
  readonly full?: boolean | undefined;
}

export async function runUpstreamsReview(options: ReviewOptions, io: CliIo): Promise<number> {
  const config = await openUsable(options, io);
  const chosen = chooseUpstreams(config, options.names);
  const problems =
    options.offline === true
      ? []
      : await lookAt(
          config,
          chosen.map(({ name }) => name),
          io,
        );
  await using parts = openStoreParts(storeOf(config, { stateFolder: config.folders.state, env: io.env }));
  const { pins } = parts;
  const items = (
    await Promise.all(chosen.map((upstream) => reviewItems(pins, upstream.name, pinKey(upstream))))
  ).flat();
  if (options.json === true) printJson({ items, problems }, io);
  else {
    io.out(items.length === 0 ? nothingWaits(chosen.length, problems.length) : describe(items, options, io));
    if (items.length > 0) io.err(asTyped(howToAccept(items), io));
  }
  for (const { server, problem } of problems)
    io.err(`${server} could not be asked: ${shownProblem(problem)}\n`);
  return problems.length > 0 && items.length === 0 ? exitCodes.failed : exitCodes.ok;
}

interface AcceptOptions extends CommonOptions {
  readonly name: string;
  /** By default all that wait. */
  readonly tools?: readonly string[] | undefined;
  readonly yes?: boolean | undefined;
  /** With `yes`. Without `yes` everything is shown anyhow. */
  readonly full?: boolean | undefined;
}

export async function runUpstreamsAccept(options: AcceptOptions, io: CliIo): Promise<number> {
  const config = await openUsable(options, io);
  const [upstream] = chooseUpstreams(config, [options.name]);
  if (upstream === undefined) return exitCodes.failed;
  await using parts = openStoreParts(storeOf(config, { stateFolder: config.folders.state, env: io.env }));
  const { pins } = parts;
  const key = pinKey(upstream);
  const waiting = await reviewItems(pins, upstream.name, key);
  const items = chosenItems(waiting, options.tools ?? [], upstream.name);
  if (items.length === 0) {
    const nothing = `Nothing of ${upstream.name} waits. What it has now is found by: toolgate upstreams review ${upstream.name}`;
    if (options.json === true) printJson({ accepted: [] }, io);
    else io.out(`${asTyped(nothing, io)}\n`);
    return exitCodes.ok;
  }
  // A person who is asked has seen everything: text for the model alone stands behind the first line.
  const full = options.full === true || options.yes !== true;
  (options.json === true ? io.err : io.out)(describe(items, { full }, io));
  const refused = await whyNotNow(options, io);
  if (refused !== undefined) return fail(refused, io);
  const accepted = await changeOnRecord(io, async () => {
    const taken = await acceptItems(pins, upstream.name, key, items);
    return { result: taken, changes: taken.length === 0 ? [] : [acceptedNote(upstream.name, taken)] };
  });
  return tellAccepted(items, accepted, options, io);
}

function tellAccepted(
  asked: readonly ReviewItem[],
  accepted: readonly ReviewItem[],
  { json }: AcceptOptions,
  io: CliIo,
): number {
  const names = accepted.map(({ tool }) => tool);
  const left = asked.filter(({ tool }) => !names.includes(tool)).map(({ tool }) => tool);
  if (json === true) printJson({ accepted: names, changedAgain: left }, io);
  else if (names.length > 0)
    io.out(
      `Accepted: ${names.map(shownName).join(", ")}. They can be called, also where toolgate runs already.\n`,
    );
  if (left.length === 0) return exitCodes.ok;
  return fail(`Changed again meanwhile, so not accepted: ${left.map(shownName).join(", ")}. Look again.`, io);
}

/** Undefined: go on. */
async function whyNotNow({ yes }: AcceptOptions, io: CliIo): Promise<string | undefined> {
  // The text under review may have talked an agent into accepting it.
  const refused = explainForPeople("to accept a tool", io);
  if (refused !== undefined) return refused;
  if (yes === true) return undefined;
  const answer = await confirm("Accept this?", io);
  if (answer === undefined)
    return "Nobody is there to ask. Nothing was changed; --yes accepts what is shown above.";
  return answer ? undefined : "Nothing was changed.";
}

function chosenItems(
  waiting: readonly ReviewItem[],
  tools: readonly string[],
  server: string,
): readonly ReviewItem[] {
  for (const tool of tools)
    if (!waiting.some((item) => item.tool === tool))
      throw new ToolgateError(
        `No tool ${shownName(tool)} of ${server} waits. Those that do: ${waiting.map((item) => item.tool).join(", ") || "none"}.`,
      );
  return tools.length === 0 ? waiting : waiting.filter(({ tool }) => tools.includes(tool));
}

interface NotAsked {
  readonly server: string;
  readonly problem: string;
}

async function lookAt(config: OpenConfig, names: readonly string[], io: CliIo): Promise<NotAsked[]> {
  const upstreams = (config.settings.upstreams ?? []).filter(({ name }) => names.includes(name));
  const only = { ...config, settings: { ...config.settings, upstreams } };
  const first: FirstSight[] = [];
  await using open = await openTools(only, {
    durable: false,
    env: io.env,
    onFirstSight: (seen) => first.push(seen),
  });
  await open.upstreams.look();
  if (first.length > 0)
    await changeOnRecord(io, async () => ({ result: undefined, changes: first.map(firstSightNote) }));
  return open.upstreams.upstreams.status().flatMap((status) => {
    const problem = whyItDoesNotWork(status);
    return problem === undefined ? [] : [{ server: status.server, problem }];
  });
}

/** Of a server that could not be asked nobody knows. */
function nothingWaits(chosen: number, notAsked: number): string {
  if (notAsked === 0) return "Nothing waits: all tools are as they were accepted.\n";
  return notAsked === chosen ? "" : "Of the servers that could be asked nothing waits.\n";
}

function describe(items: readonly ReviewItem[], { full }: ReviewOptions, io: CliIo): string {
  const colours = coloursFor(io);
  const servers = [...new Set(items.map(({ server }) => server))];
  const parts = servers.map((server) => {
    const own = items.filter((item) => item.server === server);
    return `${colours.bold(server)}\n${own.map((item) => describeItem(item, colours, full === true)).join("")}`;
  });
  const isAll = full === true || !items.some(isCompact);
  return `${parts.join("\n")}${isAll ? "" : `Of new ones this is the beginning; a model reads all of it: --full\n`}`;
}

function howToAccept(items: readonly ReviewItem[]): string {
  const [{ server = "", tool = "" } = {}] = items;
  const all = `Until then they are hidden and refused. Accept all of a server: toolgate upstreams accept ${server}\n`;
  // A person who copies such a name does not see what they copy.
  if (hasInvisible(tool)) return all;
  return `${all}Or some: toolgate upstreams accept ${server} ${shellWord(tool)}\n`;
}

function shellWord(word: string): string {
  return /^[\w.-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
