/** Finds a tool by any of its names, or says which one was probably meant. */

import type { RegisteredTool } from "../../../../core/tool/registry.ts";
import type { Gate } from "../../../../gate/gate.ts";
import { explainNoTool } from "../../../rest/view-tools.ts";
import type { CliIo } from "../../terminal/io.ts";
import { asTyped } from "../../terminal/own-command.ts";

/** Undefined: there is none, and that is said by then. */
export function findTool(gate: Gate, name: string, io: CliIo): RegisteredTool | undefined {
  const found = gate.tools.seenBy(undefined, name);
  if (found !== undefined) return found;
  const withheld = gate.tools.withheld(name);
  if (withheld !== undefined) {
    io.err(`${withheld.message}\n${asTyped(withheld.hint, io)}\n`);
    return undefined;
  }
  io.err(
    `${explainNoTool(gate, undefined, name)}\n${asTyped("See what there is: toolgate tools list --all", io)}\n`,
  );
  return undefined;
}
