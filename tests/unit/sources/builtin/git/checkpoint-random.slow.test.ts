/** Random work trees and random changes to them, for what must hold of checkpoints whatever is in them. */
import { lstatSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { byTier } from "../../../../tier.ts";
import { describeGit, type GitGate, gitGate, treeOf } from "./git-gate.ts";

type Change =
  | { readonly kind: "write"; readonly path: string; readonly bytes: Uint8Array; readonly program: boolean }
  | { readonly kind: "link"; readonly path: string; readonly to: string }
  | { readonly kind: "remove"; readonly path: string }
  /** The person stages, commits or makes a branch in between. */
  | { readonly kind: keyof typeof personDoes };

/** Few names, so that files become folders and links and back. */
const path = fc
  .array(fc.constantFrom("a", "b", "c.txt", "ü", "sp ace", "-x", "e.log"), { minLength: 1, maxLength: 3 })
  .map((names) => names.join("/"));
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc.constantFrom("", "a\r\nb\n", "$Id$\n", "x\n", "y\n").map((text) => new TextEncoder().encode(text)),
);
const fileChange: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant("write" as const), path, bytes, program: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("link" as const),
      path,
      to: fc.constantFrom("a", "../..", "/etc"),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("remove" as const), path }) },
);
const anyChange: fc.Arbitrary<Change> = fc.oneof(
  { weight: 8, arbitrary: fileChange },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom("stage" as const, "commit" as const, "branch" as const, "stash" as const),
    }),
  },
) as fc.Arbitrary<Change>;

const scenario = fc.record({
  attributes: fc.constantFrom("", "* text=auto eol=crlf\n", "* ident\n", "*.txt text\na filter=up\n"),
  before: fc.array(anyChange, { maxLength: 12 }),
  since: fc.array(fileChange, { maxLength: 10 }),
});

type Scenario = typeof scenario extends fc.Arbitrary<infer Value> ? Value : never;

/** Throws where a promise of checkpoints is broken. */
async function tryScenario(gate: GitGate, { attributes, before, since }: Scenario): Promise<void> {
  gate.git("config", "filter.up.clean", `touch '${gate.base}/PWNED'; tr a-z A-Z`);
  gate.write(".gitattributes", attributes);
  gate.write(".gitignore", "*.log\n");
  for (const change of before) apply(gate, change);
  const saved = files(gate);
  const state = gitState(gate);
  const { id } = (await gate.data("git.checkpoint", { action: "save" })) as { id: string };
  expect(gitState(gate)).toEqual(state);
  expect(files(gate)).toEqual(saved);
  for (const change of since) apply(gate, change);
  const changed = files(gate);
  const outcome = await gate.call("git.checkpoint", { action: "restore", id });
  expect(gitState(gate)).toEqual(state);
  expect(lstatSync(join(gate.base, "PWNED"), { throwIfNoEntry: false })).toBeUndefined();
  // Ignored files stand in the way of restored ones now and then; then nothing may have changed.
  if (!outcome.ok) {
    expect(files(gate)).toEqual(changed);
    return;
  }
  expect(notIgnored(files(gate))).toEqual(notIgnored(saved));
  const { before: safety } = outcome.value as { before?: string };
  if (safety === undefined) return;
  await gate.data("git.checkpoint", { action: "restore", id: safety });
  expect(notIgnored(files(gate))).toEqual(notIgnored(changed));
  expect(gitState(gate)).toEqual(state);
}

function apply(gate: GitGate, change: Change): void {
  if (!("path" in change)) {
    // Without the filter: whether it runs for the person is not what is asked here.
    try {
      for (const args of personDoes[change.kind]) gate.git("-c", "filter.up.clean=", ...args);
    } catch {
      // Nothing to stash.
    }
    return;
  }
  const full = join(gate.root, change.path);
  if (change.kind !== "remove") makeRoom(gate.root, change.path);
  // Nothing is removed through a link, which may lead to itself.
  else if (inTheWay(gate.root, change.path) !== undefined) return;
  rmSync(full, { recursive: true, force: true });
  if (change.kind === "remove") return;
  mkdirSync(dirname(full), { recursive: true });
  if (change.kind === "link") symlinkSync(change.to, full);
  else writeFileSync(full, change.bytes, { mode: change.program ? 0o755 : 0o644 });
}

const personDoes = {
  stage: [["add", "-A"]],
  commit: [["commit", "-q", "--allow-empty", "-am", "m"]],
  branch: [["branch", "-f", "other"]],
  stash: [
    ["add", "-A"],
    ["stash", "-q"],
    ["stash", "apply", "-q"],
  ],
} as const;

/** What stands where a folder has to be goes: nothing is written through a link. */
function makeRoom(root: string, path: string): void {
  const found = inTheWay(root, path);
  if (found !== undefined) rmSync(found);
}

/** The first file or link on the way to the path. */
function inTheWay(root: string, path: string): string | undefined {
  const names = path.split("/").slice(0, -1);
  return names
    .map((_, at) => join(root, ...names.slice(0, at + 1)))
    .find((folder) => lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === false);
}

function files(gate: GitGate): Record<string, string> {
  return treeOf(gate.root, (path) => path === ".git");
}

function notIgnored(tree: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(tree).filter(([path]) => !path.split("/").some((name) => name.endsWith(".log"))),
  );
}

/** Everything of the repository but its objects and our own names for some of them. */
function gitState(gate: GitGate): Record<string, string> {
  return treeOf(join(gate.root, ".git"), (path) => path === "objects" || path === "refs/toolgate");
}

describeGit("checkpoints of many random work trees", () => {
  it("come back byte for byte, and index, branches, HEAD and settings stay byte for byte", async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async (one) => tryScenario(await gitGate({ files: { start: "s" } }), one)),
      { numRuns: byTier(25, 200) },
    );
  });
});
