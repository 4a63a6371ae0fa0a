/** Data made to be judged as one thing and used as another, or to exhaust the process that reads it. */

import { describe, expect, test } from "vitest";
import { canonicalJson } from "../../src/core/input/canonical-json.ts";
import type { TakenJson } from "../../src/core/input/json.ts";
import { parseJson, takeJson } from "../../src/safe/schema/json-guard.ts";
import { processorMs } from "../processor-time.ts";

interface Guard {
  readonly take: (value: unknown) => TakenJson;
  readonly parse: (text: string) => TakenJson;
}

const ours: Guard = { take: (value) => takeJson(value), parse: (text) => parseJson(text) };

/** Whether it tells something else the second time. */
function changes(value: unknown): boolean {
  const first = JSON.stringify(value);
  return JSON.stringify(value) !== first;
}

/** Every attack as a sentence that is only returned when the attack worked. */
function successes(guard: Guard): string[] {
  const found: string[] = [];
  const attack = (what: string, run: () => boolean): void => {
    try {
      if (run()) found.push(what);
    } catch (error) {
      found.push(`${what}: threw ${(error as Error).name}`);
    }
  };
  const accepted = (value: unknown): boolean => guard.take(value).ok;

  attack("a getter answers differently the second time", () => {
    let looks = 0;
    const taken = guard.take({
      get path() {
        return looks++ === 0 ? "/safe" : "/etc/passwd";
      },
    });
    return taken.ok && changes(taken.value);
  });
  attack("a getter is run more than once", () => {
    let runs = 0;
    const get = () => ++runs;
    guard.take(Object.defineProperty({}, "a", { enumerable: true, get }));
    guard.take({ deep: Object.defineProperty({}, "a", { enumerable: true, get }) });
    return runs > 2;
  });
  attack("the caller changes a deep value after it was judged", () => {
    const value = { a: { b: ["safe"] } };
    const taken = guard.take(value);
    value.a.b[0] = "changed";
    return taken.ok && JSON.stringify(taken.value).includes("changed");
  });
  attack("a hook changes a deep value of the copy", () => {
    const taken = guard.take({ a: { b: ["safe"] } });
    if (!taken.ok) return false;
    try {
      (taken.value as { a: { b: string[] } }).a.b.push("more");
    } catch {
      return false;
    }
    return true;
  });
  attack("a proxy survives into the copy", () => {
    let reads = 0;
    const own = { enumerable: true, configurable: true, writable: true };
    const getOwnPropertyDescriptor = () => ({ value: ++reads, ...own });
    const taken = guard.take(new Proxy({ a: 1 }, { getOwnPropertyDescriptor }));
    return taken.ok && changes(taken.value);
  });
  attack("a proxy that throws brings the gate down", () => {
    const ownKeys = () => {
      throw new Error("boom");
    };
    return accepted(new Proxy({}, { ownKeys }));
  });
  attack("a revoked proxy brings the gate down", () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return accepted(proxy);
  });
  attack("toJSON shows the judge something else", () => {
    return accepted({ path: "/etc/passwd", toJSON: () => ({ path: "/safe" }) });
  });
  attack("__proto__ arrives as an own key", () => accepted(JSON.parse('{"a":{"__proto__":{"admin":true}}}')));
  attack("__proto__ arrives in text", () => guard.parse('{"__proto__":{"admin":true}}').ok);
  attack("__proto__ arrives in escaped text", () => guard.parse('{"\\u005f_proto__":{"admin":true}}').ok);
  attack(
    "a class instance loses its data silently",
    () => accepted({ when: new Date(0) }) || accepted(new Map([["a", 1]])),
  );
  attack("inherited members count", () => accepted(Object.create({ path: "/etc" })));
  attack("a cycle never ends", () => {
    const loop: Record<string, unknown> = {};
    loop.self = loop;
    return accepted(loop);
  });
  attack("depth that later kills JSON.stringify is accepted", () => {
    let deep: unknown = 1;
    for (let level = 0; level < 5_000; level++) deep = { a: deep };
    return accepted(deep);
  });
  attack("deep text is parsed", () => guard.parse(`${"[".repeat(200_000)}${"]".repeat(200_000)}`).ok);
  attack(
    "brackets inside strings hide the depth",
    () => guard.parse(`${'["\\\\",'.repeat(70)}1${"]".repeat(70)}`).ok,
  );
  attack("too many keys", () =>
    accepted(Object.fromEntries(Array.from({ length: 50_001 }, (_, index) => [index, 1]))),
  );
  attack("many keys spread over many objects", () =>
    accepted(Array.from({ length: 26_000 }, () => ({ a: 1, b: 2 }))),
  );
  attack("too many bytes in one string", () => accepted("x".repeat(4 * 1024 * 1024)));
  attack("too many bytes in wide characters", () => accepted("\u20ac".repeat(2 * 1024 * 1024)));
  attack("too many bytes in numbers", () => accepted(new Array(600_000).fill(1)));
  attack("a sparse array of a thousand million items", () => accepted(new Array(1_000_000_000)));
  attack("two equal keys, the last one wins", () => guard.parse('{"cmd":"ls","cmd":"rm -rf /"}').ok);
  attack("two equal keys, one escaped", () => guard.parse('{"cmd":"ls","\\u0063md":"rm -rf /"}').ok);
  attack("two equal keys deep inside", () => guard.parse('[{"a":[{"b":1,"c":{},"b":2}]}]').ok);
  attack(
    "numbers that are no JSON",
    () => accepted({ a: Number.NaN }) || accepted([Number.POSITIVE_INFINITY]) || accepted({ a: 1n }),
  );
  attack(
    "functions and symbols",
    () => accepted({ a: () => 1 }) || accepted({ a: Symbol("x") }) || accepted([undefined]),
  );
  attack("minus zero hashes apart from zero", () => {
    const [a, b] = [guard.take({ n: -0 }), guard.take({ n: 0 })];
    if (!a.ok || !b.ok) return false;
    return canonicalJson(a.value) !== canonicalJson(b.value) || Object.is((a.value as { n: number }).n, -0);
  });
  return found;
}

