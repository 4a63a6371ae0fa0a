/** The tools that know about source code, and what they keep running while they are used. */
import type { ToolSet } from "../define-builtin.ts";
import { createDefinitions } from "./definitions.ts";
import { type CodeOptions, readOptions } from "./diagnostics/options.ts";
import { createDiagnostics } from "./diagnostics.ts";

/** `close` ends the parser's process. Otherwise the process ends when it is idle for a while. */
export function createCodeTools(options: CodeOptions = {}): ToolSet {
  const settings = readOptions(options);
  const definitions = createDefinitions();
  return {
    tools: [definitions.tool, createDiagnostics(settings)],
    close: async () => definitions.close(),
  };
}
