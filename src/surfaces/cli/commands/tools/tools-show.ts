/** `toolgate tools show`: everything about one tool, found by any of its names. */

import { visible } from "../../../../core/text/visible.ts";
import type { RegisteredTool } from "../../../../core/tool/registry.ts";
import type { ToolView } from "../../../../gate/gate-tools.ts";
import { openToolGate, type ToolOptions } from "../../open/tool-options.ts";
import { coloursFor } from "../../terminal/colours.ts";
import { enableHint } from "../../terminal/enable-hint.ts";
import { type CliIo, exitCodes } from "../../terminal/io.ts";
import { asTyped } from "../../terminal/own-command.ts";
import { describeParameters, parametersOf } from "../../terminal/tool-parameters.ts";
import { findTool } from "./find-tool.ts";

interface ToolsShowOptions extends ToolOptions {
  readonly name: string;
}

export async function runToolsShow(options: ToolsShowOptions, io: CliIo): Promise<number> {
  await using open = await openToolGate(options, io, { durable: false });
  const registered = findTool(open.gate, options.name, io);
  const view = open.gate.tools.view().find(({ id }) => id === registered?.id);
  if (registered === undefined || view === undefined) return exitCodes.failed;
  io.out(
    options.json === true
      ? `${JSON.stringify(detailsOf(registered, view), null, 2)}\n`
      : describeTool(registered, view, io),
  );
  return exitCodes.ok;
}

function detailsOf(registered: RegisteredTool, view: ToolView): object {
  const { capabilities, inputSchema, outputSchema, definitionHash } = registered;
  const aliases = aliasesOf(registered);
  const parameters = parametersOf(registered);
  return { ...view, capabilities, aliases, parameters, inputSchema, outputSchema, definitionHash };
}

function aliasesOf({ id, wireName, names }: RegisteredTool): string[] {
  return names.filter((name) => name !== id && name !== wireName);
}

function describeTool(registered: RegisteredTool, view: ToolView, io: CliIo): string {
  const colours = coloursFor(io);
  const { id, wireName, capabilities, source } = registered;
  const aliases = aliasesOf(registered);
  const facts: readonly (readonly [string, string])[] = [
    ["category", view.category],
    ["permission", view.permission],
    ["needs", capabilities.length === 0 ? "no capability" : capabilities.join(", ")],
    ["names", [...new Set([id, wireName, ...aliases])].join(", ")],
    ["source", describeSource(source)],
    ["callable", describeCallable(view, io)],
  ];
  return [
    `${colours.bold(id)}: ${visible(view.title)}`,
    ...visible(view.description, { keepNewlines: true })
      .split("\n")
      .map((line) => `  ${line}`.trimEnd()),
    "",
    ...facts.map(([name, value]) => `  ${name.padEnd(12)}${value}`),
    "",
    describeParameters(parametersOf(registered), colours),
  ].join("\n");
}

function describeSource({ kind, name, file }: RegisteredTool["source"]): string {
  return [kind, name, file === undefined ? undefined : `(${file})`]
    .filter((part) => part !== undefined)
    .map((part) => visible(part))
    .join(" ");
}

function describeCallable({ why, category }: ToolView, io: CliIo): string {
  if (why === undefined) return "yes, if the rules let the call pass";
  const open = enableHint(why, category);
  const how = open === undefined ? asTyped(why.hint, io) : `Try: ${open}`;
  return `no: ${why.message} ${how}`;
}
