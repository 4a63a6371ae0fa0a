import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import * as toolgate from "../src/index.ts";
import * as testing from "../src/testing/index.ts";

describe("the public names", () => {
  it("change only on purpose", () => {
    expect(Object.keys(toolgate).sort()).toMatchInlineSnapshot(`
      [
        "RunnerError",
        "Stop",
        "StoreError",
        "ToolgateError",
        "allowedToolNames",
        "createAcpRunner",
        "createChatRunner",
        "createClaudeRunner",
        "createGate",
        "createHttpHandler",
        "createMemoryGrants",
        "createMemoryLedger",
        "createMemoryLimits",
        "createPlugins",
        "createSessionSpawner",
        "createSessions",
        "defineTool",
        "errorCodes",
        "loggingLayer",
        "openStore",
        "stages",
        "textResult",
        "timingLayer",
        "toMcpServerConfig",
        "toolResult",
        "validatePlugin",
        "verifyExport",
      ]
    `);
    expect(Object.keys(testing).sort()).toMatchInlineSnapshot(`
      [
        "createFakeClock",
        "createScriptedApprover",
        "createScriptedModel",
        "createTestGate",
      ]
    `);
  });
});

/** Every file that is loaded with this one, without those that are loaded when they are needed. */
function loadedWith(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const text = readFileSync(file, "utf8");
  const imports = text.matchAll(
    /^(?:import|export)(?! type\b)[^;"']*?from "(\.[^"]+)";|^import "(\.[^"]+)";/gm,
  );
  for (const [, from, bare] of imports) loadedWith(resolve(dirname(file), from ?? bare ?? ""), seen);
  return seen;
}

describe("what importing the library loads", () => {
  it("is the gate, and neither built-in tools nor a server nor a coding agent", () => {
    const src = fileURLToPath(new URL("../src/", import.meta.url));
    const files = [...loadedWith(`${src}index.ts`)].map((file) => file.slice(src.length));
    expect(files).toContain("pipeline/walk.ts");
    const later =
      /^(?:sources\/(?:builtin|upstream)|agents|mcp|surfaces\/(?!mcp\/mcp-server-config|serve\/create-http-handler))/;
    expect(files.filter((file) => later.test(file))).toEqual([]);
  });
});
