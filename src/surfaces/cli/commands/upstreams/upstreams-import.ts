/** `toolgate upstreams import`: takes over the MCP servers of another program, after showing them. */
import { findServers } from "../../../../agents/mcp-servers/find-servers.ts";
import type { ServerOwner } from "../../../../agents/mcp-servers/server-owners.ts";
import { writeYaml } from "../../../../config/file/write-yaml.ts";
import { findProject } from "../../../../config/find-project.ts";
import { findFolders } from "../../../../config/folders.ts";
import { addUpstream } from "../../../../config/settings/edit-upstreams.ts";
import { ToolgateError } from "../../../../core/call/errors.ts";
import { shownName, visible } from "../../../../core/text/visible.ts";
import { type CommonOptions, openEffective } from "../../open/effective-config.ts";
import { coloursFor } from "../../terminal/colours.ts";
import { confirm } from "../../terminal/confirm.ts";
import { type CliIo, exitCodes, printJson } from "../../terminal/io.ts";
import { asTyped } from "../../terminal/own-command.ts";
import { createProgress } from "../../terminal/progress.ts";
import { shownPath } from "../../terminal/shown.ts";
import type { Adopted } from "./adopt-server.ts";
import { ownAddresses } from "./is-toolgate.ts";
import { type ImportChoices, type ImportPlan, planImport } from "./plan-import.ts";
import { changeUserConfig, readUserConfig } from "./save-config.ts";
import { refuseAgents } from "./upstreams-edit.ts";

interface ImportOptions extends CommonOptions, ImportChoices {
  readonly from: ServerOwner;
  readonly dryRun?: boolean | undefined;
  readonly yes?: boolean | undefined;
}

export async function runUpstreamsImport(options: ImportOptions, io: CliIo): Promise<number> {
  refuseAgents(options.dryRun === true, io);
  using progress = createProgress(io);
  progress.step("Looking for MCP servers");
  const { home } = findFolders(io.env);
  const projectDir = findProject(io.cwd, home).folder;
  const found = findServers(options.from, { home, projectDir, env: io.env });
  const { file, text } = readUserConfig(options, io);
  const own = ownAddresses(await openEffective(options, io));
  const plan = planImport(found.servers, { text, own, env: io.env }, options);
  progress[Symbol.dispose]();
  for (const problem of found.problems) io.err(`${visible(problem)}\n`);
  refuseUnknown(options, found.servers);
  if (options.json !== true) io.out(describe(plan, found.lookedFor, file, io));
  const wants = plan.taken.length > 0 && options.dryRun !== true;
  const written = wants && (await mayWrite(options, io));
  if (written)
    await changeUserConfig(options, io, ({ text: now }) =>
      plan.taken.reduce((next, { name, upstream }) => addUpstream(next, name, upstream), now),
    );
  if (options.json === true) printJson({ file, written, ...shownPlan(plan), problems: found.problems }, io);
  else if (written) io.out(asTyped(afterwards(plan.taken, file, io), io));
  else if (wants) io.err("Nothing was changed; --yes writes what is shown above.\n");
  const isMissing = options.names !== undefined && options.names.length > 0 && found.servers.length === 0;
  const isFine = !isMissing && found.problems.length === 0 && written === wants;
  return isFine ? exitCodes.ok : exitCodes.failed;
}

/** A name that none of the servers has is a mistake. */
function refuseUnknown(
  { names = [], from }: ImportOptions,
  servers: ReturnType<typeof findServers>["servers"],
): void {
  const known = [...new Set(servers.map(({ name }) => name))];
  const missing = names.find((name) => !known.includes(name));
  if (missing === undefined || known.length === 0) return;
  throw new ToolgateError(
    `${from} has no MCP server ${shownName(missing)}. It has: ${known.map((name) => visible(name)).join(", ")}.`,
  );
}

async function mayWrite({ yes, json }: ImportOptions, io: CliIo): Promise<boolean> {
  if (yes === true) return true;
  return json !== true && (await confirm("Write this?", io)) === true;
}

/** Secrets that were copied are in the file, and nowhere else. */
function shownPlan({ taken, left }: ImportPlan): object {
  return {
    upstreams: taken.map(({ name, file, warnings, needs }) => ({ name, from: file, warnings, needs })),
    left: left.map(({ name, file, why }) => ({ name, from: file, why })),
  };
}

function describe(
  { taken, left }: ImportPlan,
  lookedFor: readonly string[],
  file: string,
  io: CliIo,
): string {
  const colours = coloursFor(io);
  if (taken.length + left.length === 0) {
    const places = [...new Set(lookedFor)].map((one) => `  ${shownPath(one, io.cwd)}\n`).join("");
    return `No MCP server was found. Looked for:\n${places}`;
  }
  const parts = taken.map(
    ({ name, file: from, shown, warnings }) =>
      `${colours.dim(`# from ${shownPath(from, io.cwd)}`)}\n${visible(writeYaml({ [name]: shown }), { keepNewlines: true })}${warnings
        .map((warning) => `${colours.yellow("!")} ${visible(warning)}\n`)
        .join("")}`,
  );
  const others = left.map(
    ({ name, why }) => `${colours.dim("-")} ${visible(name)} is left out: ${visible(why)}\n`,
  );
  const head = taken.length === 0 ? "" : `For upstreams in ${shownPath(file, io.cwd)}:\n\n`;
  return `${head}${parts.join("\n")}${others.join("")}`;
}

function afterwards(taken: readonly Adopted[], file: string, io: CliIo): string {
  const needs = [...new Set(taken.flatMap((one) => one.needs))].filter((name) => !io.env[name]);
  const set = needs.length === 0 ? "" : `Set before they work: ${needs.join(", ")}\n`;
  // What the agent still starts by itself no rule sees.
  const files = [...new Set(taken.map(({ file: from }) => shownPath(from, io.cwd)))].join(", ");
  const still = `Where they were (${files}) they still are: take them out there, or the agent reaches them past the gate.\n`;
  return `${coloursFor(io).green("✓")} ${taken.map(({ name }) => name).join(", ")} ${taken.length === 1 ? "is" : "are"} in ${shownPath(file, io.cwd)}.\n${still}${set}Connect to them: toolgate upstreams list --check\n`;
}
