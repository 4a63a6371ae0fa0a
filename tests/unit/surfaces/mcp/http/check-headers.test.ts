import { describe, expect, it } from "vitest";
import { metaKeys, RpcError, rpcCodes } from "../../../../../src/mcp/messages.ts";
import { decodeHeaderValue } from "../../../../../src/mcp/request-headers.ts";
import { eraOf } from "../../../../../src/surfaces/mcp/http/check-headers.ts";
import { checkParamHeaders } from "../../../../../src/surfaces/mcp/http/param-headers.ts";

const version = "2026-07-28";
const modern = { [metaKeys.protocolVersion]: version, [metaKeys.clientCapabilities]: {} };
const headers = { protocolVersion: version, method: "tools/call", name: "fs_read" };
const call = { method: "tools/call", params: { name: "fs_read", _meta: modern } };

function errorOf(run: () => unknown): RpcError | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (error instanceof RpcError) return error;
    throw error;
  }
}

const codeOf = (run: () => unknown) => errorOf(run)?.code;

describe("the era of a posted message", () => {
  it("is modern when the request and its headers say so", () => {
    expect(eraOf(call, headers, true)).toBe("modern");
  });

  it("is legacy when nothing says otherwise", () => {
    const none = { protocolVersion: undefined, method: undefined, name: undefined };
    expect(eraOf({ method: "tools/list" }, none, true)).toBe("legacy");
    expect(
      eraOf({ method: "initialize", params: {} }, { ...none, protocolVersion: "2025-11-25" }, true),
    ).toBe("legacy");
  });

  it.each([
    ["another version in the header", { ...headers, protocolVersion: "2025-11-25" }],
    ["no version in the header", { ...headers, protocolVersion: undefined }],
    ["another method in the header", { ...headers, method: "tools/list" }],
    ["the method in other letters", { ...headers, method: "TOOLS/CALL" }],
    ["no method in the header", { ...headers, method: undefined }],
    ["another name in the header", { ...headers, name: "fs_write" }],
    ["no name in the header", { ...headers, name: undefined }],
    ["a name that is not the base64 it claims to be", { ...headers, name: "=?base64?ZnNfcmVhZA?=" }],
  ])("is refused with %s", (_what, given) => {
    expect(codeOf(() => eraOf(call, given, true))).toBe(rpcCodes.headerMismatch);
  });

  it.each([
    ["Mcp-Name", "fs_stat", "fs_read", { name: "fs_stat" }],
    ["Mcp-Name", null, "fs_read", { name: undefined }],
    ["Mcp-Method", "tools/list", "tools/call", { method: "tools/list" }],
    ["Mcp-Method", null, "tools/call", { method: undefined }],
    ["MCP-Protocol-Version", "2025-11-25", version, { protocolVersion: "2025-11-25" }],
    ["MCP-Protocol-Version", null, version, { protocolVersion: undefined }],
  ])(
    "is refused with the name of the header %s, what it says (%j), and what the body says",
    (name, header, body, given) => {
      const error = errorOf(() => eraOf(call, { ...headers, ...given }, true));
      expect(error?.data).toEqual({ mismatch: { name, header, body } });
    },
  );

  it("is refused without repeating all of a long body", () => {
    const long = "x".repeat(100_000);
    const error = errorOf(() => eraOf({ ...call, params: { name: long, _meta: modern } }, headers, true));
    expect(error?.data).toMatchObject({ mismatch: { body: "x".repeat(200) } });
    expect(error?.message.length).toBeLessThan(400);
  });

  it("is refused when the header promises what the body does not hold", () => {
    const listed = { protocolVersion: version, method: "tools/list", name: undefined };
    expect(codeOf(() => eraOf({ method: "tools/list" }, listed, true))).toBe(rpcCodes.invalidParams);
    expect(codeOf(() => eraOf({ method: "initialize" }, listed, true))).toBe(rpcCodes.headerMismatch);
  });

  it("takes a name in base64", () => {
    const name = `=?base64?${Buffer.from("fs_read").toString("base64")}?=`;
    expect(eraOf(call, { ...headers, name }, true)).toBe("modern");
    expect(decodeHeaderValue("=?base64?gICA?=")).toBeUndefined();
  });
});

describe("arguments repeated in headers", () => {
  const schema = {
    type: "object",
    properties: {
      region: { type: "string", "x-mcp-header": "Region" },
      deep: { type: "object", properties: { count: { type: "integer", "x-mcp-header": "Count" } } },
    },
  };
  const check = (input: unknown, given: Record<string, string>) =>
    codeOf(() => checkParamHeaders(schema, input, (name) => given[name]));

  it("must be there and must say the same", () => {
    expect(check({ region: "eu" }, { "mcp-param-region": "eu" })).toBeUndefined();
    expect(check({ region: "eu" }, { "mcp-param-region": "=?base64?ZXU=?=" })).toBeUndefined();
    expect(check({ region: "eu" }, {})).toBe(rpcCodes.headerMismatch);
    expect(check({ region: "eu" }, { "mcp-param-region": "us" })).toBe(rpcCodes.headerMismatch);
    expect(check({ region: "eu" }, { "mcp-param-region": "=?base64?ZXU?=" })).toBe(rpcCodes.headerMismatch);
  });

  it("are compared as numbers where they are numbers, at any depth", () => {
    expect(check({ deep: { count: 42 } }, { "mcp-param-count": "42.0" })).toBeUndefined();
    expect(check({ deep: { count: 42 } }, { "mcp-param-count": "43" })).toBe(rpcCodes.headerMismatch);
  });

  it("are not expected where the argument is left out", () => {
    expect(check({}, {})).toBeUndefined();
    expect(check({ region: null }, {})).toBeUndefined();
    expect(check(undefined, {})).toBeUndefined();
  });

  it("are refused where the argument is left out: the tool would take a default that no proxy has seen", () => {
    for (const input of [{}, { region: null }, { region: ["eu"] }, undefined])
      expect(check(input, { "mcp-param-region": "eu" })).toBe(rpcCodes.headerMismatch);
    expect(check({ deep: {} }, { "mcp-param-count": "" })).toBe(rpcCodes.headerMismatch);
  });
});
