import { describe, expect, it } from "vitest";
import { byTier } from "../tier.ts";
import { hostilePieces, shapedSecrets } from "./redact-samples.ts";
import { slowPieces } from "./redact-time.ts";
import { toldPieces } from "./redact-told-samples.ts";

/** In characters. */
const size = byTier(300_000, 1_000_000);

describe("text made to be slow", () => {
  it("takes less than a tenth of a second of work for a long text, whatever is repeated", () => {
    expect(slowPieces([...hostilePieces(), ...toldPieces], size)).toEqual([]);
  });

  it("takes less than a tenth of a second of work for a long text of beginnings of secrets", () => {
    const beginnings = shapedSecrets().flatMap(({ secret }) =>
      [1, 3, 4, 6, 8, 12].map((length) => secret.slice(0, length)),
    );
    expect(slowPieces(beginnings, size)).toEqual([]);
  });
});
