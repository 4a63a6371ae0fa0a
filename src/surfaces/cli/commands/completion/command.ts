/** `toolgate completion`: its options and its help. */
import { Argument } from "commander";
import type { CliCommand } from "../../program/define-command.ts";
import type { CliIo } from "../../terminal/io.ts";
import type { ShellName } from "./completion.ts";

export function defineCompletion(program: CliCommand): void {
  program
    .command("completion")
    .summary("have your shell complete commands and options")
    .description(
      "Prints a script with which a shell completes commands, options, their values and names of tools.",
    )
    .addArgument(new Argument("<shell>", "which shell").choices(["bash", "zsh", "fish"]))
    .addHelpText("after", completionExamples)
    .runs(async () => {
      const { printCompletion } = await import("./completion.ts");
      const run = async ({ shell }: { readonly shell: ShellName }, io: CliIo) =>
        printCompletion(program, shell, io);
      return { run };
    }, "run");
}

const completionExamples = `
Examples:
  $ source <(toolgate completion bash)                                   # in ~/.bashrc
  $ source <(toolgate completion zsh)                                    # in ~/.zshrc, after compinit
  $ toolgate completion fish > ~/.config/fish/completions/toolgate.fish
`;
