/** The options with which a session starts: of `run` and of `chat`. Every command loads this: nothing heavy. */
import { InvalidArgumentError, Option } from "commander";
import { modes } from "../../../../core/call/call.ts";
import { parseDuration } from "../../../../core/text/duration.ts";
import type { ClientOptions } from "../../open/session-client.ts";
import type { CliCommand } from "../../program/define-command.ts";

export interface SessionOptions extends ClientOptions {
  readonly runner?: string | undefined;
  readonly model?: string | undefined;
  readonly mode?: "act" | "plan" | undefined;
  readonly system?: string | undefined;
  readonly tools?: "gate" | "agent" | "none" | undefined;
  readonly categories?: string | undefined;
  /** In milliseconds. */
  readonly timeout?: number | undefined;
  readonly maxTurns?: number | undefined;
  readonly maxTokens?: number | undefined;
  readonly worktree?: boolean | undefined;
}

export function sessionOptions(command: CliCommand): CliCommand {
  return command
    .option(
      "--runner <name>",
      "Which agent, by its name in the configuration (sessions.runners); a wrong name is answered with those that there are.",
    )
    .option("--model <name>", "Which model, as the agent calls it.")
    .addOption(new Option("--mode <mode>", "Allow reading only with plan.").choices([...modes]))
    .option("--cwd <folder>", "Work in this folder. Default: the current one.")
    .option("--system <text>", "Tell the model this first.")
    .addOption(
      new Option(
        "--tools <which>",
        "Offer tools of the gate, the agent's own (each call judged), or none.",
      ).choices(["gate", "agent", "none"]),
    )
    .option(
      "--categories <names>",
      "Of the tools that are on, offer those of the default categories and of these, separated by commas.",
    )
    .option("--timeout <duration>", "Give one prompt at most this long: 90s, 20m.", readDuration)
    .option("--max-turns <number>", "Let the model answer at most so often for one prompt.", readCount)
    .option("--max-tokens <number>", "Let the session use at most so many tokens.", readCount)
    .option("--local", "Run it in this process, also if a server runs.")
    .enabling()
    .configAndJson();
}

function readDuration(text: string): number {
  const ms = parseDuration(text);
  if (ms === undefined || ms <= 0) throw new InvalidArgumentError("A duration is 90s, 20m, 1h.");
  return ms;
}

function readCount(text: string): number {
  if (!/^[1-9]\d{0,11}$/.test(text)) throw new InvalidArgumentError("A whole number above 0.");
  return Number(text);
}
