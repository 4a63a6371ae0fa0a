/** What in Codex's files keeps it from starting our hooks, or from asking them about everything. */

import { join } from "node:path";
import { parse } from "smol-toml";
import type { ProjectPlace, SetupScope } from "../../agent-setup.ts";
import { memberOf, readTextFile } from "../../read-json-file.ts";
import { info, ok, problem, type SetupFinding } from "../../setup-finding.ts";
import { userConfig } from "../places.ts";
import { findIdentities, type HookIdentity } from "./hook-trust.ts";

export function checkCodex(place: ProjectPlace): SetupFinding[] {
  const user = readToml(userConfig(place));
  const project = readToml(join(place.projectDir, ".codex", "config.toml"));
  const managed = readToml(join(place.managedDir ?? "/etc/codex", "requirements.toml"));
  const hooks = (["user", "project"] as const).map((scope) => ({
    scope,
    identities: findIdentities({ ...place, scope }),
  }));
  if (hooks.every(({ identities }) => identities.length === 0)) return [];
  return [
    ...[user, project].flatMap(checkSwitch),
    ...checkManaged(managed),
    ...hooks.flatMap(({ scope, identities }) =>
      identities.length === 0
        ? []
        : [...checkTrust(user, identities, scope), ...(scope === "user" ? [] : checkProject(user, place))],
    ),
    ...checkTerminals(user),
  ];
}

interface Toml {
  readonly file: string;
  /** Undefined: there is none, or nobody can read it. */
  readonly value: unknown;
}

function readToml(file: string): Toml {
  const read = readTextFile(file);
  try {
    return { file, value: read.state === "read" ? parse(read.text) : undefined };
  } catch {
    return { file, value: undefined };
  }
}

function at({ value }: Toml, ...path: readonly string[]): unknown {
  return path.reduce(memberOf, value);
}

function checkSwitch(config: Toml): SetupFinding[] {
  if (at(config, "features", "hooks") !== false) return [];
  return [
    problem(
      "hooks-off",
      `${config.file} switches all hooks of Codex off: nothing is checked.`,
      "Take `hooks = false` out of [features].",
    ),
  ];
}

function checkManaged(config: Toml): SetupFinding[] {
  if (at(config, "allow_managed_hooks_only") !== true) return [];
  return [
    problem(
      "hooks-off",
      `${config.file} lets Codex start only the hooks of an administrator: toolgate's are skipped.`,
      "Ask who looks after this machine to add toolgate's hooks there.",
    ),
  ];
}

/** The first that is wrong says it for all. */
function checkTrust(config: Toml, identities: readonly HookIdentity[], scope: SetupScope): SetupFinding[] {
  const check = "hook-trust";
  const todo = `Run: toolgate install codex${scope === "user" ? "" : ` --scope ${scope}`}, and say yes when it asks. Or trust them at /hooks in Codex.`;
  for (const { key, event, hash } of identities) {
    const state = at(config, "hooks", "state", key);
    const trusted = memberOf(state, "trusted_hash");
    const why =
      memberOf(state, "enabled") === false
        ? "is switched off there"
        : trusted === undefined
          ? "is not trusted"
          : trusted === hash
            ? undefined
            : "was changed since it was trusted";
    if (why !== undefined)
      return [
        problem(
          check,
          `Codex skips toolgate's hooks without a word: the one for ${event} ${why} (${config.file}).`,
          todo,
        ),
      ];
  }
  return [ok(check, `Codex trusts toolgate's hooks (${config.file}).`)];
}

function checkProject(config: Toml, { projectDir }: ProjectPlace): SetupFinding[] {
  if (at(config, "projects", projectDir, "trust_level") === "trusted") return [];
  return [
    problem(
      "project-trust",
      `Codex reads the hooks of a project only if it trusts the project, and ${config.file} does not say so of ${projectDir}.`,
      "Start codex there and trust the folder, or install for all projects: toolgate install codex",
    ),
  ];
}

function checkTerminals(config: Toml): SetupFinding[] {
  if (at(config, "features", "unified_exec_tty") === false) return [];
  return [
    info(
      "typed-input",
      "What Codex types into a program that has a terminal is shown to no hook. To have no terminals: codex features disable unified_exec_tty",
    ),
  ];
}
