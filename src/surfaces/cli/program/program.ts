/** Every command with its options and help. A command's code is loaded only when that command runs. */
import { Command } from "commander";
import { packageVersion } from "../../../gate/package-version.ts";
import type { CliIo } from "../terminal/io.ts";
import { defineApprovals, defineGrants } from "./approval-commands.ts";
import { configOption, type Finish, jsonOption } from "./define-command.ts";
import { defineConfig, defineConvert, defineTrust } from "./file-commands.ts";
import { defineAudit, defineReplay } from "./ledger-commands.ts";
import { defineCheck, defineExplain, defineList, defineTest } from "./rule-commands.ts";
import { defineMcp, defineServe, defineTokens } from "./server-commands.ts";
import { defineDoctor, defineInit, defineInstall, defineUninstall } from "./setup-commands.ts";
import { defineDemo, defineTools } from "./tool-commands.ts";
import { defineUpstreams } from "./upstream-commands.ts";

export function createProgram(io: CliIo, finish: Finish): Command {
  const program = new Command("toolgate");
  program
    .description("One gate for every tool call of your AI agents: routes, policies and limits in YAML.")
    .version(packageVersion(), "-V, --version", "Print the version.")
    .helpOption("-h, --help", "Print help.")
    .helpCommand("help [command]", "Print help for a command.")
    .enablePositionalOptions()
    .exitOverride()
    .showHelpAfterError("Run toolgate --help for what there is.")
    .configureOutput({ writeOut: io.out, writeErr: io.err })
    .addOption(configOption().hideHelp())
    .addOption(jsonOption().hideHelp())
    .addHelpText("after", firstSteps);
  for (const define of [
    defineInit,
    defineInstall,
    defineUninstall,
    defineDoctor,
    defineCheck,
    defineTest,
    defineList,
    defineExplain,
    defineTools,
    defineUpstreams,
    defineApprovals,
    defineGrants,
    defineAudit,
    defineReplay,
    defineMcp,
    defineServe,
    defineTokens,
    defineConfig,
    defineTrust,
    defineConvert,
    defineDemo,
  ])
    define(program, { io, finish });
  return program;
}

const firstSteps = `
First steps:
  toolgate init                  write a toolgate.yaml and set your agent up
  toolgate test                  run the tests that the rules carry
  toolgate explain               see why a call passes or not

Exit codes: 0 fine, 1 failed or used wrongly, 2 from check: the call is blocked.
`;
