/** A cache file with rules of every kind, and everything that can be read from one. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { encodeRules, type HeaderFacts } from "../../../../src/config/rule-cache/encode-rules.ts";
import type { RuleCache } from "../../../../src/config/rule-cache/read-cache.ts";
import { sealBytes } from "../../../../src/config/rule-cache/seal.ts";
import type { ToolPattern } from "../../../../src/core/tool/tool-pattern.ts";
import type { Policy, Route } from "../../../../src/index.ts";
import { compileRules } from "../../../../src/rules/rule-set.ts";
import { compilePattern } from "../../../../src/safe/regex/safe-regex.ts";

export const key = "one key";

export const facts: HeaderFacts = {
  key,
  settled: true,
  inputs: [["/not/there", "-"]],
  variables: [["HOME", "/home/ann"]],
  projectDir: "/home/ann/project",
  checkDefault: "ask",
};

export const routes: readonly Route[] = [
  { name: "no-push", tool: "Bash", pattern: "git push.*--force", message: "No $&.", tier: "admin" },
  { name: "any-case", tool: ["Bash", "WebFetch"], pattern: "Secret", flags: "i", message: "Hush." },
  { name: "fine", tool: "Bash", pattern: "^ls", action: "allow", source: { file: "a.yaml", line: 3 } },
  {
    name: "log",
    tool: "Bash",
    pattern: "^git (log|show)$",
    action: "rewrite",
    rewrite: { command: "git --no-pager $1" },
    tier: "project",
  },
  { name: "behind", tool: "WebFetch", pattern: "(?<!no-)cache", message: "Ask again.", tier: "shipped" },
  { name: "field", tool: "mcp__x__*", pattern: "é|ß", field: "options.mode", message: "Not this mode." },
  { name: "either", tool: "*", pattern: "rm -rf|unlink", message: "Keep it.", tier: "plugin" },
];

/** So many that not all of them are read at once. */
export const manyRoutes: readonly Route[] = [
  ...routes,
  ...Array.from({ length: 80 }, (_, index) => ({
    name: `more-${index}`,
    tool: ["Bash", "WebFetch", "Other"][index % 3] as string,
    pattern: `word${index} é|other${index}`,
    message: "Something long about what to do instead. ".repeat(8),
  })),
];

export const policies: readonly Policy[] = [
  {
    name: "ask-env",
    tools: ["Bash", "Read"],
    action: "ask",
    conditions: [{ type: "path", operator: "matches", value: ["\\.env$", "(?=.*secret)"] }],
    priority: 2.5,
  },
  { name: "deny-web", tools: "WebFetch", action: "deny", reason: "Nothing from outside.", tier: "admin" },
  { name: "plan", tools: "*", action: "approve", modes: ["plan"], priority: -1 },
];

export function bytesOf(
  more: { readonly routes?: readonly Route[]; readonly policies?: readonly Policy[] } = { routes, policies },
  header: Partial<HeaderFacts> = {},
): Buffer {
  const compiled = compileRules(more, 1, compilePattern);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  return encodeRules({ ...facts, ...header }, compiled.rules, (source) => {
    const read = compilePattern(source);
    if (!read.ok) throw new Error(read.message);
    const { pattern } = read;
    const written = { source, flags: undefined };
    return { written, source: pattern.source, flags: pattern.flags, linear: pattern.linear };
  });
}

/** As a file holds them. */
export const seal = Buffer.from("0123456789abcdef");
export function sealed(bytes: Buffer): Buffer {
  return sealBytes(bytes, seal, Buffer.alloc(8, 1));
}

export const everything: (tools: ToolPattern) => boolean = () => true;

/** For the tools as they are written in the rules. */
export function written(tools: ToolPattern): (other: ToolPattern) => boolean {
  return (other) => JSON.stringify(other) === JSON.stringify(tools);
}

/** All that a call could find out. Throws where something does not hold together. */
export function contentsOf(cache: RuleCache): unknown {
  const { rules, close: _, isDamaged: __, ...header } = cache;
  const read = (concerns: typeof everything) => ({
    routes: [...rules.routesFor(concerns)].map((one) => ({
      ...{ action: one.action, tierOrder: one.tierOrder, field: one.field, role: one.role },
      ...{ needs: one.needs, foldsCase: one.foldsCase, route: one.route, ref: one.ref },
      ...{ source: one.pattern.source, flags: one.pattern.flags, linear: one.pattern.linear },
    })),
    policies: rules.policiesFor(concerns).map(({ policy, ref, action, priority, trust, conditions }) => ({
      ...{ policy, ref, action, priority, trust, conditions: conditions.length },
    })),
  });
  return { header, all: read(everything), shell: read(written("Bash")), web: read(written("WebFetch")) };
}

export interface Place {
  readonly folder: string;
  readonly file: string;
  write(bytes: Buffer | string, mode?: number): string;
}

/** A folder that belongs to this user alone, with a file to be. */
export function createPlace(): Place {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-cache-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "cache", "rules", "one.rules");
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  return {
    folder: dirname(file),
    file,
    write(bytes, mode = 0o600) {
      rmSync(file, { recursive: true, force: true });
      writeFileSync(file, bytes, { mode });
      return file;
    },
  };
}
