/** The section `sandbox` of a configuration file: which programs that tools start run in a sandbox. */
import { byName, choice, flag, section } from "../../core/input/shape.ts";
import { sandboxModes } from "../../core/tool/sandbox-rules.ts";

const mode = choice(sandboxModes, "off, preferred (where there is one) or required.");

export const sandboxShape = section(
  {
    mode: choice(
      sandboxModes,
      "For everything that starts programs: shell, plugin tools, checkers, upstreams.",
    ),
    network: flag("Whether commands in the sandbox reach the network. Upstream servers always do.", {
      default: false,
    }),
    categories: byName(mode, "By category, instead of mode. Upstream servers have the category mcp.", {
      examples: [{ shell: "required" }],
    }),
    tools: byName(mode, "By a tool's id or an upstream server's name, instead of its category.", {
      examples: [{ deploy: "off" }],
    }),
  },
  "Which programs that tools start run in a sandbox (Linux, bubblewrap). Of several files the strictest counts; an untrusted project can only make it stricter.",
);
