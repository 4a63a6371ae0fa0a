/** A tool in one line: name, server, purpose, parameters. */

import { visible } from "../../../core/text/visible.ts";
import type { RegisteredTool } from "../../../core/tool/registry.ts";
import { firstSentence } from "./first-sentence.ts";
import { shortSignature } from "./parameters.ts";

/** Written by strangers in part: one line, nothing hidden in it. */
export function toolLine({ wireName, tool, category, source, inputSchema }: RegisteredTool): string {
  const purpose = visible(firstSentence(tool.description), { maxLength: 200 });
  const parameters = visible(shortSignature(inputSchema), { maxLength: 240 });
  return `${wireName} [${source.name ?? category}]: ${purpose} (${parameters})`;
}
