/** The options that say which tools are on, and the gate with tools that they open. */
import type { CategoryChoice } from "../../../core/tool/categories.ts";
import { configuredChoice, type GateRequest, type OpenConfig } from "../../../open/open-config.ts";
import { type OpenTools, openTools, type ToolsRequest } from "../../../open/open-tools.ts";
import { describePluginReport, describePluginsAbout } from "../terminal/describe-plugins.ts";
import type { CliIo } from "../terminal/io.ts";
import { type CommonOptions, describeIgnored, describeNotes, openUsable } from "./effective-config.ts";

export interface ToolOptions extends CommonOptions {
  /** `--enable-tools`, `--no-enable-tools`. */
  readonly enableTools?: boolean | undefined;
  /** `--enable-tool-categories`: names with commas between them. */
  readonly enableToolCategories?: string | undefined;
}

/** Throws if the configuration cannot be used. With `aboutTool`, plugins are told of only for this tool. */
export async function openToolGate(
  options: ToolOptions,
  io: CliIo,
  request: Omit<ToolsRequest, "enable"> & { readonly aboutTool?: string },
): Promise<OpenTools> {
  const config = await openUsable(options, io);
  io.err(describeNotes(config.notes) + describeIgnored(config.ignored, io.cwd));
  const { aboutTool, ...asked } = request;
  const open = await openTools(config, {
    note: (text) => io.err(describeNotes([text])),
    ...asked,
    env: io.env,
    enable: chooseTools(options, config),
    ...ceilingsFor(options),
  });
  const { report } = open.plugins;
  io.err(
    aboutTool === undefined
      ? describePluginReport(report, io.cwd)
      : describePluginsAbout(aboutTool, open.gate.tools.get(aboutTool) !== undefined, report, io.cwd),
  );
  return open;
}

/** `--enable-tools` lifts every ceiling; `--no-enable-tools` returns to the default ceilings. */
function ceilingsFor({ enableTools }: ToolOptions): Pick<GateRequest, "ceilings"> {
  return enableTools === undefined ? {} : { ceilings: {} };
}

/** Names with commas between them. */
export function namesIn(text: string): string[] {
  const names = text.split(",").map((name) => name.trim());
  return names.filter((name) => name !== "");
}

/** Options come after the configuration: `--no-enable-tools` takes back, names add. */
export function chooseTools(options: ToolOptions, config: Pick<OpenConfig, "settings">): CategoryChoice {
  const configured = configuredChoice(config);
  const { enableTools, enableToolCategories = "" } = options;
  const named = namesIn(enableToolCategories);
  if (enableTools === false) return { enabledCategories: named };
  return {
    enableAll: enableTools ?? configured.enableAll ?? false,
    enabledCategories: [...(configured.enabledCategories ?? []), ...named],
  };
}
