/** Where and when the calls of a history were made: a folder that is gone with the test file, and its last day. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import type { HistoryCall } from "../../src/suggest/history.ts";
import type { SuggestionReport } from "../../src/suggest/suggestion.ts";

export const day = 86_400_000;
export const now = Date.UTC(2026, 10, 2, 12);

/** The workspace. Call it at the top of a test file. */
export function createShop(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-shop-")));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  const workspace = join(root, "shop");
  mkdirSync(workspace);
  return workspace;
}

/** One of many calls of an agent's shell in twenty sessions on twenty days, which a person took the time to approve. */
export function approvedCall(
  workspace: string,
  index: number,
  facts: Partial<HistoryCall> = {},
): HistoryCall {
  return {
    seq: index + 1,
    callId: `c${index}`,
    at: now - day * (1 + (index % 20)) + index * 1_000,
    tool: "shell.exec",
    askedFor: "Bash",
    kind: "check",
    input: {},
    cwd: workspace,
    workspace,
    caller: "local",
    session: `s${index % 20}`,
    verdict: "ask",
    ran: true,
    question: { state: "approved", by: "ann", secondsToAnswer: 8 },
    ...facts,
  };
}

export const readyPolicies = ({ suggestions }: SuggestionReport) =>
  suggestions.flatMap(({ rules, state }) => (state === "ready" ? (rules.policies ?? []) : []));
