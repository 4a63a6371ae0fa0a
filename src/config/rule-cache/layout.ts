/**
 * How rules lie in a cache file: a preamble, a header in JSON, then regions that are read when a call needs
 * them. All is written twice, and each range is compared with its twin: a damaged file is a missing file,
 * never one with fewer rules. Comparing costs a hundredth of a checksum without `node:crypto`.
 */

import type { CommandHook } from "../../core/call/hook.ts";
import type { ShellDialect } from "../../core/ports/command.ts";
import type { ToolPattern } from "../../core/tool/tool-pattern.ts";
import type { AskingSettings } from "../settings/asking-settings.ts";
import type { ReadVariables } from "./tracked-environment.ts";

export const magic = "toolgate";
export const preambleBytes = 24;

export interface Range {
  readonly at: number;
  readonly length: number;
}

/** Rules for the same tools lie together. */
export interface RegionOfRules extends Range {
  readonly tools: ToolPattern;
}

/** Which routes are possible is found in `index`; only those are read from the columns. */
export interface RegionOfRoutes extends RegionOfRules {
  readonly index: Range;
}

export interface CacheHeader {
  readonly key: string;
  /** False: something changed while the rules were loaded. They hold for that one call only. */
  readonly settled: boolean;
  /** Every path with its identity when the rules were loaded. */
  readonly inputs: readonly (readonly [path: string, identity: string])[];
  readonly variables: ReadVariables;
  readonly projectDir: string;
  readonly checkDefault: "abstain" | "ask" | "deny";
  /** Absent: `auto`. */
  readonly asking?: AskingSettings;
  /** Absent: what the agent's environment says when it asks. */
  readonly shellDialect?: ShellDialect;
  /** Files that no call may touch besides the folders of toolgate. Absent: none. */
  readonly anchorFiles?: readonly string[];
  /** Hooks that are programs. Absent: none. */
  readonly hooks?: readonly CommandHook[];
  /** The fields that routes name, by number. */
  readonly fields: readonly string[];
  readonly routes: readonly RegionOfRoutes[];
  readonly policies: readonly RegionOfRules[];
}

/** The first words of a region of routes: a mark, and how many there are. */
export const regionMagic = 0x7467_7274;
export const regionHeadWords = 2;
/**
 * For each route: its place in the order of all routes, where its body lies, where its needs do, and in the last
 * word the number of its field (16 bits) before the bits below. So a route is read without the others.
 */
export const wordsPerRoute = 6;

export const routeActions = ["block", "allow", "rewrite"] as const;

/** One byte: action (2 bits), tier (3), linear pattern, needs folded case, needs several texts. */
export const bits = { tier: 2, linear: 5, foldsCase: 6, several: 7 } as const;

/** Between requirements that must all hold, between texts of which one is enough. */
export const between = { all: "\u0001", any: "\u0002" } as const;

/** What a route's body holds. */
export interface RouteBody {
  readonly route: unknown;
  readonly ref: unknown;
  /** The pattern as JavaScript reads it; the route has it as it was written. */
  readonly source: string;
  readonly flags: string;
}

/** Rounded up to whole words. */
export function padded(bytes: number): number {
  return (bytes + 3) & ~3;
}
