/** `toolgate tools list`: the tools that can be called, by category; with --all also the others. */

import type { Mode } from "../../../../core/call/call.ts";
import { ToolgateError } from "../../../../core/call/errors.ts";
import { plural } from "../../../../core/text/plural.ts";
import { shownName, visible } from "../../../../core/text/visible.ts";
import { categoriesNamed, unionNames } from "../../../../core/tool/categories.ts";
import { closestNames } from "../../../../core/tool/tool-name.ts";
import type { Gate } from "../../../../gate/gate.ts";
import type { ToolView } from "../../../../gate/gate-tools.ts";
import { openToolGate, type ToolOptions } from "../../open/tool-options.ts";
import { type Colours, coloursFor } from "../../terminal/colours.ts";
import { enableHint } from "../../terminal/enable-hint.ts";
import { type CliIo, exitCodes, printJson } from "../../terminal/io.ts";
import { asTyped } from "../../terminal/own-command.ts";

interface ToolsListOptions extends ToolOptions {
  /** Also the tools that cannot be called. */
  readonly all?: boolean | undefined;
  readonly category?: string | undefined;
  readonly mode?: Mode | undefined;
}

export async function runToolsList(options: ToolsListOptions, io: CliIo): Promise<number> {
  await using open = await openToolGate(options, io, { durable: false, upstreams: "first-sight" });
  const { gate } = open;
  const wanted = chosenCategories(gate, options.category);
  const tools = gate.tools
    .view({ mode: options.mode ?? "act" })
    .filter(({ category }) => wanted.includes(category));
  const shown = options.all === true ? tools : tools.filter(({ callable }) => callable);
  const { errors, skipped } = open.plugins.report;
  if (options.json === true) printJson({ tools: shown, errors, skipped }, io);
  else {
    io.out(describeTools(gate, shown, coloursFor(io)));
    io.err(asTyped(describeCount(tools, options.all === true), io));
  }
  return exitCodes.ok;
}

function chosenCategories(gate: Gate, name: string | undefined): readonly string[] {
  const known = gate.categories.list().map(({ id }) => id);
  if (name === undefined) return known;
  const named = categoriesNamed(name);
  if (named.every((one) => known.includes(one))) return named;
  const all = [...known, ...unionNames];
  const close = closestNames(name, all, 1)[0];
  const meant = close === undefined ? "" : ` Did you mean ${close}?`;
  throw new ToolgateError(`There is no category ${shownName(name)}.${meant} Known: ${all.join(", ")}.`);
}

function describeTools(gate: Gate, tools: readonly ToolView[], colours: Colours): string {
  const width = Math.max(0, ...tools.map(({ id }) => id.length));
  return gate.categories
    .list()
    .map((category) => {
      const members = tools.filter((tool) => tool.category === category.id);
      if (members.length === 0) return "";
      const state = category.enabled ? `on, at most ${category.ceiling}` : "off";
      const title = `${colours.bold(category.id)} ${colours.dim(`(${state})`)}`;
      return `${title}\n${members.map((tool) => describeTool(tool, width, colours)).join("")}`;
    })
    .filter((part) => part !== "")
    .join("\n");
}

function describeTool(tool: ToolView, width: number, colours: Colours): string {
  const name = tool.id.padEnd(width);
  const line = `  ${tool.callable ? colours.cyan(name) : colours.dim(name)}  ${tool.permission.padEnd(7)}  ${visible(tool.title)}${describeSource(tool, colours)}`;
  if (tool.why === undefined) return `${line}\n`;
  const open = enableHint(tool.why, tool.category);
  return `${line} ${colours.dim(`- not callable: ${tool.why.code}${open === undefined ? "" : ` (${open})`}`)}\n`;
}

/** Built-in tools need no word about where they come from. */
function describeSource({ source }: ToolView, colours: Colours): string {
  if (source.kind === "builtin") return "";
  return ` ${colours.dim(`(${source.kind}${source.name === undefined ? "" : ` ${visible(source.name)}`})`)}`;
}

function describeCount(tools: readonly ToolView[], all: boolean): string {
  const callable = tools.filter((tool) => tool.callable).length;
  const count = `${callable} of ${plural(tools.length, "tool")} can be called.`;
  if (callable === tools.length || all) return `${count}\n`;
  return `${count} The others, and why not: toolgate tools list --all\n`;
}
