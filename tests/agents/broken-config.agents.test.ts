/** A configuration that cannot be read does not open the gate, and somebody is told. */
import { expect, it } from "vitest";
import { callOnce, describeClaudeCode } from "./session.ts";
import { createWorkbench } from "./workbench.ts";

const touch = (name: string) => ({ tool: "Bash", input: { command: `touch ${name}` } });
const good = `
routes:
  no-secret: { tool: Bash, pattern: "secret", message: "Not this file." }
`;
const broken = `
routes:
  no-secret: { tool: Bash, pattern: "secret", mesage: "Not this file." }
`;

describeClaudeCode("a broken configuration", () => {
  it("keeps the last good rules, and the person is told the file and the line", async () => {
    const bench = createWorkbench();
    bench.writeRules(good);
    expect((await callOnce(bench, touch("secret.txt"), { allow: ["Bash"] })).text).toContain(
      "Not this file.",
    );

    bench.writeRules(broken);
    const blocked = await callOnce(bench, touch("secret.txt"), { allow: ["Bash"] });
    expect(blocked).toMatchObject({ isError: true, text: expect.stringContaining("Not this file.") });
    const passed = await callOnce(bench, touch("plain.txt"), { allow: ["Bash"] });
    expect(passed.isError).toBe(false);
    expect([bench.has("project/secret.txt"), bench.has("project/plain.txt")]).toEqual([false, true]);
    expect(passed.session.notices).toContain("config.yaml:3");
  });

  it("stops every call when there were never good rules, with file and line", async () => {
    const bench = createWorkbench();
    bench.writeRules(broken);
    const told = await callOnce(bench, touch("plain.txt"), { allow: ["Bash"] });
    expect(told).toMatchObject({ isError: true, text: expect.stringContaining("config.yaml:3") });
    expect(bench.has("project/plain.txt")).toBe(false);
  });

  it("names both files when two sources give the same route", async () => {
    const bench = createWorkbench();
    bench.writeRules(good);
    bench.write("project/toolgate.yaml", good.replace('"secret"', '"private"'));
    const told = await callOnce(bench, touch("plain.txt"), { allow: ["Bash"] });
    expect(told.isError).toBe(true);
    expect(told.text).toContain("config.yaml:3");
    expect(told.text).toContain("toolgate.yaml:3");
    expect(bench.has("project/plain.txt")).toBe(false);
  });

  it("works again at the next call once it is repaired", async () => {
    const bench = createWorkbench();
    bench.writeRules(broken);
    expect((await callOnce(bench, touch("plain.txt"), { allow: ["Bash"] })).isError).toBe(true);
    bench.writeRules(good);
    expect((await callOnce(bench, touch("plain.txt"), { allow: ["Bash"] })).isError).toBe(false);
    expect((await callOnce(bench, touch("secret.txt"), { allow: ["Bash"] })).isError).toBe(true);
  });
});
