/** Finds a tool by any of its names, or says which one was probably meant. */

import { shownName } from "../../../../core/text/visible.ts";
import type { RegisteredTool } from "../../../../core/tool/registry.ts";
import { closestNames } from "../../../../core/tool/tool-name.ts";
import type { Gate } from "../../../../gate/gate.ts";
import type { CliIo } from "../../terminal/io.ts";

/** Undefined: there is none, and that is said by then. */
export function findTool(gate: Gate, name: string, io: CliIo): RegisteredTool | undefined {
  const found = gate.tools.get(name);
  if (found !== undefined) return found;
  const withheld = gate.tools.withheld(name);
  if (withheld !== undefined) {
    io.err(`${withheld.message}\n${withheld.hint}\n`);
    return undefined;
  }
  const names = gate.tools.list().flatMap((tool) => tool.names);
  const close = [...new Set(closestNames(name, names).map((one) => gate.tools.get(one)?.id))];
  const meant = close.length === 0 ? "" : ` Did you mean ${close.join(" or ")}?`;
  io.err(`There is no tool ${shownName(name)}.${meant}\nSee what there is: toolgate tools list --all\n`);
  return undefined;
}
