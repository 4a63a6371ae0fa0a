import { describe, expect, it } from "vitest";
import { createSealReader, sealInput } from "../../../../src/stores/port/sealed-input.ts";

describe("a sealed input", () => {
  it("is read by the reader it was sealed for, as it was", () => {
    const reader = createSealReader();
    const input = { text: "ü\u0000\n", list: [1, null, true], nested: {} };
    expect(reader.open(sealInput(input, reader.sealKey, "a"), "a")).toEqual(input);
  });

  it("shows nothing of itself, and never looks the same twice", () => {
    const { sealKey } = createSealReader();
    const sealed = sealInput({ password: "hunter22" }, sealKey, "a");
    expect(Buffer.from(sealed.split(".")[3] ?? "", "base64url").toString("latin1")).not.toContain("hunter22");
    expect(sealInput({ password: "hunter22" }, sealKey, "a")).not.toBe(sealed);
  });

  it("is refused by another reader, under another approval, and when one byte changed", () => {
    const reader = createSealReader();
    const sealed = sealInput({ n: 1 }, reader.sealKey, "a");
    expect(() => createSealReader().open(sealed, "a")).toThrow();
    expect(() => reader.open(sealed, "b")).toThrow();
    for (let part = 0; part < 4; part++) {
      const parts = sealed.split(".").map((text) => Buffer.from(text, "base64url"));
      const changed = parts[part] ?? Buffer.alloc(0);
      const last = changed.length - 1;
      changed[last] = (changed[last] ?? 0) ^ 1;
      const forged = parts.map((bytes) => bytes.toString("base64url")).join(".");
      expect(() => reader.open(forged, "a"), `part ${part}`).toThrow();
    }
    for (const wrong of ["", "....", "a.b.c.d"]) expect(() => reader.open(wrong, "a")).toThrow();
  });
});
