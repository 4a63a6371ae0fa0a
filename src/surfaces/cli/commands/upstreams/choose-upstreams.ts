/** Which of the configured upstream servers a command is about. */
import type { PlacedUpstream } from "../../../../config/settings/upstream-settings.ts";
import { ToolgateError } from "../../../../core/call/errors.ts";
import { shownName } from "../../../../core/text/visible.ts";
import { closestNames } from "../../../../core/tool/tool-name.ts";
import type { OpenConfig } from "../../../../open/open-config.ts";

/** Without names: all of them. Throws for one that is not there. */
export function chooseUpstreams(
  { settings: { upstreams = [] } }: Pick<OpenConfig, "settings">,
  names: readonly string[] = [],
): readonly PlacedUpstream[] {
  const known = upstreams.map(({ name }) => name);
  for (const name of names) {
    if (known.includes(name)) continue;
    const close = closestNames(name, known, 1)[0];
    const meant = close === undefined ? "" : ` Did you mean ${close}?`;
    const all =
      known.length === 0 ? "None is configured: toolgate upstreams add." : `Known: ${known.join(", ")}.`;
    throw new ToolgateError(`There is no upstream ${shownName(name)}.${meant} ${all}`);
  }
  return names.length === 0 ? upstreams : upstreams.filter(({ name }) => names.includes(name));
}
