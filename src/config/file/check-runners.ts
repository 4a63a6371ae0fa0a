/** What no schema can say about runners: which keys go with which type, and what each type needs. */
import { isJsonObject, type Json, type JsonObject } from "../../core/input/json.ts";
import type { ShapeProblem } from "../../safe/files/documents/check-shape.ts";
import type { Path } from "../../safe/files/documents/read-yaml.ts";
import { runnerKeys } from "../settings/session-settings.ts";
import { explainBadReferences } from "../settings/variables.ts";

const namePattern = /^[a-z0-9][a-z0-9_-]{0,31}$/;

/** For a section that already has the right shape. */
export function checkRunners(section: Json | undefined): ShapeProblem[] {
  if (section === undefined || !isJsonObject(section) || !isJsonObject(section.runners ?? null)) return [];
  return Object.entries(section.runners as JsonObject).flatMap(([name, runner]) => {
    const path = ["sessions", "runners", name];
    const reason = 'a runner\'s name is 1 to 32 lower-case letters, digits, "-" and "_".';
    const bad: ShapeProblem[] = namePattern.test(name) ? [] : [{ path, part: "key", reason }];
    return [...bad, ...checkOne(runner as JsonObject, path)];
  });
}

function checkOne(runner: JsonObject, path: Path): ShapeProblem[] {
  const type = runner.type as keyof typeof runnerKeys;
  const says = (key: string) => runner[key] !== undefined && runner[key] !== null;
  const others = new Set(Object.values(runnerKeys).flat().filter(says));
  for (const key of runnerKeys[type]) others.delete(key);
  const problems: ShapeProblem[] = [...others].map((key) => ({
    path: [...path, key],
    part: "key",
    reason: `does not go with type "${type}"; remove it.`,
  }));
  const problem = (reason: string) => problems.push({ path, part: "key", reason });
  if (type === "chat" && !says("api")) problem('of type "chat" needs "api": anthropic or openai.');
  if (type === "acp" && !says("command")) problem('of type "acp" needs "command": the program.');
  if (says("key_env") && says("key_file")) problem('takes "key_env" or "key_file", not both.');
  const { base_url: url } = runner;
  if (typeof url === "string" && !/^https?:$/.test(URL.parse(url)?.protocol ?? ""))
    problems.push({ path: [...path, "base_url"], part: "value", reason: "is no http or https address." });
  for (const [name, value] of Object.entries((runner.env ?? {}) as JsonObject)) {
    const why = typeof value === "string" ? explainBadReferences(value) : undefined;
    if (why !== undefined) problems.push({ path: [...path, "env", name], part: "value", reason: why });
  }
  return problems;
}
