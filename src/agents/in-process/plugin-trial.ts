/** A call in the form of our plugins, as toolgate tries a hook out. */
import { jsonTrial } from "../set-up/json-trial.ts";

export const pluginTrial = jsonTrial(
  (tool, input, cwd) => ({
    ...{ event: "PreToolUse", tool, input, cwd, session: "toolgate-doctor", call: "1" },
    servers: [],
  }),
  ({ deny }) => deny,
);
