import { truncateSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { cacheFormat } from "../../../../src/config/rule-cache/cache-key.ts";
import { openRuleCache, type RuleCache, ruleCacheOf } from "../../../../src/config/rule-cache/read-cache.ts";
import { compilePolicies } from "../../../../src/rules/policies.ts";
import { compileRoutes } from "../../../../src/rules/routes.ts";
import { compilePattern } from "../../../../src/safe/regex/safe-regex.ts";
import { randomFrom } from "../../rules/generated-patterns.ts";
import {
  bytesOf,
  contentsOf,
  createPlace,
  everything,
  facts,
  key,
  manyRoutes,
  policies,
  routes,
  seal,
  sealed,
  written,
} from "./cache-world.ts";

function opened(bytes: Buffer): RuleCache {
  const cache = ruleCacheOf(bytes, key);
  if (cache === undefined) throw new Error("the cache cannot be read");
  return cache;
}

describe("rules that were written to a cache", () => {
  it("come back as they were compiled", () => {
    const { rules } = opened(bytesOf());
    const compiled = compileRoutes(routes, compilePattern, []);
    const read = [...rules.routesFor(everything)];
    expect(read.map(({ ref }) => ref.name)).toEqual(compiled.map(({ ref }) => ref.name));
    const parts = ["route", "ref", "action", "tierOrder", "field", "role", "needs", "foldsCase"] as const;
    for (const [index, before] of compiled.entries()) {
      const now = read[index];
      for (const name of parts) expect(now?.[name], `${before.ref.name}.${name}`).toEqual(before[name]);
      for (const name of ["source", "flags", "linear"] as const)
        expect(now?.pattern[name], `${before.ref.name}.${name}`).toEqual(before.pattern[name]);
    }
    const compiledPolicies = compilePolicies(policies, compilePattern, []);
    const plain = ({ policy, ref, action, priority, trust }: (typeof compiledPolicies)[number]) => ({
      ...{ policy, ref, action, priority, trust },
    });
    expect(rules.policiesFor(everything).map(plain)).toEqual(compiledPolicies.map(plain));
  });

  it("come with all that was noted about them", () => {
    const { key: of, settled, inputs, variables, projectDir, checkDefault } = opened(bytesOf());
    expect({ key: of, settled, inputs, variables, projectDir, checkDefault }).toEqual(facts);
  });

  it("are read for the tools that are asked for, in the order of all rules", () => {
    const { rules } = opened(bytesOf());
    const namesFor = (concerns: typeof everything) =>
      [...rules.routesFor(concerns)].map(({ ref }) => ref.name);
    expect(namesFor(written("Bash"))).toEqual(["no-push", "fine", "log"]);
    expect(namesFor((tools) => tools.includes("Bash"))).toEqual(["no-push", "any-case", "fine", "log"]);
    expect(namesFor(() => false)).toEqual([]);
    expect(rules.policiesFor(() => false)).toEqual([]);
  });

  it("may be many, with a header that is longer than one read", () => {
    const many = Array.from({ length: 3_000 }, (_, index) => ({
      name: `r${index}`,
      tool: `mcp__server${index % 700}__run`,
      pattern: `word-${index} é`,
      message: "m",
      field: `field${index % 300}`,
    }));
    const { rules } = opened(bytesOf({ routes: many }));
    const read = [...rules.routesFor(everything)];
    expect(read.map(({ route }) => route)).toEqual(many);
    expect(read.map(({ field }) => field)).toEqual(many.map(({ field }) => field));
    expect([...rules.routesFor(written("mcp__server699__run"))].map(({ ref }) => ref.name)).toEqual([
      "r699",
      "r1399",
      "r2099",
      "r2799",
    ]);
  });

  it("keep texts that JSON and UTF-8 have to spell out", () => {
    const odd = ["\u0000\u0001\u0002", "\ud800", "\u2028", "é😀", "__proto__", '"\\'];
    const written = odd.map((text, index) => ({
      ...{ name: `r${index}`, tool: text, pattern: "x", message: text },
    }));
    const { rules } = opened(bytesOf({ routes: written }));
    expect([...rules.routesFor(everything)].map(({ route }) => route)).toEqual(written);
  });
});

/** Equal, or nothing; never something else. What is only found out when it is asked for is an error then. */
function outcomeOf(open: () => RuleCache | undefined, whole: string): "same" | "none" | "refused" | "other" {
  const cache = open();
  if (cache === undefined) return "none";
  try {
    return JSON.stringify(contentsOf(cache)) === whole ? "same" : "other";
  } catch {
    return "refused";
  } finally {
    cache.close();
  }
}

/** Both ends byte by byte, and places all over the rest. */
function placesIn(length: number): number[] {
  const random = randomFrom(length);
  const inside = Array.from({ length: 2_000 }, () => Math.floor(random() * length));
  const ends = Array.from({ length: 100 }, (_, index) => [index, length - 1 - index]).flat();
  return [...new Set([...inside, ...ends])].filter((at) => at >= 0 && at < length);
}

describe("a damaged cache", () => {
  const good = bytesOf();
  const whole = JSON.stringify(contentsOf(opened(good)));
  const outcome = (bytes: Buffer) => outcomeOf(() => ruleCacheOf(bytes, key), whole);

  it("is no cache when it is cut short, at whatever byte", () => {
    const place = createPlace();
    for (const [index, length] of placesIn(good.length).entries()) {
      const cut = good.subarray(0, length);
      expect(outcome(cut), `${length} bytes`).toBe("none");
      if (index % 50 === 0) {
        place.write(sealed(good).subarray(0, length));
        expect(openRuleCache(place.file, key, seal)).toBeUndefined();
      }
    }
  });

  it("is no cache when something was added", () => {
    for (const more of [1, 7, 8, 64, good.length])
      expect(outcome(Buffer.concat([good, Buffer.alloc(more, 32)]))).toBe("none");
    expect(outcome(Buffer.concat([good, good]))).toBe("none");
  });

  it("never holds other rules after a bit was turned, wherever it is", () => {
    const seen = { same: 0, none: 0, refused: 0 };
    const places = placesIn(good.length);
    for (const at of places) {
      const bytes = Buffer.from(good);
      bytes[at] = (bytes[at] as number) ^ (1 << (at % 8));
      const now = outcome(bytes);
      expect(now, `byte ${at}`).not.toBe("other");
      seen[now as "same"]++;
    }
    // Only the filling between the parts is never looked at.
    expect(seen.same).toBeLessThan(places.length / 10);
    expect(seen.none).toBeGreaterThan(100);
  });

  it("never holds other rules when it is read part by part", () => {
    const large = bytesOf({ routes: manyRoutes, policies });
    const contents = JSON.stringify(contentsOf(opened(large)));
    const random = randomFrom(3);
    const seen = { same: 0, none: 0, refused: 0 };
    for (let count = 0; count < 2_000; count++) {
      const bytes = Buffer.from(large);
      const at = Math.floor(random() * bytes.length);
      bytes[at] = (bytes[at] as number) ^ (1 << (count % 8));
      const now = outcomeOf(() => ruleCacheOf(bytes, key), contents);
      expect(now, `byte ${at}`).not.toBe("other");
      seen[now as "same"]++;
    }
    expect(seen.none).toBeGreaterThan(50);
    expect(seen.refused).toBeGreaterThan(100);
  });

  it("is no cache when it is anything else", () => {
    const random = randomFrom(5);
    const noise = (length: number) => Buffer.from(Array.from({ length }, () => random() * 256));
    for (let count = 0; count < 2_000; count++) {
      const length = 8 * Math.floor(random() * 60);
      const half = noise(length);
      // Noise that says of itself what a cache says.
      if (count % 2 === 0 && length >= 24) {
        half.write("toolgate", 0, "latin1");
        half.writeUInt32LE(cacheFormat, 8);
        if (count % 4 === 0) half.writeUInt32LE(length - 24, 12);
        half.writeUInt32LE(length, 16);
      }
      expect(outcome(Buffer.concat([half, half]))).toBe("none");
    }
  });

  it("is no cache when it is of another format", () => {
    const half = good.length / 2;
    for (const format of [0, cacheFormat + 1, 0xffff_ffff]) {
      const bytes = Buffer.from(good);
      for (const at of [8, half + 8]) bytes.writeUInt32LE(format, at);
      expect(outcome(bytes)).toBe("none");
    }
  });

  it("is no cache for another key", () => {
    expect(ruleCacheOf(good, "another key")).toBeUndefined();
    expect(ruleCacheOf(good, "")).toBeUndefined();
    expect(ruleCacheOf(bytesOf({}, { key: `${key} ` }), key)).toBeUndefined();
  });

  it("is refused when it is cut under our hands", () => {
    const place = createPlace();
    for (const left of [0, 100, good.length / 2, good.length - 8]) {
      place.write(sealed(good));
      const cache = openRuleCache(place.file, key, seal);
      truncateSync(place.file, left);
      expect(outcomeOf(() => cache, whole)).toBe("refused");
    }
  });
});
