/** Sets droid up and examines it. */
import { join } from "node:path";
import type { AgentAbilities, AgentSetup, ProjectPlace } from "../agent-setup.ts";
import { memberOf } from "../read-json-file.ts";
import { jsonTrial } from "../set-up/json-trial.ts";
import { setUpAgent } from "../set-up/set-up-agent.ts";
import { problem, type SetupFinding } from "../setup-finding.ts";
import { findWrongDroidHooks } from "./check-shape.ts";
import { droidClient } from "./client.ts";
import { droidParts, factoryFolders, hookFilesIn, readEvents } from "./hook-files.ts";

const abilities: AgentAbilities = {
  measured: "0.225.2",
  deny: "told",
  ask: "queue",
  contextBefore: false,
  contextAfter: true,
  rewrite: true,
  callId: false,
  subAgents: "not tried",
  onHookFailure: "runs the call",
  holes: [
    "A repository's own .factory can switch all hooks off (hooksDisabled), as --settings can; doctor says so.",
    "A hook that hangs longer than its time-out is taken for a yes.",
    "One wrong field in a file makes it ignore all hooks in that file; doctor says so.",
    "Its sub-agents need an account: whether their calls come to the hook was not seen.",
    "It sends nothing after a call that failed: the record has no end for it.",
  ],
};

const hookTrial = jsonTrial(
  (tool_name, tool_input, cwd) => ({
    session_id: "toolgate-doctor",
    cwd,
    permission_mode: "off",
    hook_event_name: "PreToolUse",
    tool_name,
    tool_input,
  }),
  ({ hookSpecificOutput: said }) =>
    memberOf(said, "permissionDecision") === "deny" ? memberOf(said, "permissionDecisionReason") : undefined,
);

export const droidSetup: AgentSetup = setUpAgent({
  name: "droid",
  title: "Factory droid",
  projectVariable: "FACTORY_PROJECT_DIR",
  abilities,
  hookTrial,
  scopes: ["user", "project"],
  signs: { programs: ["droid"], folders: ({ home }) => [join(home, ".factory")] },
  parts: droidParts,
  checks: checkFiles,
  client: droidClient,
});

function checkFiles(place: ProjectPlace): SetupFinding[] {
  const { user, project } = factoryFolders(place);
  const folders = user === project ? [user] : [user, project];
  return folders.flatMap(hookFilesIn).flatMap((hookFile) => {
    const events = readEvents(hookFile);
    const isOff = memberOf(events, "hooksDisabled") === true;
    const wrong = findWrongDroidHooks(events);
    return [
      ...(isOff ? [describeOff(hookFile.file)] : []),
      ...(wrong === undefined ? [] : [describeWrong(hookFile.file, wrong)]),
    ];
  });
}

function describeOff(file: string): SetupFinding {
  return problem(
    "hooks-off",
    `${file} switches all hooks off (hooksDisabled): droid asks nobody, whatever other files say.`,
    `Look at it, and remove "hooksDisabled" from ${file}.`,
  );
}

function describeWrong(file: string, wrong: string): SetupFinding {
  return problem(
    "hooks-shape",
    `droid ignores every hook in ${file} without a word: ${wrong}.`,
    `Correct it in ${file}.`,
  );
}
