import { describe, expect, it } from "vitest";
import { editingGate } from "./editing-gate.ts";

describe("expected_sha256", () => {
  it("that is no hash is refused with what it must be, by fs.write and fs.edit", async () => {
    const gate = await editingGate({ "a.txt": "old\n" });
    const inputs = {
      "fs.write": { path: "a.txt", content: "new\n" },
      "fs.edit": { path: "a.txt", old_string: "old", new_string: "new" },
    };
    for (const [tool, input] of Object.entries(inputs)) {
      for (const [hash, why] of [
        ["g".repeat(64), "expected_sha256 must be 64 hexadecimal digits."],
        ["ab", "64"],
        [`${"a".repeat(64)}\n`, "64"],
      ])
        expect(await gate.refusal(tool, { ...input, expected_sha256: hash }), tool).toContain(why);
      expect(await gate.refusal(tool, { ...input, expected_sha256: "A".repeat(64) })).toContain(
        "it changed since",
      );
    }
    expect(gate.read("a.txt")).toBe("old\n");
  });
});
