import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { convertRoutes } from "../../../../src/config/convert/convert-routes.ts";
import { readOldFixtures } from "../../../../src/config/convert/old-fixtures.ts";
import { runRuleTests } from "../../../../src/replay/run-rule-tests.ts";
import { parsedFile } from "../world.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "toolgate-fixtures-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function fixture(name: string, value: unknown): void {
  const file = join(folder, "fixtures", name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof value === "string" ? value : JSON.stringify(value));
}

const calls = (tool_name: string, tool_input: object, expected_exit: number, more: object = {}) => ({
  name: `${tool_name} ${expected_exit}`,
  tool_call: { tool_name, tool_input },
  expected_exit,
  ...more,
});

const old = JSON.stringify({
  routes: {
    github: { pattern: "github\\.com/[^/]+/[^/]+/pull", message: "Use gh pr view." },
    curl: { command_pattern: "^curl ", message: "Use WebFetch." },
  },
});

describe("the fixtures beside an old tool-routes.json", () => {
  it("become tests of the routes that they are about, and these pass", async () => {
    fixture("webfetch/pr.json", calls("WebFetch", { url: "https://github.com/a/b/pull/1" }, 2));
    fixture(
      "bash/curl.json",
      calls("Bash", { command: "curl x" }, 2, { assertions: { should_contain: "WebFetch" } }),
    );
    fixture("bash/ls.json", calls("Bash", { command: "ls" }, 0, { assertions: {} }));
    const converted = convertRoutes(old, "tool-routes.json", readOldFixtures(folder));
    if (!converted.ok) throw new Error("not converted");
    expect(converted.notes).toEqual([]);
    const { routes } = parsedFile(converted.yaml, "new.yaml", "routes");
    expect(routes.map(({ name, tests = [] }) => [name, ...tests.map(({ desc }) => desc)])).toEqual([
      ["github", "WebFetch 2"],
      ["curl", "Bash 2", "Bash 0"],
    ]);
    expect(routes[1]?.tests?.[0]?.contains).toBe("WebFetch");
    const report = await runRuleTests([{ file: "new.yaml", rules: { routes } }]);
    expect(report).toMatchObject({ passed: 3, failed: 0 });
  });

  it("are told if they cannot be taken over, and what is none is left alone", () => {
    fixture("a-nobody.json", calls("Bash", { command: "wget x" }, 2));
    fixture("b-exit.json", calls("Bash", { command: "curl x" }, 1));
    fixture("c-not.json", calls("Bash", { command: "ls" }, 0, { assertions: { should_not_contain: "x" } }));
    fixture("data.json", { users: [] });
    fixture("broken.json", "{");
    fixture("README.md", "text");
    const converted = convertRoutes(old, "tool-routes.json", readOldFixtures(folder));
    expect(converted.ok && converted.notes).toEqual([
      "fixtures/b-exit.json: left out, because it cannot be read as a fixture.",
      "fixtures/c-not.json: left out should_not_contain, which tests do not know.",
      "fixtures/a-nobody.json: left out, because no route refuses its call.",
    ]);
  });

  it("are not read through links that lead out of the folder", () => {
    const outside = join(folder, "outside.json");
    writeFileSync(outside, JSON.stringify(calls("Bash", { command: "curl x" }, 2)));
    fixture("own.json", calls("Bash", { command: "ls" }, 0));
    symlinkSync(outside, join(folder, "fixtures/link.json"));
    expect(readOldFixtures(folder).fixtures.map(({ file }) => file)).toEqual(["fixtures/own.json"]);
  });

  it("are none where there is no such folder", () => {
    expect(readOldFixtures(folder)).toEqual({ fixtures: [], notes: [] });
  });
});
