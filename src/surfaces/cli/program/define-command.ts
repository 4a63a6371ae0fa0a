/** What all commands share: help, options that may stand before the command, code that is loaded late. */
import { Command, Option, type OptionValues } from "commander";
import type { CliIo } from "../terminal/io.ts";

export interface Host {
  readonly io: CliIo;
  /** Tells how the command that ran has ended. */
  readonly finish: (exitCode: number) => void;
}

/** The command has checked the options before it calls the function. */
type Run = (options: never, io: CliIo) => Promise<number>;

export class CliCommand extends Command {
  readonly #host: Host;

  constructor(name: string | undefined, host: Host) {
    super(name);
    this.#host = host;
    this.helpOption("-h, --help", "Print help.");
  }

  override createCommand(name?: string): CliCommand {
    return new CliCommand(name, this.#host).hook("preAction", (_this, running) => takeFromAbove(running));
  }

  /** Who mistypes an option of a command wants the help of that command. */
  override error(message: string, options?: Parameters<Command["error"]>[1]): never {
    this.showHelpAfterError(`Run ${fullName(this)} --help for what there is.`);
    return super.error(message, options);
  }

  json(): this {
    return this.addOption(jsonOption());
  }

  /** For commands that print many values, or a stream of them. */
  jsonAndLines(): this {
    return this.json().addOption(ndjsonOption().conflicts("json"));
  }

  configAndJson(): this {
    return this.addOption(configOption()).json();
  }

  /** `--output` means the same, for whoever knows it from another program. */
  outFile(description: string): this {
    const other = new Option("--output <file>", description).hideHelp();
    return this.option("-o, --out <file>", description)
      .addOption(other.conflicts("out"))
      .hook("preAction", () => {
        const { output } = this.opts<{ output?: string }>();
        if (output !== undefined) this.setOptionValue("out", output);
      });
  }

  /** What to type, below the help. */
  examples(...commands: readonly string[]): this {
    const title = commands.length === 1 ? "Example" : "Examples";
    return this.addHelpText("after", `\n${title}:\n${commands.map((one) => `  $ ${one}\n`).join("")}`);
  }

  /** One tool call without JSON around it, for commands that judge one. */
  callWords(): this {
    return this.argument(
      "[tool]",
      "the tool, as the agent calls it: Bash, Read, mcp__github__get_issue",
    ).argument(
      "[input...]",
      "what it gets: a command, a path, a URL, or all fields as one word of JSON; flags of a command in quotes or behind --",
    );
  }

  /** Which tools there are, for commands that open them. */
  enabling(): this {
    for (const option of enablingOptions()) this.addOption(option);
    return this;
  }

  /** The function that does the work. It gets arguments by name and options in one object. */
  runs<Name extends string>(load: () => Promise<Record<Name, Run>>, name: Name): this {
    return this.action(async () => {
      const code = await load();
      const given = this.registeredArguments.map((one, index) => [one.name(), this.processedArgs[index]]);
      const options = { ...Object.fromEntries(given), ...this.opts<OptionValues>() } as never;
      this.#host.finish(await code[name](options, this.#host.io));
    });
  }
}

/** `toolgate --config FILE list` and `toolgate list --config FILE` mean the same; the nearest word counts. */
function takeFromAbove(running: Command): void {
  const takes = running.options.filter(({ hidden }) => !hidden).map((one) => one.attributeName());
  for (let from: Command | null = running; from !== null; from = from.parent) {
    for (const [option, flag] of sharedOptions) {
      const given: unknown = from.getOptionValue(option);
      if (given === undefined) continue;
      if (!takes.includes(option)) running.error(`error: ${fullName(running)} takes no ${flag}`);
      if (running.getOptionValue(option) === undefined) running.setOptionValue(option, given);
    }
  }
}

/** What may stand before the command's name, by the name that commander gives the value. */
const sharedOptions = [
  ["config", "--config"],
  ["json", "--json"],
  ["enableTools", "--enable-tools"],
  ["enableToolCategories", "--enable-tool-categories"],
] as const;

/** So that they are understood there; each command's own help lists those that it takes. */
export function takeSharedOptions(above: Command): void {
  const own = above.options.map((one) => one.long);
  for (const option of [configOption(), jsonOption(), ...enablingOptions()])
    if (!own.includes(option.long)) above.addOption(option.hideHelp());
  for (const below of above.commands)
    if (below.commands.length > 0) takeSharedOptions(below.enablePositionalOptions());
}

function fullName(one: Command): string {
  return one.parent === null ? one.name() : `${fullName(one.parent)} ${one.name()}`;
}

export function configOption(): Option {
  return new Option("--config <file>", "Use only this configuration file, instead of all that are found.");
}

export function jsonOption(): Option {
  return new Option("--json", "Print JSON.");
}

export function ndjsonOption(): Option {
  return new Option("--ndjson", "Print JSON, one line for each.");
}

function enablingOptions(): Option[] {
  return [
    new Option(
      "--enable-tools",
      "Enable every tool; with --enable-tool-categories only these besides the default ones. The rules still decide on each call.",
    ),
    new Option(
      "--no-enable-tools",
      "Enable no tool, whatever the configuration says; with --enable-tool-categories only these.",
    ),
    new Option(
      "--enable-tool-categories <names>",
      "Enable these categories too, separated by commas. development means editing, shell and git.",
    ),
  ];
}
