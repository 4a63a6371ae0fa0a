/** The options that say which tools are on, and the gate with tools that they open. */
import { switchedOff } from "../../../config/settings/tools-settings.ts";
import { ToolgateError } from "../../../core/call/errors.ts";
import { shownName } from "../../../core/text/visible.ts";
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
  io.err(describeNotes(config.notes, io) + describeIgnored(config.ignored, io));
  const { aboutTool, ...asked } = request;
  const open = await openTools(config, {
    note: (text) => io.err(describeNotes([text], io)),
    ...asked,
    env: io.env,
    ...chooseTools(options, config),
  });
  const { report } = open.plugins;
  io.err(
    aboutTool === undefined
      ? describePluginReport(report, io)
      : describePluginsAbout(aboutTool, open.gate.tools.get(aboutTool) !== undefined, report, io),
  );
  return open;
}

/** Names with commas between them. */
export function namesIn(text: string): string[] {
  const names = text.split(",").map((name) => name.trim());
  return names.filter((name) => name !== "");
}

/**
 * Options come after the configuration. `--no-enable-tools` means none but those that are named; `--enable-tools` means
 * all, or with names these on top of the defaults; names alone add. What a file disables stays off.
 */
export function chooseTools(
  { enableTools, enableToolCategories = "" }: ToolOptions,
  config: Pick<OpenConfig, "settings">,
): Pick<GateRequest, "enable" | "ceilings"> {
  const { disabledCategories = [], ...configured } = configuredChoice(config);
  const named = namesIn(enableToolCategories);
  const off = switchedOff(named, disabledCategories);
  if (off !== undefined)
    throw new ToolgateError(
      `The category ${shownName(off)} is switched off in the configuration (tools.disabled_categories, or false in tools.enabled_categories). Take it out there; a flag does not switch it on.`,
    );
  if (enableTools === false)
    return { enable: { enableAll: false, enabledCategories: named, disabledCategories }, ceilings: {} };
  if (enableTools === true && named.length > 0)
    return { enable: { enabledCategories: named, disabledCategories } };
  if (enableTools === true) return { enable: { enableAll: true, disabledCategories }, ceilings: {} };
  const enabledCategories = [...(configured.enabledCategories ?? []), ...named];
  return { enable: { ...configured, enabledCategories, disabledCategories } };
}
