/** `toolgate doctor`: would a forbidden call really be stopped here? Looks at everything on the way, then tries it. */
import { checkSetup } from "../../../agents/claude-code/check-setup.ts";
import type { SetupFinding } from "../../../agents/setup-finding.ts";
import { visible } from "../../../core/visible.ts";
import { openConfig } from "../../../open-config.ts";
import { coloursFor } from "../colours.ts";
import { type CliIo, exitCodes } from "../io.ts";
import { releaseCanary } from "./doctor/canary.ts";
import { askClient } from "./doctor/client.ts";
import { checkConfiguration } from "./doctor/configuration.ts";
import { checkDirectServers } from "./doctor/direct-servers.ts";
import { checkMachine } from "./doctor/machine.ts";
import { checkUpstreamServers } from "./doctor/upstreams.ts";

export interface DoctorOptions {
  readonly json?: boolean | undefined;
  /** Where an administrator's settings of Claude Code are; only tests move it. */
  readonly managedDir?: string | undefined;
}

export async function runDoctor(options: DoctorOptions, io: CliIo): Promise<number> {
  const findings = await examine(options, io);
  const isFine = !findings.some(({ level }) => level === "problem");
  io.out(
    options.json === true ? `${JSON.stringify({ ok: isFine, findings }, null, 2)}\n` : describe(findings, io),
  );
  return isFine ? exitCodes.ok : exitCodes.failed;
}

async function examine({ managedDir }: DoctorOptions, io: CliIo): Promise<SetupFinding[]> {
  const config = await openConfig({ cwd: io.cwd, env: io.env });
  const { projectDir, folders, notes } = config;
  const { home } = folders;
  // The question is about sessions in this folder, whatever session this command itself runs in.
  const env = { ...io.env, CLAUDE_PROJECT_DIR: undefined, CLAUDE_PLUGIN_ROOT: undefined };
  const setup = checkSetup({ home, env, projectDir, ...(managedDir !== undefined && { managedDir }) });
  const said = new Set(setup.findings.map(({ message }) => message));
  const findings: SetupFinding[] = [...setup.findings];
  for (const hook of setup.installed) findings.push(...(await releaseCanary(hook, home, io)));
  findings.push(
    ...checkConfiguration(config, io),
    ...checkUpstreamServers(config, io),
    ...checkDirectServers(config, { env, cwd: io.cwd }),
    ...notes
      .filter((note) => !said.has(note) && !note.includes(" is skipped: "))
      .map((message): SetupFinding => ({ check: "notes", level: "warning", message })),
    ...(await checkMachine(folders, projectDir)),
    ...(await askClient(projectDir, home, io)),
  );
  return findings;
}

function describe(findings: readonly SetupFinding[], io: CliIo): string {
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
  const end =
    problems + warnings === 0
      ? "Everything is in place."
      : `${problems} ${problems === 1 ? "problem" : "problems"}, ${warnings} ${warnings === 1 ? "warning" : "warnings"}.`;
  return `${lines.join("")}\n${end}\n`;
}
