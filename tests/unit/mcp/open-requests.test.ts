import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RequestId } from "../../../src/mcp/messages.ts";
import { OpenRequests } from "../../../src/mcp/open-requests.ts";

/** Ids that are the same, that share a place, and that have none. */
const ids: RequestId[] = [
  0,
  -0,
  1,
  2,
  3,
  1_024,
  1_025,
  2_049,
  -1,
  1.5,
  Number.MAX_SAFE_INTEGER,
  2 ** 60,
  "1",
  "",
  "a",
];

describe("requests that have not been answered", () => {
  it("are found as in a map, whatever is added and removed in which order", () => {
    const step = fc.record({ id: fc.constantFrom(...ids), adds: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const requests = new OpenRequests<{ readonly id: RequestId }>();
        const model = new Map<RequestId, { readonly id: RequestId }>();
        for (const { id, adds } of steps) {
          if (adds && !model.has(id)) {
            const value = { id };
            requests.add(value);
            model.set(id, value);
          } else if (!adds) {
            expect(requests.remove(id)).toBe(model.get(id));
            model.delete(id);
          }
          expect(requests.size).toBe(model.size);
          for (const one of ids) expect(requests.get(one)).toBe(model.get(one));
          expect(new Set(requests.all())).toEqual(new Set(model.values()));
        }
      }),
      { numRuns: 300 },
    );
  });

  it("are all kept when there are more than places", () => {
    const requests = new OpenRequests<{ readonly id: number }>();
    for (let id = 0; id < 3_000; id++) requests.add({ id });
    expect(requests.size).toBe(3_000);
    for (let id = 0; id < 3_000; id++) expect(requests.remove(id)?.id).toBe(id);
    expect(requests.size).toBe(0);
    expect(requests.all()).toEqual([]);
  });
});
