/** `toolgate explain`: its options and its help. */
import { Option } from "commander";
import { type CliCommand, configOption } from "../../program/define-command.ts";

export function defineExplain(program: CliCommand): void {
  program
    .command("explain")
    .summary("explain why a call passes or not, stage by stage")
    .description(
      "Takes one tool call, as words or as JSON from standard input, and prints the walk through the gate. Nothing runs and nothing is counted. Exit 0 whatever the verdict.",
    )
    .callWords()
    .option("--batch", "A call on every line; one line of JSON for each, in order (with --json one list).")
    .addOption(
      new Option("--as <way>", "As a tool that the agent runs itself, or as one that toolgate runs.")
        .choices(["check", "call"])
        .default("check"),
    )
    .enabling()
    .addOption(configOption())
    .jsonAndLines()
    .examples(
      "toolgate explain Bash 'git push --force'",
      "toolgate explain Read ~/.ssh/id_rsa",
      `echo '{"tool_name":"Bash","tool_input":{"command":"git push --force"}}' | toolgate explain`,
      `echo '{"tool_name":"fs.write","tool_input":{"path":"a.txt","content":"x"}}' | toolgate explain --as call --enable-tool-categories editing`,
      `toolgate explain --batch --config strict.yaml < calls.jsonl | grep -c '"verdict":"deny"'`,
    )
    .runs(() => import("./explain.ts"), "runExplain");
}
