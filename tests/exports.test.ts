import { describe, expect, it } from "vitest";
import * as toolgate from "../src/index.ts";
import * as testing from "../src/testing/index.ts";

describe("the public names", () => {
  it("change only on purpose", () => {
    expect(Object.keys(toolgate).sort()).toMatchInlineSnapshot(`
      [
        "Stop",
        "StoreError",
        "ToolgateError",
        "allowedToolNames",
        "createGate",
        "createMemoryGrants",
        "createMemoryLedger",
        "createMemoryLimits",
        "createPlugins",
        "defineTool",
        "errorCodes",
        "loggingLayer",
        "openStore",
        "stages",
        "textResult",
        "timingLayer",
        "toMcpServerConfig",
        "toolResult",
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
