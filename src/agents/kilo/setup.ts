/** Sets Kilo up and examines it. */
import type { AgentSetup } from "../agent-setup.ts";
import { setUpOpencode } from "../opencode/set-up-kind.ts";

export const kiloSetup: AgentSetup = setUpOpencode({
  name: "kilo",
  title: "Kilo",
  measured: "7.7.9",
  program: "kilo",
  folder: "kilo",
  plugins: "plugin",
  config: "kilo.json",
  options: ["--auto"],
  quiet: { KILO_DISABLE_AUTOUPDATE: "1", KILO_DISABLE_MODELS_FETCH: "1" },
});
