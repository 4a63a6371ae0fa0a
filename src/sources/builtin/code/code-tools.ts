/** The tools that know about source code, and what they keep running while they are used. */
import type { AnyTool } from "../../../core/tool/tool.ts";
import { createDefinitions } from "./definitions.ts";
import { type CodeOptions, readOptions } from "./diagnostics/options.ts";
import { createDiagnostics } from "./diagnostics.ts";

export interface CodeTools {
  readonly tools: readonly AnyTool[];
  /** Ends the parser's process. If nobody calls it, the process ends when it is idle for a while. */
  close(): Promise<void>;
}

export function createCodeTools(options: CodeOptions = {}): CodeTools {
  const settings = readOptions(options);
  const definitions = createDefinitions();
  return {
    tools: [definitions.tool, createDiagnostics(settings)],
    close: async () => definitions.close(),
  };
}
