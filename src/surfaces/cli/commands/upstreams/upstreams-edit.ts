/** `toolgate upstreams add` and `remove`: servers in the user's configuration file, whose comments stay. */
import { explainBadUpstreamName } from "../../../../config/file/check-upstreams.ts";
import { writeYaml } from "../../../../config/file/write-yaml.ts";
import { addUpstream, hasUpstream, removeUpstream } from "../../../../config/settings/edit-upstreams.ts";
import { ToolgateError } from "../../../../core/call/errors.ts";
import { defined } from "../../../../core/input/defined.ts";
import type { JsonObject } from "../../../../core/input/json.ts";
import type { UpstreamStatus } from "../../../../core/ports/upstream.ts";
import { plural } from "../../../../core/text/plural.ts";
import { shownName, visible } from "../../../../core/text/visible.ts";
import type { Permission } from "../../../../core/tool/permission.ts";
import { openStoreParts } from "../../../../open/open-store.ts";
import { findStore } from "../../../../open/store/find-store.ts";
import { explainForPeople } from "../../agent-around.ts";
import type { CommonOptions } from "../../open/effective-config.ts";
import { coloursFor } from "../../terminal/colours.ts";
import { type CliIo, exitCodes, fail, printJson } from "../../terminal/io.ts";
import { asTyped } from "../../terminal/own-command.ts";
import { shownPath } from "../../terminal/shown.ts";
import { fromHere, missingFile, placeCommand } from "./placed-command.ts";
import { type ConfigText, changeUserConfig, readUserConfig } from "./save-config.ts";
import { shownProblem, whyItDoesNotWork } from "./server-problem.ts";
import { tryServer } from "./try-server.ts";

interface AddOptions extends CommonOptions {
  readonly name: string;
  /** The program and its arguments. */
  readonly command?: readonly string[] | undefined;
  readonly url?: string | undefined;
  /** `NAME=VALUE`. */
  readonly env?: readonly string[] | undefined;
  readonly envPass?: readonly string[] | undefined;
  /** `Name: value`. */
  readonly header?: readonly string[] | undefined;
  readonly cwd?: string | undefined;
  readonly sandbox?: string | undefined;
  readonly permission?: Permission | undefined;
  readonly trustAnnotations?: boolean | undefined;
  readonly review?: boolean | undefined;
  readonly replace?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
  /** `--no-check`: do not connect. */
  readonly check?: boolean | undefined;
}

export async function runUpstreamsAdd(options: AddOptions, io: CliIo): Promise<number> {
  const { name } = options;
  const bad = explainBadUpstreamName(name);
  if (bad !== undefined) throw new ToolgateError(`${shownName(name)}: ${bad}`);
  refuseAgents(options.dryRun === true, io);
  const upstream = toWritten(options, io);
  const put = ({ file, text }: ConfigText): string => {
    if (hasUpstream(text, name) && options.replace !== true)
      throw new ToolgateError(
        `${shownPath(file, io.cwd)} has an upstream ${name} already; --replace puts this one in its place.`,
      );
    return addUpstream(text, name, upstream);
  };
  if (options.dryRun === true) {
    const now = readUserConfig(options, io);
    put(now);
    const { file } = now;
    if (options.json === true) printJson({ file, name, upstream }, io);
    else io.out(writeYaml({ upstreams: { [name]: upstream } }));
    return exitCodes.ok;
  }
  const now = readUserConfig(options, io);
  const written = { ...now, text: put(now) };
  const status = options.check === false ? undefined : await tryServer(name, written, options, io);
  const problem = status && whyItDoesNotWork(status);
  if (problem !== undefined) {
    if (options.json === true) printJson({ file: now.file, name, added: false, status }, io);
    const missing = missingFile(upstream, io.cwd);
    const why =
      missing === undefined ? problem : `There is no file ${missing}, which its program is to start.`;
    return fail(explainNotAdded(name, upstream, why), io);
  }
  const file = await changeUserConfig(options, io, put);
  if (options.json === true) printJson({ file, name, added: true, ...(status && { status }) }, io);
  else io.out(`${coloursFor(io).green("✓")} ${name} is in ${shownPath(file, io.cwd)}.\n`);
  if (status !== undefined) describeTools(status, options, io);
  return exitCodes.ok;
}

