/** `toolgate doctor`: would a forbidden call really be stopped here? Looks at everything, then tries it. */
import type { AgentAdapter } from "../../../../agents/agent.ts";
import { findAgent, withoutSession } from "../../../../agents/all-agents.ts";
import { type SetupFinding, warning } from "../../../../agents/setup-finding.ts";
import { plural } from "../../../../core/text/plural.ts";
import { visible } from "../../../../core/text/visible.ts";
import { type OpenConfig, openConfig } from "../../../../open/open-config.ts";
import { coloursFor } from "../../terminal/colours.ts";
import { type CliIo, exitCodes, fail } from "../../terminal/io.ts";
import { asTyped } from "../../terminal/own-command.ts";
import { createProgress, type Progress } from "../../terminal/progress.ts";
import { explainUnknownAgent } from "../install/choose-agents.ts";
import { checkLedgerAnchors } from "./anchors.ts";
import { releaseCanary } from "./canary.ts";
import { checkConfiguration } from "./configuration.ts";
import { checkDirectServers } from "./direct-servers.ts";
import { chooseAgents, describeUngated, type Examined, tryClient } from "./examine-agents.ts";
import { checkMachine } from "./machine.ts";
import { checkStoreDatabase } from "./store.ts";
import { checkUpstreamServers } from "./upstreams.ts";

export interface DoctorOptions {
  /** Only this one, and nothing of the machine. */
  readonly agent?: string | undefined;
  readonly json?: boolean | undefined;
  /** Where an administrator's settings of an agent are; only tests move it. */
  readonly managedDir?: string | undefined;
}

export async function runDoctor(options: DoctorOptions, io: CliIo): Promise<number> {
  const named = findAgent(options.agent);
  if (options.agent !== undefined && named === undefined) return fail(explainUnknownAgent(options.agent), io);
  const { findings, unproven } = await examineShown(options, named, io);
  const isFine = !findings.some(({ level }) => level === "problem");
  io.out(
    options.json === true
      ? `${JSON.stringify({ ok: isFine, proven: unproven.length === 0, findings }, null, 2)}\n`
      : describe(findings, unproven, io),
  );
  return isFine ? exitCodes.ok : exitCodes.failed;
}

/** `agent`: about which one, where it is about one. */
type Finding = SetupFinding & { readonly agent?: string };

interface Found {
  readonly findings: readonly Finding[];
  /** Agents that were not seen to be stopped: what is in their files may not be what they read in them. */
  readonly unproven: readonly Examined[];
}

async function examineShown(
  options: DoctorOptions,
  named: AgentAdapter | undefined,
  io: CliIo,
): Promise<Found> {
  using progress = createProgress(io);
  progress.step("Reading the configuration");
  return await examine(options, named, { io, progress });
}

async function examine(
  { managedDir }: DoctorOptions,
  named: AgentAdapter | undefined,
  { io, progress }: { readonly io: CliIo; readonly progress: Progress },
): Promise<Found> {
  const config = await openConfig({ cwd: io.cwd, env: io.env });
  const { projectDir, folders } = config;
  const { home } = folders;
  // The question is about sessions in this folder, whatever session this command itself runs in.
  const env = withoutSession(io.env);
  const place = { home, env, projectDir, ...(managedDir !== undefined && { managedDir }) };
  const { examined, ungated } = await chooseAgents(named, place, io);
  const findings: Finding[] = [];
  for (const { agent, setup, checked, untrusted } of examined) {
    const tell = (said: readonly SetupFinding[]) =>
      findings.push(...said.map((finding) => ({ ...finding, agent: agent.name })));
    tell(checked.findings);
    for (const hook of checked.installed)
      if (!untrusted.includes(hook.file)) {
        progress.step(`Trying the hook in ${visible(hook.file)}`);
        tell(await releaseCanary({ agent, setup, hook, home }, io));
      }
  }
  if (named === undefined) {
    progress.step("Looking at the configuration, the machine and the record of calls");
    const said = [
      ...findings.map(({ message }) => message),
      ...examined.flatMap(({ checked }) => checked.covered),
    ];
    findings.push(...ungated.map(describeUngated), ...(await checkRest(config, { examined, said, env, io })));
  }
  const unproven: Examined[] = [];
  for (const one of examined) {
    const { name, title } = one.agent;
    progress.step(`Starting ${title} for a call that a rule forbids; that may take a minute`);
    const tried = await tryClient(one, place, io);
    if (!tried.some(({ check, level }) => check === "client-canary" && level === "ok")) unproven.push(one);
    findings.push(...tried.map((finding) => ({ ...finding, agent: name })));
  }
  return { findings, unproven };
}

