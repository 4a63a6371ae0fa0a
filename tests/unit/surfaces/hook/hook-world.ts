/** Hooks that are asked in this process, alone or by a server: real files in a home of their own. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { HookAgent, HookAnswer } from "../../../../src/agents/agent-hook.ts";
import { openAgent } from "../../../../src/agents/all-agents.ts";
import { claudeCode } from "../../../../src/agents/claude-code/agent.ts";
import { addTrust } from "../../../../src/config/trust/trust.ts";
import { openStore, type Store } from "../../../../src/open/open-store.ts";
import { type HookRequest, runHook } from "../../../../src/surfaces/hook/process/run-hook.ts";
import { checkHook } from "../../../../src/surfaces/hook/served/check-hook.ts";
import { createHookService } from "../../../../src/surfaces/hook/served/hook-service.ts";
import { createHookHome, type HookHome, type Variables } from "../../../hook-home.ts";

export { bash, rules, settle } from "../../../hook-home.ts";

export interface HookOptions {
  readonly agent?: HookAgent;
  readonly env?: Variables;
  readonly cwd?: string;
}

export interface HookWorld extends HookHome {
  readonly env: Variables;
  trust(file: string): void;
  run(stdin: unknown, options?: HookOptions): Promise<HookAnswer>;
  claude(stdin: unknown, options?: HookOptions): Promise<HookAnswer>;
}

export function createHookWorld(): HookWorld {
  const place = createHookHome();
  const { home, project, state } = place;
  // The walk asks the system for the home folder, too.
  const realHome = process.env.HOME;
  process.env.HOME = home;
  onTestFinished(() => {
    process.env.HOME = realHome;
    place.remove();
  });
  const env: Variables = { HOME: home };
  const world: HookWorld = {
    ...place,
    env,
    trust(file) {
      const sha256 = createHash("sha256").update(readFileSync(file)).digest("hex");
      addTrust(state, [{ path: file, sha256 }]);
    },
    run: async (stdin, { agent, env: more, cwd = project } = {}) =>
      runHook({
        agent: agent ?? (await openAgent(undefined)),
        stdin: toStdin(stdin),
        env: { ...env, ...more },
        cwd,
      }),
    claude: async (stdin, options) => world.run(stdin, { ...options, agent: await openAgent(claudeCode) }),
  };
  return world;
}

function toStdin(stdin: unknown): HookRequest["stdin"] {
  if (typeof stdin === "string") return stdin;
  return "problem" in (stdin as object) ? (stdin as { problem: string }) : JSON.stringify(stdin);
}

export interface ServedHooks {
  readonly store: Store;
  /** As Claude Code's script would, in the name of the owner. */
  claude(stdin: unknown, options?: HookOptions & { readonly waitMs?: number }): Promise<HookAnswer>;
}

/** A server's part in a hook, without the way to it. */
export async function serveHooks(world: HookWorld, isWatched?: () => boolean): Promise<ServedHooks> {
  const store = await openStore({ stateFolder: join(world.base, "store") });
  const service = createHookService({ store, env: world.env, ...(isWatched && { isWatched }) });
  onTestFinished(async () => {
    await service.close();
    await store.close();
  });
  return {
    store,
    async claude(stdin, { env, cwd = world.project, waitMs = 60_000 } = {}) {
      const checked = await checkHook(
        {
          agent: await openAgent(claudeCode),
          text: toStdin(stdin) as string,
          cwd,
          env: { ...world.env, ...env },
          caller: { id: "local", capabilities: ["*"] },
          isOwner: true,
          isStillAllowed: async () => true,
          signal: new AbortController().signal,
          waitMs,
        },
        service,
      );
      if (!checked.ok) throw new Error(checked.message);
      return checked.answer;
    },
  };
}

/** What Claude Code reads: one JSON document or nothing. */
export function said({ stdout }: HookAnswer): Record<string, unknown> {
  if (stdout === "") return {};
  if (!/^\{.*\}\n$/.test(stdout)) throw new Error(`not one line of JSON: ${stdout}`);
  const { hookSpecificOutput, ...rest } = JSON.parse(stdout) as Record<string, unknown>;
  return { ...(hookSpecificOutput as object), ...rest };
}
