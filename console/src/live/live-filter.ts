/** Which calls Live shows. The server leaves the others out; where tabs differ, each tab does. */
import type { LiveWish } from "../api/feed.ts";
import type { LiveRow } from "./live-rows.ts";

export function wishOf(filters: URLSearchParams): NonNullable<LiveWish> {
  const { tool, caller, session, only } = Object.fromEntries(filters);
  return {
    ...(tool && { tool: asPattern(tool) }),
    ...(caller && { caller }),
    ...(session && { session }),
    ...(only === "refused" && { verdict: "deny" }),
  };
}

export function fitsFilter(row: LiveRow, filters: URLSearchParams): boolean {
  const { tool, caller, session, only } = Object.fromEntries(filters);
  if (tool && !matches(row.tool, asPattern(tool))) return false;
  if (caller && row.caller !== caller) return false;
  if (session && row.sessionId !== session) return false;
  return only !== "refused" || row.verdict === "deny";
}

/** Half a name means every tool that begins so. */
function asPattern(text: string): string {
  return text.includes("*") ? text : `${text}*`;
}

function matches(name: string, pattern: string): boolean {
  const parts = pattern.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "s").test(name);
}
