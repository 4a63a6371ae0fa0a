import { describe, expect, it } from "vitest";
import { checkSandbox } from "../../../../src/surfaces/cli/commands/doctor/machine.ts";

const missing = () => undefined;

describe("doctor on a machine without a sandbox", () => {
  it("says it where nothing asks for one", async () => {
    expect(await checkSandbox("/", "off", missing)).toMatchObject({ check: "sandbox", level: "info" });
  });

  it("warns where one is preferred, and finds a problem where one is required", async () => {
    expect(await checkSandbox("/", "preferred", missing)).toMatchObject({
      level: "warning",
      message: expect.stringMatching(/without/),
    });
    expect(await checkSandbox("/", "required", missing)).toMatchObject({
      level: "problem",
      message: expect.stringMatching(/refuse/),
    });
  });
});
