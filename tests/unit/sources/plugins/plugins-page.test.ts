/** The plugin files on the page about plugins load, and their tests pass. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openConfig } from "../../../../src/open/open-config.ts";
import { runPluginTests } from "../../../../src/replay/run-plugin-tests.ts";
import { pluginSchema } from "../../../../src/sources/plugins/plugin-format.ts";
import { createWorld } from "../../config/world.ts";

const page = readFileSync(new URL("../../../../docs/plugins.md", import.meta.url), "utf8");
const files = [...page.matchAll(/^```yaml\n(.*?)^```$/gms)]
  .map((match) => match[1] ?? "")
  .filter((text) => text.includes("\ntools:"));

describe("docs/plugins.md", () => {
  it("shows plugin files", () => expect(files.length).toBe(2));

  it.each(files)("has a file that loads and passes its tests: %#", async (text) => {
    const world = createWorld();
    const file = world.write(join(world.home, "x.yaml"), text);
    const config = await openConfig({ cwd: world.project, env: world.env });
    const { report, files: tested } = await runPluginTests(config, [file]);
    expect(report.errors).toEqual([]);
    const results = tested.flatMap(({ tests }) => tests);
    expect(results.length).toBeGreaterThan(0);
    expect(results.filter(({ ok }) => !ok)).toEqual([]);
  });

  it("names every key of the format", () => {
    const { tool, shell, http, "file-read": fileRead } = pluginSchema.$defs ?? {};
    for (const part of [pluginSchema, tool, shell, http, fileRead])
      for (const key of Object.keys(part?.properties ?? {})) expect(page, key).toContain(`\`${key}`);
  });
});
