/** Sets Codex up and examines it. */
import type { AgentAbilities, AgentSetup, SetupRequest, TrustStep } from "../agent-setup.ts";
import { findServers } from "../mcp-servers/find-servers.ts";
import { memberOf, readTextFile } from "../read-json-file.ts";
import { putParts } from "../set-up/change-files.ts";
import { jsonTrial } from "../set-up/json-trial.ts";
import { setUpAgent } from "../set-up/set-up-agent.ts";
import { codexClient } from "./client.ts";
import { codexHome, userConfig } from "./places.ts";
import { checkCodex } from "./set-up/check-codex.ts";
import { trustPart } from "./set-up/hook-trust.ts";
import { hooksPart } from "./set-up/hooks-part.ts";

const hookTrial = jsonTrial(
  (tool_name, tool_input, cwd) => ({
    session_id: "toolgate-doctor",
    turn_id: "toolgate-doctor",
    transcript_path: null,
    cwd,
    hook_event_name: "PreToolUse",
    model: "toolgate-doctor",
    permission_mode: "default",
    tool_name,
    tool_input,
    tool_use_id: "toolgate-doctor",
  }),
  ({ hookSpecificOutput: said }) =>
    memberOf(said, "permissionDecision") === "deny" ? memberOf(said, "permissionDecisionReason") : undefined,
);

const abilities: AgentAbilities = {
  measured: "0.166.0",
  deny: "told",
  ask: "queue",
  contextBefore: true,
  contextAfter: true,
  rewrite: true,
  // Where the model calls a tool itself. The calls of a script (code mode) have ids that Codex makes up.
  callId: true,
  subAgents: "hooked",
  onHookFailure: "runs the call",
  holes: [
    "It skips hooks that nobody has trusted, in codex exec without a word; install offers to do it, doctor says when it is missing.",
    "What it types into a program that has a terminal (write_stdin) no hook is shown. Bare shells are refused; codex features disable unified_exec_tty closes the rest.",
    "codex --disable hooks starts it without hooks; in config.toml ([features] hooks = false) doctor sees it.",
    "A hook that hangs for longer than its time-out is given up, and the call runs; toolgate's script denies before.",
    "The model chooses the shell of a command (bash, zsh), and no hook is told. With zsh on the machine, set shell.dialect: zsh.",
    "Web searches and images are made by the model's provider: no hook sees them.",
  ],
};

/** Nothing to do, or what a person has to agree to. */
function trust(request: SetupRequest): TrustStep | undefined {
  const part = trustPart(request);
  const read = readTextFile(part.file);
  const text = read.state === "read" ? read.text : undefined;
  const noHook = { program: { path: "" } };
  const edited = part.put(text, noHook);
  if (edited.ok && edited.text === text) return undefined;
  return {
    question: "Tell Codex to trust toolgate's hooks?",
    does: `${userConfig(request)} gets the hash of each of them, as /hooks in Codex would write it.`,
    otherwise:
      "Codex skips them without a word until they are trusted: start codex, type /hooks and trust each of them.",
    run: async () => putParts(request, [part], noHook),
  };
}

export const codexSetup: AgentSetup = setUpAgent({
  name: "codex",
  title: "Codex",
  abilities,
  scopes: ["user", "project"],
  signs: { programs: ["codex"], folders: (place) => [codexHome(place)] },
  parts: (place) => [hooksPart(place)],
  trustParts: (place) => [trustPart(place)],
  trust,
  checks: checkCodex,
  findServers: (place) => findServers("codex", place).servers.filter(({ disabled }) => disabled !== true),
  serverCommands: {
    take: (name) => `toolgate upstreams import codex ${name}`.trim(),
    remove: (name) => `codex mcp remove ${name}`,
  },
  hookTrial,
  client: codexClient,
});
