/** What all commands have in common: their help, and options that may stand before the command, too. */
import { type Command, Option } from "commander";
import type { CliIo } from "../terminal/io.ts";

/** Tells how the command that ran has ended. */
export type Finish = (exitCode: number) => void;

export interface Host {
  readonly io: CliIo;
  readonly finish: Finish;
}

/** `toolgate --config FILE list` and `toolgate list --config FILE` mean the same. */
export function command(parent: Command, name: string): Command {
  return parent
    .command(name)
    .helpOption("-h, --help", "Print help.")
    .hook("preAction", (_this, running) => {
      const top = rootOf(running);
      for (const option of ["config", "json"]) {
        const given: unknown = top.getOptionValue(option);
        if (given === undefined) continue;
        if (!running.options.some((one) => one.attributeName() === option))
          running.error(`error: ${fullName(running)} takes no --${option}`);
        if (running.getOptionValue(option) === undefined) running.setOptionValue(option, given);
      }
    });
}

function rootOf(one: Command): Command {
  return one.parent === null ? one : rootOf(one.parent);
}

function fullName(one: Command): string {
  return one.parent === null ? one.name() : `${fullName(one.parent)} ${one.name()}`;
}

export function configOption(): Option {
  return new Option("--config <file>", "This configuration file alone, instead of everything that is found.");
}

export function jsonOption(): Option {
  return new Option("--json", "Print JSON.");
}

export function enableToolsOption(): Option {
  return new Option("--enable-tools", "Every tool, whatever it may do; the rules still decide on each call.");
}

export function disableToolsOption(): Option {
  return new Option(
    "--no-enable-tools",
    "Only what is on by default, whatever the configuration switches on.",
  );
}

export function enableCategoriesOption(): Option {
  return new Option(
    "--enable-tool-categories <names>",
    "These categories as well, with commas between them; development: editing, shell and git.",
  );
}
