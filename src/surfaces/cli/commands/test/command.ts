/** `toolgate test`: its options and its help. */
import { type CliCommand, configOption } from "../../program/define-command.ts";

export function defineTest(program: CliCommand): void {
  program
    .command("test")
    .summary("run the tests in rule files")
    .description(
      "Runs the inline tests of your rule files, or of the given ones, as they are written. Each call is judged by all rules that hold here, so a test also fails where a rule of another file comes first. Exit 1 if one fails.",
    )
    .argument("[files...]", "only these rule files")
    .option("-a, --all", "Those of shipped rules, too.")
    .option("-w, --watch", "Run again whenever a file changes.")
    .addOption(configOption())
    .jsonAndLines()
    .addHelpText("after", testExamples)
    .runs(() => import("./test.ts"), "runTest");
}

const testExamples = `
Example:
  $ toolgate test toolgate.yaml
  toolgate.yaml
    ✓ no-force-push: a forced push should block
    ✓ no-force-push: a plain push should allow

  2 tests passed, 0 failed
`;