test("no attack by data works", () => {
  expect(successes(ours)).toEqual([]);
});

test("hostile sizes are refused quickly", () => {
  const started = processorMs();
  takeJson(new Array(4_000_000_000));
  parseJson("[".repeat(4_000_000));
  parseJson(`"${"\\".repeat(4_000_000)}`);
  parseJson("x".repeat(50_000_000));
  expect(processorMs() - started).toBeLessThan(10_000);
});

describe("broken versions that this suite catches", () => {
  const fail = (): TakenJson => ({ ok: false, message: "", path: "$" });
  const attempt = (run: () => unknown): TakenJson => {
    try {
      return { ok: true, value: run() as never, bytes: 0 };
    } catch {
      return fail();
    }
  };
  const mutants: Record<string, Guard> = {
    "checks the value but hands on the original": {
      ...ours,
      take: (value) => (takeJson(value).ok ? { ok: true, value: value as never, bytes: 0 } : fail()),
    },
    "clones through JSON text": {
      ...ours,
      take: (value) => attempt(() => JSON.parse(JSON.stringify(value))),
    },
    "clones by structuredClone and freezes the top": {
      ...ours,
      take: (value) => attempt(() => Object.freeze(structuredClone(value))),
    },
    "only JSON.parse": { ...ours, parse: (text) => attempt(() => JSON.parse(text)) },
    "parses first, checks after, and so misses equal keys": {
      ...ours,
      parse: (text) => {
        const parsed = attempt(() => JSON.parse(text));
        return parsed.ok ? takeJson(parsed.value) : parsed;
      },
    },
    "looks for equal keys in the raw text": {
      ...ours,
      parse: (text) => {
        const keys = [...text.matchAll(/"([^"]*)"\s*:/g)].map((match) => match[1]);
        return new Set(keys).size < keys.length
          ? fail()
          : attempt(() => takeJson(JSON.parse(text)).ok || JSON.parse("!"));
      },
    },
  };
  test.each(Object.entries(mutants))("%s", (_name, mutant) => {
    expect(successes(mutant)).not.toEqual([]);
  });
});
