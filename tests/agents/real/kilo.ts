/** Kilo, which is made of OpenCode. */
import { npmProgram } from "../npm-package.ts";
import { opencodeCalls, quietOpencode, writeOpencodeConfig } from "./opencode.ts";
import type { RealAgent } from "./real-agent.ts";
import { breakResident } from "./resident-faults.ts";

const installed = npmProgram({
  agent: "kilo",
  package: { name: "@kilocode/cli-linux-x64", version: "7.7.9" },
  file: "@kilocode/cli-linux-x64/bin/kilo",
});

export const kilo: RealAgent = {
  name: "kilo",
  ...installed,
  variables: () => ({ ...quietOpencode, KILO_DISABLE_AUTOUPDATE: "1", KILO_DISABLE_MODELS_FETCH: "1" }),
  configure: (bench, world) => writeOpencodeConfig(bench, "kilo.json", world),
  hook: { breakHook: breakResident },
  command: (prompt) => ({ program: installed.find() ?? "kilo", args: ["run", "--auto", prompt] }),
  calls: opencodeCalls(),
};
