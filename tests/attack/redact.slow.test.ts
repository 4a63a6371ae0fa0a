import { describe, expect, it } from "vitest";
import { hostilePieces, shapedSecrets } from "./redact-samples.ts";
import { slowPieces } from "./redact-time.ts";
import { toldPieces } from "./redact-told-samples.ts";

describe("text made to be slow", () => {
  it("takes less than a tenth of a second of work for a megabyte, whatever is repeated", () => {
    expect(slowPieces([...hostilePieces(), ...toldPieces], 1_000_000)).toEqual([]);
  });

  it("takes less than a tenth of a second of work for a megabyte of beginnings of secrets", () => {
    const beginnings = shapedSecrets().flatMap(({ secret }) =>
      [1, 3, 4, 6, 8, 12].map((length) => secret.slice(0, length)),
    );
    expect(slowPieces(beginnings, 1_000_000)).toEqual([]);
  });
});
