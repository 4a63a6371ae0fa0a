/** Everything that can be seen from outside about whether Claude Code really asks toolgate. */
import type { SetupFinding } from "../../setup-finding.ts";
import { findPlugins } from "../installed-plugins.ts";
import type { ClaudeRequest } from "../places.ts";
import { memberOf } from "../read-json-file.ts";
import { checkHooks, type HooksPlace, type InstalledHook } from "./check-hooks.ts";
import { checkPluginHooks } from "./check-plugin-hooks.ts";
import { checkSettings } from "./check-settings.ts";
import { checkEnvironment } from "./check-variables.ts";
import { Search } from "./search.ts";

export interface CheckedSetup {
  readonly findings: readonly SetupFinding[];
  /** What would be started before each call. */
  readonly installed: readonly InstalledHook[];
}

export function checkSetup(request: ClaudeRequest & { readonly projectDir: string }): CheckedSetup {
  const search = new Search();
  const { plugins, settings } = findPlugins(request, search);
  const pluginHooks = checkPluginHooks(plugins);
  const project = { CLAUDE_PROJECT_DIR: request.projectDir };
  const places: HooksPlace[] = [
    ...settings.flatMap(({ file, level, read }) => {
      const isForeign = level === "project" || level === "local";
      return read.state === "read"
        ? [{ file, hooks: memberOf(read.value, "hooks"), isForeign, variables: project }]
        : [];
    }),
    ...pluginHooks.read.map(({ plugin, file, hooks }) => ({
      file,
      hooks,
      variables: { ...project, CLAUDE_PLUGIN_ROOT: plugin.root },
    })),
  ];
  const hooks = checkHooks(places);
  // What broken settings files mean is said by `checkSettings`, in its own words.
  const broken = settings
    .filter(({ read }) => read.state === "broken")
    .map(({ file }) => `${file} is skipped`);
  const notes = search.notes.filter((note) => !broken.some((start) => note.startsWith(start)));
  return {
    findings: [
      ...hooks.findings,
      ...checkSettings(settings, request.env),
      ...checkEnvironment(request.env),
      ...pluginHooks.findings,
      ...notes.map((message): SetupFinding => ({ check: "plugins", level: "warning", message })),
    ],
    installed: hooks.installed,
  };
}
