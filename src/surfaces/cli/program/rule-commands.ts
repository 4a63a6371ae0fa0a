/** The commands that ask the rules: check, test, list, explain. */
import { type Command, Option } from "commander";
import type { ExplainOptions } from "../commands/explain.ts";
import {
  command,
  configOption,
  disableToolsOption,
  enableCategoriesOption,
  enableToolsOption,
  type Host,
  jsonOption,
} from "./define-command.ts";

export function defineCheck(program: Command, { io, finish }: Host): void {
  command(program, "check")
    .summary("may this tool call run? (what agents' hooks ask)")
    .description(
      "Reads one tool call as JSON from standard input. Exit 0 and silence: it may run (the agent's own prompts still apply). Exit 2: it is blocked, or could not be checked; why is on standard error.",
    )
    .addOption(
      new Option("--agent <agent>", "Answer in this agent's own JSON as well.").choices(["claude-code"]),
    )
    .addOption(configOption())
    .addHelpText("after", checkExamples)
    .action(async (options: { agent?: string; config?: string }) => {
      const { runCheck } = await import("../commands/check.ts");
      finish(await runCheck(options, io));
    });
}

const checkExamples = `
Examples:
  $ echo '{"tool_name":"WebFetch","tool_input":{"url":"https://github.com/foo/bar/pull/123"}}' | toolgate check
  (exit 2, and on standard error what to do instead: gh pr view ...)

  $ echo '{"tool_name":"WebFetch","tool_input":{"url":"https://github.com/foo/bar"}}' | toolgate check
  (exit 0, nothing printed)
`;

export function defineTest(program: Command, { io, finish }: Host): void {
  command(program, "test")
    .summary("run the tests that rules carry")
    .description(
      "Runs the inline tests of every rule file that holds here, or of the given files. Each file is tested by itself, as it is written. Exit 1 if one fails.",
    )
    .argument("[files...]", "only these rule files")
    .option("-w, --watch", "Run again whenever a file changes.")
    .addOption(configOption())
    .addOption(jsonOption())
    .addHelpText("after", testExamples)
    .action(async (files: string[], options: { watch?: boolean; config?: string; json?: boolean }) => {
      const { runTest } = await import("../commands/test/test.ts");
      finish(await runTest({ files, ...options }, io));
    });
}

const testExamples = `
Example:
  $ toolgate test toolgate.yaml
  toolgate.yaml
    ✓ no-force-push: a forced push should block
    ✓ no-force-push: a plain push should allow

  2 tests passed, 0 failed
`;

export function defineList(program: Command, { io, finish }: Host): void {
  command(program, "list")
    .summary("list the rules that hold here")
    .description(
      "Lists routes, policies and limits in the order in which they are tried, each with its file.",
    )
    .addOption(configOption())
    .addOption(jsonOption())
    .addHelpText("after", listExamples)
    .action(async (options: { config?: string; json?: boolean }) => {
      const { runList } = await import("../commands/list.ts");
      finish(await runList(options, io));
    });
}

const listExamples = `
Example:
  $ toolgate list
  Routes (merged from 2 sources):

  no-force-push (from: toolgate.yaml)
    tool: Bash
    pattern: git push.*--force
  ...
`;

export function defineExplain(program: Command, { io, finish }: Host): void {
  command(program, "explain")
    .summary("say why a call passes or not, stage by stage")
    .description(
      "Reads one tool call as JSON from standard input and prints the walk through the gate. Nothing runs and nothing is counted. Exit 0 whatever the verdict.",
    )
    .option("--batch", "A call on every line; one line of JSON for each, in order.")
    .addOption(
      new Option("--as <way>", "As a tool that the agent runs itself, or as one that toolgate runs.")
        .choices(["check", "call"])
        .default("check"),
    )
    .addOption(enableToolsOption())
    .addOption(disableToolsOption())
    .addOption(enableCategoriesOption())
    .addOption(configOption())
    .addOption(jsonOption())
    .addHelpText("after", explainExamples)
    .action(async (options: ExplainOptions) => {
      const { runExplain } = await import("../commands/explain.ts");
      finish(await runExplain(options, io));
    });
}

const explainExamples = `
Examples:
  $ echo '{"tool_name":"Bash","tool_input":{"command":"git push --force"}}' | toolgate explain
  $ echo '{"tool_name":"fs.write","tool_input":{"path":"a.txt","content":"x"}}' | toolgate explain --as call --enable-tool-categories editing
  $ toolgate explain --batch --config strict.yaml < calls.jsonl | grep -c '"verdict":"deny"'
`;
