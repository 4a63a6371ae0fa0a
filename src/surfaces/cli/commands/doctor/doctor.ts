/** `toolgate doctor`: would a forbidden call really be stopped here? Looks at everything, then tries it. */
import type { AgentAdapter } from "../../../../agents/agent.ts";
import type { AgentSetup, CheckedSetup, ProjectPlace } from "../../../../agents/agent-setup.ts";
import { allAgents, firstAgent, withoutSession } from "../../../../agents/all-agents.ts";
import { info, type SetupFinding, warning } from "../../../../agents/setup-finding.ts";
import { visible } from "../../../../core/text/visible.ts";
import { openConfig } from "../../../../open/open-config.ts";
import { coloursFor } from "../../terminal/colours.ts";
import { type CliIo, exitCodes } from "../../terminal/io.ts";
import { createProgress, type Progress } from "../../terminal/progress.ts";
import { checkLedgerAnchors } from "./anchors.ts";
import { releaseCanary } from "./canary.ts";
import { findClient } from "./client.ts";
import { releaseClientCanary } from "./client-canary.ts";
import { checkConfiguration } from "./configuration.ts";
import { checkDirectServers } from "./direct-servers.ts";
import { checkMachine } from "./machine.ts";
import { checkUpstreamServers } from "./upstreams.ts";

export interface DoctorOptions {
  readonly json?: boolean | undefined;
  /** Where an administrator's settings of an agent are; only tests move it. */
  readonly managedDir?: string | undefined;
}

export async function runDoctor(options: DoctorOptions, io: CliIo): Promise<number> {
  const findings = await examineShown(options, io);
  const isFine = !findings.some(({ level }) => level === "problem");
  const proven = isProven(findings);
  io.out(
    options.json === true
      ? `${JSON.stringify({ ok: isFine, proven, findings }, null, 2)}\n`
      : await describe(findings, io),
  );
  return isFine ? exitCodes.ok : exitCodes.failed;
}

async function examineShown(options: DoctorOptions, io: CliIo): Promise<SetupFinding[]> {
  using progress = createProgress(io);
  progress.step("Reading the configuration");
  return await examine(options, io, progress);
}

/** The client itself was seen to be stopped: what is in its files is what it reads in them. */
function isProven(findings: readonly SetupFinding[]): boolean {
  return findings.some(({ check, level }) => check === "client-canary" && level === "ok");
}

async function examine(
  { managedDir }: DoctorOptions,
  io: CliIo,
  progress: Progress,
): Promise<SetupFinding[]> {
  const config = await openConfig({ cwd: io.cwd, env: io.env });
  const { projectDir, folders, notes } = config;
  const { home } = folders;
  // The question is about sessions in this folder, whatever session this command itself runs in.
  const env = withoutSession(io.env);
  const place = { home, env, projectDir, ...(managedDir !== undefined && { managedDir }) };
  const agents = await Promise.all(allAgents.map((agent) => examineAgent(agent, place)));
  const findings = agents.flatMap(({ checked }) => checked.findings);
  const said = new Set([
    ...findings.map(({ message }) => message),
    ...agents.flatMap(({ checked }) => checked.covered),
  ]);
  for (const { agent, setup, checked, untrusted } of agents)
    for (const hook of checked.installed)
      if (!untrusted.includes(hook.file)) {
        progress.step(`Trying the hook in ${visible(hook.file)}`);
        findings.push(...(await releaseCanary({ agent, setup, hook, home }, io)));
      }
  progress.step("Looking at the configuration, the machine and the record of calls");
  findings.push(
    ...checkConfiguration(config, io),
    ...(await checkUpstreamServers(config, io)),
    ...agents.flatMap(({ agent: { title }, setup }) =>
      checkDirectServers(config, { title, setup, env, cwd: io.cwd }),
    ),
    ...notes.filter((note) => !said.has(note)).map((note) => warning("notes", note)),
    ...(await checkMachine(config)),
    ...(await checkLedgerAnchors(config)),
  );
  for (const examined of agents) {
    progress.step(`Starting ${examined.agent.title} for a call that a rule forbids; that may take a minute`);
    findings.push(...(await tryClient(examined, place, io)));
  }
  return findings;
}

interface Examined {
  readonly agent: AgentAdapter;
  readonly setup: AgentSetup;
  readonly checked: CheckedSetup;
  readonly untrusted: readonly string[];
}

async function examineAgent(agent: AgentAdapter, place: ProjectPlace): Promise<Examined> {
  const setup = await agent.loadSetup();
  return { agent, setup, checked: setup.examine(place), untrusted: setup.findUntrusted(place) };
}

async function tryClient(examined: Examined, place: ProjectPlace, io: CliIo): Promise<SetupFinding[]> {
  const { agent, setup, checked, untrusted } = examined;
  const { client } = setup;
  if (client === undefined) return [];
  const isTrusted = untrusted.length === 0;
  const notTried = isTrusted
    ? []
    : [
        warning(
          "folder-trust",
          `Nothing was started that this folder names (${untrusted.join(", ")}): ${agent.title} was never told to trust it.`,
          `Look at these files, start ${client.program} here and trust the folder, then run doctor again.`,
        ),
      ];
  const program = findClient(client, place, io);
  if (program === undefined) {
    const message = `No ${client.program} on the PATH: what it makes of its files was not tried.`;
    return [...notTried, info("client", message)];
  }
  const said = [...notTried, ...(await client.ask(program, isTrusted))];
  return isTrusted && checked.installed.length > 0
    ? [...said, await releaseClientCanary({ title: agent.title, client, program })]
    : said;
}

async function describe(findings: readonly SetupFinding[], io: CliIo): Promise<string> {
  const colours = coloursFor(io);
  const signs = {
    ok: colours.green("✓"),
    info: colours.dim("-"),
    warning: colours.yellow("!"),
    problem: colours.red("✗"),
  };
  const lines = findings.map(({ level, message, todo }) => {
    const told = visible(message, { keepNewlines: true }).replaceAll("\n", "\n  ");
    return `${signs[level]} ${told}\n${todo === undefined ? "" : `  ${colours.dim("→")} ${visible(todo)}\n`}`;
  });
  const count = (level: SetupFinding["level"]) => findings.filter((one) => one.level === level).length;
  const problems = count("problem");
  const warnings = count("warning");
  const { client } = await firstAgent.loadSetup();
  const end =
    problems + warnings === 0
      ? isProven(findings)
        ? "Everything is in place."
        : `Nothing wrong was found, but ${firstAgent.title} itself was not asked. With ${client?.program} on the PATH, doctor tries a forbidden call in it.`
      : `${problems} ${problems === 1 ? "problem" : "problems"}, ${warnings} ${warnings === 1 ? "warning" : "warnings"}.`;
  return `${lines.join("")}\n${end}\n`;
}
