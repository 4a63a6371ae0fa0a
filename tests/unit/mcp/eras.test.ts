import { describe, expect, it } from "vitest";
import { claimsModern, readEnvelope } from "../../../src/mcp/eras.ts";
import { metaKeys } from "../../../src/mcp/messages.ts";

const meta = (fields: object) => ({ _meta: fields });
const version = { [metaKeys.protocolVersion]: "2026-07-28" };

describe("the envelope of a modern request", () => {
  it("is told by the version alone", () => {
    expect(claimsModern(meta(version))).toBe(true);
    expect(claimsModern(meta({ [metaKeys.protocolVersion]: 7 }))).toBe(true);
    expect(claimsModern(meta({ progressToken: 1 }))).toBe(false);
    expect(claimsModern(undefined)).toBe(false);
  });

  it("holds who the client is and what it can do", () => {
    const envelope = readEnvelope(
      meta({
        ...version,
        [metaKeys.clientCapabilities]: { elicitation: {} },
        [metaKeys.clientInfo]: { name: "x" },
      }),
    );
    expect(envelope).toEqual({
      protocolVersion: "2026-07-28",
      clientInfo: { name: "x" },
      clientCapabilities: { elicitation: {} },
    });
  });

  it.each([
    ["no capabilities", version, -32602],
    ["a version that is no text", { [metaKeys.protocolVersion]: 7 }, -32602],
    ["an unknown version", { [metaKeys.protocolVersion]: "2030-01-01" }, -32022],
    ["an older version", { [metaKeys.protocolVersion]: "2025-11-25" }, -32022],
  ])("is refused with %s", (_what, fields, code) => {
    expect(() => readEnvelope(meta(fields))).toThrow(expect.objectContaining({ code }));
  });
});
