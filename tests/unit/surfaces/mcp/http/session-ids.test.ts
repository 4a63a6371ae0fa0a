import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createSessionIds } from "../../../../../src/surfaces/mcp/http/session-ids.ts";
import { openSessionKey } from "../../../../../src/surfaces/mcp/http/session-key.ts";

const params = {
  protocolVersion: "2025-06-18",
  capabilities: { elicitation: { form: {}, other: 1 }, sampling: {}, experimental: { x: "y".repeat(5_000) } },
  clientInfo: { name: "n".repeat(500), version: "1", icons: [] },
};

describe("ids of sessions", () => {
  const ids = createSessionIds(Buffer.alloc(32, 1));

  it("hold what matters of the client, and are short enough for a header", () => {
    const id = ids.make("a", params);
    expect(id.length).toBeLessThan(500);
    expect(ids.read(id, "a")).toEqual({
      protocolVersion: "2025-06-18",
      capabilities: { elicitation: { form: {} } },
      clientInfo: { name: "n".repeat(100), version: "1" },
    });
    expect(ids.make("a", params)).not.toBe(id);
  });

  it("are good for one caller and one key", () => {
    const id = ids.make("a", params);
    expect(ids.read(id, "b")).toBeUndefined();
    expect(createSessionIds(Buffer.alloc(32, 2)).read(id, "a")).toBeUndefined();
  });

  it.each(["", ".", "a.b", `${"A".repeat(30)}.${"A".repeat(22)}`, `${"A".repeat(5_000)}.${"A".repeat(22)}`])(
    "are none of ours: %j",
    (id) => {
      expect(ids.read(id, "a")).toBeUndefined();
    },
  );

  it("survive whatever a client says about itself", () => {
    for (const given of [undefined, null, 1, [], { capabilities: 1, clientInfo: [], protocolVersion: {} }])
      expect(ids.read(ids.make("a", given), "a")).toMatchObject({ protocolVersion: "2025-11-25" });
  });
});

describe("the key of the ids", () => {
  it("is made once, is the owner's alone, and is made anew when others could read it", () => {
    const folder = mkdtempSync(join(tmpdir(), "toolgate-key-"));
    try {
      const key = openSessionKey(folder);
      const file = join(folder, "mcp-session.key");
      expect(key).toHaveLength(32);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(openSessionKey(folder)).toEqual(key);
      rmSync(file);
      writeFileSync(file, `${key.toString("base64url")}\n`, { mode: 0o644 });
      const made = openSessionKey(folder);
      expect(made).not.toEqual(key);
      expect(openSessionKey(folder)).toEqual(made);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
