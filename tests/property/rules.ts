/** Generators of rules and calls over a small world, so that rules really meet calls. */
import fc from "fast-check";
import type { CallRequest, Hook, Limit, Policy } from "../../src/index.ts";

export const paths = ["a.txt", "b.txt", "src/c.ts", "/etc/passwd", ".env"] as const;

export const call: fc.Arbitrary<CallRequest> = fc.oneof(
  fc.record({
    tool: fc.constantFrom("notes.read", "notes.write"),
    input: fc.record({ path: fc.constantFrom(...paths) }),
  }),
  fc.record({ tool: fc.constant("math.add"), input: fc.record({ a: fc.nat(3), b: fc.nat(3) }) }),
);

const condition = fc.oneof(
  fc.record({
    type: fc.constant("path" as const),
    operator: fc.constantFrom("equals" as const, "contains" as const, "matches" as const, "inside" as const),
    value: fc.constantFrom("a.txt", "src", "txt", "/etc"),
  }),
  fc.record({
    type: fc.constant("argument" as const),
    field: fc.constantFrom("path", "a"),
    operator: fc.constant("equals" as const),
    value: fc.constantFrom("a.txt", 1, 2),
  }),
  fc.record({
    type: fc.constant("risk" as const),
    operator: fc.constantFrom("equals" as const, "lessThan" as const),
    value: fc.constantFrom("read", "write"),
  }),
  // No look-around here: its time budget would make two runs on a busy machine differ.
  fc.record({
    type: fc.constant("argument" as const),
    field: fc.constant("path"),
    operator: fc.constant("matches" as const),
    value: fc.constantFrom("txt$", "^src|passwd"),
  }),
);

export const tier = fc.constantFrom("plugin" as const, "project" as const, "user" as const, "admin" as const);

export function policy(
  action: fc.Arbitrary<Policy["action"]> = fc.constantFrom("approve", "ask", "deny"),
): fc.Arbitrary<Omit<Policy, "name">> {
  return fc.record(
    {
      tools: fc.constantFrom<string | string[]>("*", "notes.*", "notes.read", "notes.write", [
        "math.add",
        "notes.write",
      ]),
      action,
      priority: fc.integer({ min: 0, max: 3 }),
      tier,
      conditions: fc.array(condition, { maxLength: 2 }),
      modes: fc.constantFrom<("act" | "plan")[]>(["act"], ["plan"], ["act", "plan"]),
    },
    { requiredKeys: ["tools", "action"] },
  );
}

export const policies = fc.array(policy(), { maxLength: 6 }).map(named);

export function named(list: readonly Omit<Policy, "name">[]): Policy[] {
  return list.map((one, index) => ({ name: `p${index}`, ...one }));
}

export const limit: fc.Arbitrary<Limit> = fc.record({
  name: fc.constant("added"),
  tools: fc.constantFrom("*", "notes.*", "math.add"),
  max: fc.nat(2),
  windowMs: fc.constant(1000),
});

/** Looks, adds context, cancels or fails, but never rewrites. */
export const watchingHook: fc.Arbitrary<Hook> = fc
  .record({
    toolPatterns: fc.constantFrom("*", "notes.*", "math.add"),
    failMode: fc.constantFrom("open" as const, "closed" as const),
    does: fc.constantFrom("nothing", "context", "cancel", "throw", "nonsense"),
  })
  .map(({ toolPatterns, failMode, does }) => ({
    name: "added",
    type: "PreToolUse" as const,
    toolPatterns,
    failMode,
    run: () => {
      if (does === "throw") throw new Error("boom");
      if (does === "nonsense") return 7 as never;
      return does === "cancel" ? { cancel: true } : does === "context" ? "look here" : undefined;
    },
  }));
