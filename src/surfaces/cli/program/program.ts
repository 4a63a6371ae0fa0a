/** Every command with its options and help. A command's code is loaded only when that command runs. */
import { firstAgent } from "../../../agents/all-agents.ts";
import { packageVersion } from "../../../gate/package-version.ts";
import { defineAcp } from "../commands/acp/command.ts";
import { defineAgents } from "../commands/agents/command.ts";
import { defineApprovals } from "../commands/approvals/command.ts";
import { defineAudit } from "../commands/audit/command.ts";
import { defineChat } from "../commands/chat/command.ts";
import { defineCheck } from "../commands/check/command.ts";
import { defineCompletion } from "../commands/completion/command.ts";
import { defineConfig } from "../commands/config/command.ts";
import { defineConsole } from "../commands/console/command.ts";
import { defineConvert } from "../commands/convert/command.ts";
import { defineDemo } from "../commands/demo/command.ts";
import { defineDoctor } from "../commands/doctor/command.ts";
import { defineExplain } from "../commands/explain/command.ts";
import { defineGrants } from "../commands/grants/command.ts";
import { defineImport } from "../commands/import/command.ts";
import { defineInit } from "../commands/init/command.ts";
import { defineInstall, defineUninstall } from "../commands/install/command.ts";
import { defineList } from "../commands/list/command.ts";
import { defineMcp } from "../commands/mcp/command.ts";
import { defineReplay } from "../commands/replay/command.ts";
import { defineRun } from "../commands/run/command.ts";
import { defineServe } from "../commands/serve/command.ts";
import { defineSessions } from "../commands/sessions/command.ts";
import { defineStore } from "../commands/store/command.ts";
import { defineSuggest } from "../commands/suggest/command.ts";
import { defineTest } from "../commands/test/command.ts";
import { defineTokens } from "../commands/tokens/command.ts";
import { defineTools } from "../commands/tools/command.ts";
import { defineTrust } from "../commands/trust/command.ts";
import { defineUpstreams } from "../commands/upstreams/command.ts";
import type { CliIo } from "../terminal/io.ts";
import { asTyped } from "../terminal/own-command.ts";
import { CliCommand, type Host, takeSharedOptions } from "./define-command.ts";

/** Somebody waits while these start: the other commands are not defined for them. */
const waitedFor = new Map([
  ["mcp", defineMcp],
  ["serve", defineServe],
]);

/** `first`: the first word of the command line. */
export function createProgram(io: CliIo, finish: Host["finish"], first = ""): CliCommand {
  const program = new CliCommand("toolgate", { io, finish });
  // What check prints an agent hands to its model.
  const typed = (text: string) => (first === "check" ? text : asTyped(text, io));
  program
    .description("One gate for every tool call of your AI agents: routes, policies and limits in YAML.")
    .version(packageVersion(), "-V, --version", "Print the version.")
    .helpCommand("help [command]", "Print help for a command.")
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.out(typed(text)),
      writeErr: (text) => io.err(typed(text)),
    })
    .addHelpText("after", firstSteps);
  const alone = waitedFor.get(first);
  if (alone === undefined) defineAll(program);
  else alone(program);
  takeSharedOptions(program);
  return program;
}

function defineAll(program: CliCommand): void {
  for (const define of [
    defineInit,
    defineInstall,
    defineUninstall,
    defineDoctor,
    defineAgents,
    defineCheck,
    defineTest,
    defineList,
    defineExplain,
    defineTools,
    defineUpstreams,
    defineApprovals,
    defineGrants,
    defineAudit,
    defineStore,
    defineReplay,
    defineSuggest,
    defineMcp,
    defineAcp,
    defineRun,
    defineChat,
    defineSessions,
    defineServe,
    defineConsole,
    defineTokens,
    defineConfig,
    defineTrust,
    defineImport,
    defineConvert,
    defineDemo,
    defineCompletion,
  ])
    define(program);
}

const installStep =
  `  toolgate install ${firstAgent.name}`.padEnd(33) +
  `have ${firstAgent.title} ask before every tool call\n`;

const firstSteps = `
First steps:
  toolgate init --user           write starter rules for all your projects
${installStep}  toolgate test                  run the tests in rule files
  toolgate explain               see why a call passes or not

Exit codes: 0 fine, 1 failed or used wrongly, 2 from check: the call is blocked.
`;
