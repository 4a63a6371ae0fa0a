/** `toolgate upstreams list`: which servers there are, how they stand, and what waits for a person. */

import { shownArguments, shownUrl } from "../../../../config/settings/shown-upstream.ts";
import type { PlacedUpstream } from "../../../../config/settings/upstream-settings.ts";
import type { UpstreamStatus } from "../../../../core/ports/upstream.ts";
import { plural } from "../../../../core/text/plural.ts";
import { shownName, visible } from "../../../../core/text/visible.ts";
import { openTools } from "../../../../open/open-tools.ts";
import {
  type CommonOptions,
  describeIgnored,
  describeNotes,
  openUsable,
} from "../../open/effective-config.ts";
import { coloursFor } from "../../terminal/colours.ts";
import { type CliIo, exitCodes, printJson } from "../../terminal/io.ts";
import { asTyped } from "../../terminal/own-command.ts";
import { createProgress } from "../../terminal/progress.ts";
import { formatTable } from "../../terminal/table.ts";
import { shownProblem, whyItDoesNotWork } from "./server-problem.ts";

interface UpstreamsListOptions extends CommonOptions {
  /** Connect to each of them. */
  readonly check?: boolean | undefined;
}

export async function runUpstreamsList(options: UpstreamsListOptions, io: CliIo): Promise<number> {
  const config = await openUsable(options, io);
  io.err(describeNotes(config.notes, io) + describeIgnored(config.ignored, io));
  await using open = await openTools(config, { durable: false, env: io.env });
  if (options.check === true) {
    using progress = createProgress(io);
    progress.step("Connecting to the servers");
    await open.upstreams.look();
  }
  const status = open.upstreams.upstreams.status();
  const entries = config.settings.upstreams ?? [];
  if (options.json === true) printJson({ upstreams: status }, io);
  else if (status.length === 0)
    io.out(asTyped("No upstream is configured. Add one: toolgate upstreams add --help\n", io));
  else io.out(describe(status, entries, io));
  const isFine = status.every((one) => whyItDoesNotWork(one) === undefined);
  return isFine || options.check !== true ? exitCodes.ok : exitCodes.failed;
}

function describe(status: readonly UpstreamStatus[], entries: readonly PlacedUpstream[], io: CliIo): string {
  const rows = status.map(({ server, state, tools, pending, transport }) => [
    server,
    state,
    String(tools),
    pending.length === 0 ? "-" : String(pending.length),
    transport,
    whereOf(entries.find(({ name }) => name === server)),
  ]);
  const table = formatTable(["NAME", "STATE", "TOOLS", "WAITING", "OVER", "WHERE"], rows, io);
  return `${table}${status.map((one) => remarks(one, io)).join("")}`;
}

function whereOf(entry: PlacedUpstream | undefined): string {
  if (entry === undefined) return "";
  const { transport } = entry;
  if (transport.kind === "http") return shownUrl(transport.url);
  return [transport.command, ...shownArguments(transport.args)].join(" ");
}

function remarks(status: UpstreamStatus, io: CliIo): string {
  const { server, problem, pending, refused, misnamed } = status;
  const colours = coloursFor(io);
  const lines = [
    ...(problem === undefined ? [] : [`${colours.red("✗")} ${server}: ${shownProblem(problem)}`]),
    ...(pending.length === 0
      ? []
      : [
          asTyped(
            `${colours.yellow("!")} ${server}: ${plural(pending.length, "waits", "wait")} to be accepted: toolgate upstreams review ${server}`,
            io,
          ),
        ]),
    ...refused.map(
      ({ tool, message }) =>
        `${colours.yellow("!")} ${server}: ${visible(tool)} is not offered: ${visible(message)}`,
    ),
    ...misnamed.map(
      ({ tool, closest }) =>
        `${colours.yellow("!")} ${server}: it has no tool ${shownName(tool)} (under tools:)${closest === undefined ? "" : `; did you mean ${shownName(closest)}?`}`,
    ),
    ...(isUnknown(status)
      ? [
          asTyped(
            `${colours.dim("-")} ${server}: its tools are not known yet; toolgate upstreams list --check asks it`,
            io,
          ),
        ]
      : []),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

/** A server that was connected before has agreed on a version, even if it has no tools. */
function isUnknown({ state, tools, pending, protocolVersion }: UpstreamStatus): boolean {
  return state === "idle" && tools + pending.length === 0 && protocolVersion === undefined;
}