function explainNotAdded(name: string, { command, args, url }: JsonObject, problem: string): string {
  const what = command === undefined ? url : [command, ...((args ?? []) as string[])].join(" ");
  return `${name} was not added: ${shownProblem(problem)}
It was tried as: ${visible(String(what))}
Mend that and add it again. To add it although it does not answer: --no-check`;
}

function describeTools(
  { tools, pending, refused }: UpstreamStatus,
  { name, json }: AddOptions,
  io: CliIo,
): void {
  const waiting =
    pending.length === 0
      ? ""
      : `, ${plural(pending.length, "waits", "wait")}: toolgate upstreams review ${name}`;
  if (json !== true) io.out(asTyped(`  ${plural(tools, "tool")} can be called${waiting}.\n`, io));
  for (const { tool, message } of refused) io.err(`  ${visible(tool)} is not offered: ${visible(message)}\n`);
}

interface RemoveOptions extends CommonOptions {
  readonly names: readonly string[];
}

export async function runUpstreamsRemove(options: RemoveOptions, io: CliIo): Promise<number> {
  refuseAgents(false, io);
  const file = await changeUserConfig(options, io, (now) => {
    const missing = options.names.filter((name) => !hasUpstream(now.text, name));
    if (missing.length > 0)
      throw new ToolgateError(
        `${shownPath(now.file, io.cwd)} has no upstream ${missing.map(shownName).join(", ")}. Those of other files are removed there; which they are: toolgate config show`,
      );
    return options.names.reduce(removeUpstream, now.text);
  });
  return forget(options, file, io);
}

/** A server that is added again has to be reviewed again. */
async function forget({ names, json }: RemoveOptions, file: string, io: CliIo): Promise<number> {
  await using parts = openStoreParts(await findStore(io.env));
  for (const name of names) await parts.pins.forget(name);
  if (json === true) printJson({ file, removed: names }, io);
  else
    io.out(
      `Removed from ${shownPath(file, io.cwd)}: ${names.join(", ")}. What was accepted of them is forgotten.\n`,
    );
  return exitCodes.ok;
}

function toWritten(options: AddOptions, io: CliIo): JsonObject {
  const { command = [], url, env, envPass, header, cwd, sandbox } = options;
  const isProgram = command.length > 0;
  if (isProgram === (url !== undefined))
    throw new ToolgateError(
      "Give either --url, or the program and its arguments behind --: toolgate upstreams add files -- npx -y server-files .",
    );
  const entries = (pairs: readonly string[] | undefined, divider: string, what: string) => {
    const all = (pairs ?? []).map((pair) => splitPair(pair, divider, what));
    return all.length === 0 ? undefined : Object.fromEntries(all);
  };
  const { program, args } = placeCommand(command, io.cwd, cwd);
  return defined({
    command: isProgram ? program : undefined,
    args: args.length === 0 ? undefined : args,
    env: entries(env, "=", "--env NAME=VALUE"),
    env_pass: envPass,
    cwd: cwd === undefined ? undefined : fromHere(cwd, io.cwd),
    sandbox,
    url,
    headers: entries(header, ":", '--header "Name: value"'),
    permission: options.permission,
    trust_annotations: options.trustAnnotations,
    review: options.review,
  });
}

function splitPair(pair: string, divider: string, what: string): [string, string] {
  const at = pair.indexOf(divider);
  if (at < 1) throw new ToolgateError(`${shownName(pair)} is not of the form ${what}.`);
  return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
}

/** A server is a program with the user's rights: an agent does not decide which ones there are. */
export function refuseAgents(isHarmless: boolean, io: CliIo): void {
  const refused = isHarmless ? undefined : explainForPeople("which servers there are", io);
  if (refused !== undefined) throw new ToolgateError(refused);
}
