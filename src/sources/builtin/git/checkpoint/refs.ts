/** Checkpoints by name: a commit under `refs/toolgate/checkpoints/` each, which no branch knows. */
import { randomBytes } from "node:crypto";
import type { Failed, Failure } from "../../../../core/call/tool-answer.ts";
import { visible } from "../../../../core/text/visible.ts";
import { type Git, type Named, nameIn } from "../open-git.ts";
import type { Shadow } from "./shadow.ts";

const prefix = "refs/toolgate/checkpoints/";
const maxCheckpoints = 1_000;

export const idPattern = "^[0-9]{8}-[0-9]{9}-[0-9a-f]{4}$";

export interface Checkpoint {
  readonly id: string;
  readonly date: string;
  readonly label: string;
}

type Recorded = (Named & { readonly ok: true; readonly commit: string }) | Failed;

export async function recordCheckpoint(
  git: Git,
  shadow: Shadow,
  tree: string,
  label: string,
): Promise<Recorded> {
  const known = await listCheckpoints(git, maxCheckpoints);
  if ("message" in known) return { ok: false, ...known };
  if (known.length >= maxCheckpoints) {
    const message = `There are ${maxCheckpoints} checkpoints already. Delete some with action: delete first.`;
    return { ok: false, code: "too_many_checkpoints", message };
  }
  const head = nameIn(await git.run(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]));
  const parents = head.ok ? ["-p", head.id] : [];
  const made = await makeCommit(shadow, tree, oneLine(label), parents);
  if (!made.ok) return made;
  const id = newId();
  const set = await git.run(["update-ref", `${prefix}${id}`, made.id, ""]);
  return set.ok ? { ok: true, id, commit: made.id } : set;
}

/** An object that nothing refers to yet. */
export async function makeCommit(
  shadow: Shadow,
  tree: string,
  message: string,
  parents: readonly string[] = [],
): Promise<Named> {
  const input = `${message}\n`;
  return nameIn(await shadow.run(["commit-tree", tree, ...parents, "-F", "-"], { input }));
}

export async function listCheckpoints(git: Git, limit: number): Promise<readonly Checkpoint[] | Failure> {
  const end = await git.run([
    "for-each-ref",
    "--sort=-refname",
    `--count=${limit}`,
    "--format=%(refname:lstrip=3)%00%(committerdate:iso-strict)%00%(contents:subject)",
    prefix,
  ]);
  if (!end.ok) return end;
  const lines = end.stdout.toString().split("\n");
  return lines.filter(Boolean).map((line) => {
    const [id = "", date = "", label = ""] = line.split("\0");
    return { id, date, label: visible(label, { maxLength: 300 }) };
  });
}

/** The tree of a checkpoint. */
export async function findCheckpoint(git: Git, id: string): Promise<Named> {
  const found = nameIn(await git.run(["rev-parse", "--verify", "--quiet", `${prefix}${id}^{tree}`]));
  if (found.ok || found.code !== "git_failed") return found;
  const message = `There is no checkpoint ${JSON.stringify(id)}. action: list shows them.`;
  return { ok: false, code: "not_found", message };
}

export async function deleteCheckpoint(git: Git, id: string): Promise<Named> {
  const found = await findCheckpoint(git, id);
  if (!found.ok) return found;
  const end = await git.run(["update-ref", "-d", `${prefix}${id}`]);
  return end.ok ? { ok: true, id } : end;
}

/** Sorts by time: day, time to the millisecond. */
function newId(): string {
  const [, date, time] = /^(\d{8})T(\d{9})Z$/.exec(new Date().toISOString().replace(/[-:.]/g, "")) ?? [];
  return `${date}-${time}-${randomBytes(2).toString("hex")}`;
}

function oneLine(label: string): string {
  return visible(label.replace(/\s+/g, " ").trim(), { maxLength: 200 }) || "checkpoint";
}
