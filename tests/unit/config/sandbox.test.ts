/** The section `sandbox` of configuration files: how it is written, and that an untrusted project only makes it stricter. */
import { describe, expect, it } from "vitest";
import { chooseSandbox } from "../../../src/core/tool/sandbox-rules.ts";
import { resolveUpstreams } from "../../../src/open/resolve-upstreams.ts";
import { createWorld, problemsIn } from "./world.ts";

const shell = { id: "shell.exec", category: "shell" };

async function open(user: string, project: string) {
  const config = await createWorld({ user, project }).open();
  expect(config.problems).toEqual([]);
  return { config, choose: (tool = shell) => chooseSandbox(config.settings.sandbox ?? [], tool) };
}

describe("the section sandbox", () => {
  it.each([
    ["mode: require", /off.*preferred.*required/],
    ["categories: {shell: yes}", /off.*preferred.*required/],
    ["tool: {a: off}", /unknown key/],
    ["network: 1", /boolean|true or false/],
  ])("is refused when it is misspelt: %s", (line, message) => {
    expect(problemsIn(`sandbox:\n  ${line}\n`).join("\n")).toMatch(message);
  });

  it("may be empty", () => {
    for (const text of ["sandbox:\n", "sandbox: {categories: }\n"]) expect(problemsIn(text)).toEqual([]);
  });

  it("of an untrusted project makes it stricter and opens nothing", async () => {
    const { config, choose } = await open(
      "sandbox: {mode: preferred, categories: {shell: required}}\n",
      "sandbox: {mode: off, network: true, tools: {shell.exec: off, deploy: required}}\n",
    );
    expect(choose()).toEqual({ mode: "required", network: false });
    expect(choose({ id: "deploy", category: "custom" }).mode).toBe("required");
    expect(choose({ id: "other", category: "custom" }).mode).toBe("preferred");
    expect(config.ignored.map(({ what }) => what)).toEqual(["sandbox.network"]);
  });

  it("of an untrusted project can close the network", async () => {
    const { choose } = await open("sandbox: {network: true}\n", "sandbox: {network: false}\n");
    expect(choose().network).toBe(false);
    expect((await open("sandbox: {network: true}\n", "")).choose().network).toBe(true);
  });

  it("is for upstream servers too, by their name or as category mcp, and never less than they ask for themselves", async () => {
    const servers = "upstreams: {a: {command: x}, b: {command: x, sandbox: required}, c: {command: x}}\n";
    const { config } = await open(`${servers}sandbox: {categories: {mcp: preferred}, tools: {c: off}}\n`, "");
    const modes = resolveUpstreams(config, {}).map(({ settings }) =>
      settings?.transport.kind === "stdio" ? settings.transport.sandbox : undefined,
    );
    expect(modes).toEqual(["preferred", "required", "off"]);
  });
});
