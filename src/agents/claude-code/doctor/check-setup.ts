/** Everything that can be seen from outside about whether Claude Code really asks toolgate. */
import type { CheckedSetup, ProjectPlace } from "../../agent-setup.ts";
import { memberOf } from "../../read-json-file.ts";
import { warning } from "../../setup-finding.ts";
import { findPlugins } from "../installed-plugins.ts";
import { describeBroken } from "../set-up/settings-files.ts";
import { checkHooks, type HooksPlace } from "./check-hooks.ts";
import { checkPluginHooks } from "./check-plugin-hooks.ts";
import { checkSettings } from "./check-settings.ts";
import { checkEnvironment } from "./check-variables.ts";
import { Search } from "./search.ts";

export function checkSetup(place: ProjectPlace): CheckedSetup {
  const search = new Search();
  const { plugins, settings } = findPlugins(place, search);
  const pluginHooks = checkPluginHooks(plugins);
  const project = { CLAUDE_PROJECT_DIR: place.projectDir };
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
  return {
    findings: [
      ...hooks.findings,
      ...checkSettings(settings, place.env),
      ...checkEnvironment(place.env),
      ...pluginHooks.findings,
      ...search.notes.map((note) => warning("plugins", note)),
    ],
    covered: describeBroken(settings),
    installed: hooks.installed,
  };
}