interface RestOfExamination {
  readonly examined: readonly Examined[];
  /** Messages that were given already, or in other words. */
  readonly said: readonly string[];
  readonly env: CliIo["env"];
  readonly io: CliIo;
}

/** What is about no agent: the configuration, the servers, the machine, the record. */
async function checkRest(
  config: OpenConfig,
  { examined, said, env, io }: RestOfExamination,
): Promise<SetupFinding[]> {
  return [
    ...checkConfiguration(config, io),
    ...(await checkUpstreamServers(config, io)),
    ...examined.flatMap(({ agent: { title }, setup }) =>
      checkDirectServers(config, { title, setup, env, cwd: io.cwd }),
    ),
    ...config.notes.filter((note) => !said.includes(note)).map((note) => warning("notes", note)),
    ...(await checkMachine(config)),
    ...(await checkStoreDatabase(config, io)),
    ...(await checkLedgerAnchors(config)),
  ];
}

function describe(findings: readonly Finding[], unproven: readonly Examined[], io: CliIo): string {
  const colours = coloursFor(io);
  const signs = {
    ok: colours.green("✓"),
    info: colours.dim("-"),
    warning: colours.yellow("!"),
    problem: colours.red("✗"),
  };
  const about = [...new Set(findings.map(({ agent }) => agent))];
  const isMany = about.filter((agent) => agent !== undefined).length > 1;
  const describeOne = ({ level, message, todo }: Finding) => {
    // Problems quote what is written in files of others.
    const isOurs = level === "ok" || level === "info";
    const told = visible(isOurs ? asTyped(message, io) : message, { keepNewlines: true });
    const next = todo === undefined ? "" : `  ${colours.dim("→")} ${visible(asTyped(todo, io))}\n`;
    return `${signs[level]} ${told.replaceAll("\n", "\n  ")}\n${next}`;
  };
  // Of several agents each has its own part; of one the order in which things were looked at stays.
  const text = isMany
    ? about
        .map((agent) => {
          const title = agent === undefined ? "This machine" : (findAgent(agent)?.title ?? agent);
          const lines = findings.filter((finding) => finding.agent === agent).map(describeOne);
          return `${colours.bold(title)}\n${lines.join("")}`;
        })
        .join("\n")
    : findings.map(describeOne).join("");
  return `${text}\n${describeEnd(findings, unproven)}\n`;
}

function describeEnd(findings: readonly Finding[], unproven: readonly Examined[]): string {
  const count = (level: SetupFinding["level"]) => findings.filter((one) => one.level === level).length;
  const [problems, warnings] = [count("problem"), count("warning")];
  if (problems + warnings > 0) return `${plural(problems, "problem")}, ${plural(warnings, "warning")}.`;
  const [first] = unproven;
  if (first === undefined) return "Everything is in place.";
  const titles = unproven.map(({ agent }) => agent.title).join(", ");
  const { client } = first.setup;
  const how =
    client === undefined ? "" : ` With ${client.program} on the PATH, doctor tries a forbidden call in it.`;
  return `Nothing wrong was found, but ${titles} itself was not asked.${how}`;
}
