/** The bundled hook as agents start it: a real process in a home of its own. Needs `npm run build`. */
import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import {
  createHookHome,
  defined,
  type Ended,
  ended,
  type HookHome,
  toBytes,
  type Variables,
} from "../hook-home.ts";

const built = fileURLToPath(new URL("../../dist/hook", import.meta.url));

/** Read once: a build that runs meanwhile must not be met half done. */
const bundle = readBundle();

export interface RunOptions {
  readonly agent?: "claude-code" | undefined;
  readonly env?: Variables;
  readonly cwd?: string;
  readonly spawn?: SpawnOptions;
}

export interface ProcessWorld extends HookHome {
  readonly hook: string;
  start(options?: RunOptions): ChildProcess;
  /** As Claude Code, unless it is said otherwise. */
  run(stdin: unknown, options?: RunOptions): Promise<Ended>;
}

export function createProcessWorld(): ProcessWorld {
  if (bundle.size === 0) throw new Error(`There is no ${built}: run npm run build first.`);
  const place = createHookHome();
  // The folder above it is the program's own, as `dist` is: the project must not lie in it.
  const folder = join(place.base, "program", "hook");
  mkdirSync(folder, { recursive: true });
  for (const [name, bytes] of bundle) writeFileSync(join(folder, name), bytes);
  const hook = join(folder, "hook.cjs");
  const world: ProcessWorld = {
    ...place,
    hook,
    start: ({ agent, env, cwd = place.project, spawn: more } = {}) =>
      spawn(process.execPath, [hook, ...(agent === undefined ? [] : [agent])], {
        cwd,
        env: defined({ PATH: process.env.PATH, HOME: place.home, ...env }),
        stdio: "pipe",
        ...more,
      }),
    run(stdin, options = {}) {
      const child = world.start({ agent: "claude-code", ...options });
      // Whoever denies before all was read closes the pipe.
      child.stdin?.on("error", () => {});
      child.stdin?.end(toBytes(stdin));
      return ended(child);
    },
  };
  return world;
}

function readBundle(): ReadonlyMap<string, Buffer> {
  if (!existsSync(join(built, "hook.cjs"))) return new Map();
  const files = readdirSync(built, { withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(files.map(({ name }) => [name, readFileSync(join(built, name))]));
}

/** What holds for every end: nothing or one JSON document, exit code 0 or 2, and no denial with 0. */
export function verdictOf({ code, signal, out, err }: Ended): "deny" | "allow" | "rewrite" | "abstain" {
  const where = JSON.stringify({ code, signal, out: out.slice(0, 500), err: err.slice(0, 500) });
  expect(signal, where).toBeNull();
  expect([0, 2], where).toContain(code);
  if (out === "") return code === 2 ? "deny" : "abstain";
  expect(out.endsWith("\n"), where).toBe(true);
  // Throws for anything before, behind or besides one document.
  const { hookSpecificOutput: said = {} } = JSON.parse(out) as {
    hookSpecificOutput?: Record<string, unknown>;
  };
  if (said.permissionDecision === "deny") {
    expect(code, where).toBe(2);
    expect(err, where).not.toBe("");
    return "deny";
  }
  expect(code, where).toBe(0);
  if (said.updatedInput !== undefined) return "rewrite";
  return said.permissionDecision === "allow" ? "allow" : "abstain";
}
