/** Sets Qoder up and examines it, by its documentation. Its command and its editors read the same files. */
import { join } from "node:path";
import type { AgentAbilities, AgentSetup } from "../agent-setup.ts";
import { memberOf } from "../read-json-file.ts";
import { hooksInJson } from "../set-up/json-hooks.ts";
import { jsonTrial } from "../set-up/json-trial.ts";
import { type ScopedPlace, setUpAgent } from "../set-up/set-up-agent.ts";

const abilities: AgentAbilities = {
  deny: "told",
  ask: "queue",
  contextBefore: false,
  contextAfter: false,
  rewrite: false,
  callId: true,
  subAgents: "not tried",
  onHookFailure: "runs the call",
  holes: [
    "A hook that crashes, hangs or is killed is taken for a yes.",
    "Its Chinese edition has a folder of its own (~/.qoder-cn), which is not looked at.",
  ],
};

export const qoderSetup: AgentSetup = setUpAgent({
  name: "qoder",
  title: "Qoder",
  abilities,
  scopes: ["user", "project", "local"],
  signs: { programs: ["qodercli", "qoder"], folders: ({ home }) => [join(home, ".qoder")] },
  hookTrial: jsonTrial(
    (tool_name, tool_input, cwd) => ({
      session_id: "toolgate-doctor",
      cwd,
      hook_event_name: "PreToolUse",
      tool_name,
      tool_input,
      tool_use_id: "toolgate-doctor",
    }),
    ({ hookSpecificOutput: said }) =>
      memberOf(said, "permissionDecision") === "deny"
        ? memberOf(said, "permissionDecisionReason")
        : undefined,
  ),
  parts: (place) => [
    hooksInJson({
      agent: "qoder",
      file: fileOf(place),
      hooks({ before, after, task }) {
        const entry = (command: string, timeout: number) => ({
          hooks: [{ type: "command", command, timeout }],
        });
        const looking = [{ matcher: "*", ...entry(after.line, after.seconds) }];
        return {
          PreToolUse: [{ matcher: "*", ...entry(before.line, before.seconds) }],
          PostToolUse: looking,
          PostToolUseFailure: looking,
          UserPromptSubmit: [entry(task.line, task.seconds)],
        };
      },
    }),
  ],
});

function fileOf({ scope, home, projectDir }: ScopedPlace): string {
  const folder = join(scope === "user" ? home : projectDir, ".qoder");
  return join(folder, scope === "local" ? "settings.local.json" : "settings.json");
}
