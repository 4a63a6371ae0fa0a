/** Tells the other replicas by which rules this one decides, now and after each change. */
import { createHash } from "node:crypto";
import { messageOf } from "../../core/call/errors.ts";
import type { Store } from "../../open/open-store.ts";
import type { ServedConfig } from "../rest/rest-route.ts";

export interface RulesTelling {
  readonly store: Pick<Store, "processes">;
  readonly config: ServedConfig;
  readonly tell: (message: string) => void;
}

/** Returns how to tell it again, once the changed configuration is the current one. */
export function tellRules({ store, config, tell }: RulesTelling): () => void {
  const { rules } = store.processes;
  if (rules === undefined) return () => {};
  const say = () => {
    rules.say(versionOf(config)).catch((error: unknown) => tell(messageOf(error)));
  };
  say();
  return say;
}

/** Of what the rules say, not of where they stand: files may be elsewhere on another machine. */
function versionOf({ current: { rules, settings } }: ServedConfig): string {
  const { enabledCategories, disabledCategories, hidden, ceilings, checkDefault } = settings;
  const said = { rules, enabledCategories, disabledCategories, hidden, ceilings, checkDefault };
  const text = JSON.stringify(said, (key, value) => (key === "source" ? undefined : value));
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}
