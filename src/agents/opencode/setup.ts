/** Sets OpenCode up and examines it. */
import type { AgentSetup } from "../agent-setup.ts";
import { setUpOpencode } from "./set-up-kind.ts";

export const opencodeSetup: AgentSetup = setUpOpencode({
  name: "opencode",
  title: "OpenCode",
  measured: "1.18.33",
  program: "opencode",
  folder: "opencode",
  plugins: "plugins",
  config: "opencode.json",
  options: [],
  quiet: {},
});
