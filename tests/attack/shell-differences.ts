/** What a real shell did with a line that the judge did not say. */

import type { CommandJudgement } from "../../src/core/ports/command.ts";
import type { Observed } from "./shell-real-bash.ts";

export function differences(judgement: CommandJudgement, observed: Observed): readonly string[] {
  const names = new Set(judgement.commands.flatMap((command) => [command.argv[0] ?? "", ...command.via]));
  for (const control of [":", "break", "continue", "exit", "return"]) names.add(control);
  const found: string[] = [];
  for (const argv of observed.stubs) {
    const listed = judgement.commands.some(
      (command) =>
        command.argv[0] === argv[0] &&
        (command.dynamic.length > 0 || JSON.stringify(command.argv) === JSON.stringify(argv)),
    );
    // A wrapper of another shell, such as noglob, is a program that bash does not find.
    const wrapper = judgement.commands.some((command) => command.via.includes(argv[0] ?? ""));
    // `bash t1` runs the stub as a script: the judge names the shell and its operand.
    const script = judgement.commands.some(
      (command) =>
        /^(?:ba|da)?sh$/.test(command.argv[0] ?? "") &&
        command.risk === "execute" &&
        command.argv.includes(argv[0] ?? ""),
    );
    if (!listed && !script && !wrapper) found.push(`ran ${JSON.stringify(argv)}`);
  }
  for (const name of observed.names) if (!names.has(name)) found.push(`started ${name}`);
  // What goes beyond a program's plain use is never called harmless: no rule that names the program covers it.
  const writesUnknown = judgement.commands.some(
    ({ unknownPaths, beyond, risk }) => risk !== "read" && (unknownPaths || beyond !== undefined),
  );
  const written = new Set(
    [
      ...judgement.redirects.map((redirect) => redirect.path),
      ...judgement.commands.flatMap((command) => command.writes),
    ].map((path) => path.replace(/^\/tmp\/t\/(?:w|home)\//, "").replace(/^\.\//, "")),
  );
  for (const file of observed.files) if (!writesUnknown && !written.has(file)) found.push(`wrote ${file}`);
  return found;
}
