import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ruleCacheOf } from "../../../../src/config/rule-cache/read-cache.ts";
import type { Route } from "../../../../src/index.ts";
import type { CompiledRoute } from "../../../../src/rules/routes.ts";
import { compilePattern } from "../../../../src/safe/regex/safe-regex.ts";
import { anyText, flags, likelyText, pattern, print, randomFrom } from "../../rules/generated-patterns.ts";
import { bytesOf, everything, key } from "./cache-world.ts";

/** What is left of the routes of a cache for a call with these texts. */
function possible(routes: readonly Route[], texts: readonly string[]): readonly CompiledRoute[] {
  const list = ruleCacheOf(bytesOf({ routes }), key)?.rules.routesFor(everything);
  if (list === undefined) throw new Error("the cache cannot be read");
  return list.possible?.(texts) ?? [...list];
}

function namesOf(routes: readonly CompiledRoute[]): string[] {
  return routes.map(({ ref }) => ref.name);
}

describe("routes that are left out before they are tried", () => {
  it("are none that could match, for generated patterns and texts", () => {
    let matches = 0;
    const some = fc.array(fc.tuple(pattern, flags), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(some, fc.nat(), (written, seed) => {
        const nodes = written.filter(([node, flag]) => isAccepted(print(node), flag));
        const routes = nodes.map(
          ([node, flag], index): Route => ({
            name: `r${index}`,
            tool: `tool-${index}`,
            pattern: print(node),
            flags: flag,
            message: "m",
          }),
        );
        if (routes.length === 0) return;
        const random = randomFrom(seed);
        const list = ruleCacheOf(bytesOf({ routes }), key)?.rules.routesFor(everything);
        const all = [...(list ?? [])];
        for (const [node, flag] of nodes) {
          // Long enough for what is looked up in pieces.
          const texts = [0, 1].map(
            () => `${anyText(random, 3)}${likelyText(node, flag.includes("i"), random)}`,
          );
          const left = new Set(namesOf(list?.possible?.(texts) ?? all));
          for (const { ref, pattern: by } of all) {
            const regexp = new RegExp(by.source, by.flags);
            if (!texts.some((text) => regexp.test(text))) continue;
            matches++;
            expect(left.has(ref.name), `${regexp} on ${JSON.stringify(texts)}`).toBe(true);
          }
        }
      }),
      { numRuns: 400 },
    );
    expect(matches).toBeGreaterThan(500);
  });

  it("are still in their order", () => {
    const routes = Array.from({ length: 40 }, (_, index) => ({
      name: `r${index}`,
      tool: ["Bash", "*", "shell.exec"][index % 3] as string,
      pattern: index % 2 ? `same words ${index % 10}` : `same words .{${index}}`,
      message: "m",
    }));
    const seen = new Set<string>();
    const unique = routes.filter(({ tool, pattern: source }) => {
      const both = JSON.stringify([tool, source]);
      return !seen.has(both) && seen.add(both);
    });
    const names = namesOf(possible(unique, ["same words 1 same words 3 same words 5"]));
    expect(names.length).toBeGreaterThan(10);
    expect(names).toEqual([...names].sort((a, b) => Number(a.slice(1)) - Number(b.slice(1))));
    expect(new Set(names).size).toBe(names.length);
  });

  it("are none that look at a field of their own, whatever the usual texts are", () => {
    const routes: Route[] = [
      { name: "own", tool: "*", pattern: "very long words", field: "note", message: "m" },
      { name: "usual", tool: "*", pattern: "very long words", message: "m" },
      { name: "anything", tool: "*", pattern: "^.?$", message: "m" },
    ];
    expect(namesOf(possible(routes, []))).toEqual(expect.arrayContaining(["own", "anything"]));
    expect(namesOf(possible(routes, ["other"]))).toEqual(expect.arrayContaining(["own", "anything"]));
    expect(namesOf(possible(routes, ["the very long words"]))).toEqual(["own", "usual", "anything"]);
  });
});

describe("a route of the cache", () => {
  it("holds for the callers that it names", () => {
    const [route] = possible([{ name: "r", tool: "*", caller: "ci-*", pattern: "x", message: "m" }], ["x"]);
    const holds = (id: string) => route?.caller?.({ id, capabilities: [] });
    expect([holds("ci-1"), holds("ann")]).toEqual([true, false]);
  });
});

/** Some flags and patterns do not go together; look-behinds would each be tried in a process of their own. */
function isAccepted(source: string, flag: string): boolean {
  return !source.includes("(?<=") && !source.includes("(?<!") && compilePattern(source, flag).ok;
}
