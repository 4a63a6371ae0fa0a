/** A configuration that cannot be read does not open the gate, and somebody is told. */
import { expect, it } from "vitest";
import { bash, callOnce, describeClaudeCode, refused, runSession } from "./session.ts";
import { createWorkbench, type Workbench } from "./workbench.ts";

const touch = (name: string) => bash(`touch ${name}.txt`, name);
const good = `
routes:
  no-secret: { tool: Bash, pattern: "secret", message: "Not this file." }
`;
const broken = good.replace("message", "mesage");

/** One call after the other in one session, each after its rules were written. */
function runWith(bench: Workbench, turns: readonly (readonly [rules: string, name: string])[]) {
  const script = turns.map(([rules, name]) => () => {
    bench.writeRules(rules);
    return touch(name);
  });
  return runSession(bench, [...script, "Done."], { allow: ["Bash"] });
}

describeClaudeCode("a broken configuration", () => {
  it("keeps the last good rules, and the person is told the file and the line", async () => {
    const bench = createWorkbench();
    const turns = [
      [good, "secret-before"],
      [broken, "secret"],
      [broken, "plain"],
    ] as const;
    const { result, notices } = await runWith(bench, turns);
    for (const name of ["secret-before", "secret"])
      expect(result(name)).toMatchObject(refused("Not this file."));
    expect(result("plain").isError).toBe(false);
    expect([bench.has("project/secret.txt"), bench.has("project/plain.txt")]).toEqual([false, true]);
    expect(notices).toContain("config.yaml:3");
  });

  it("stops every call when there were never good rules, and works again once it is repaired", async () => {
    const bench = createWorkbench();
    const turns = [
      [broken, "plain"],
      [good, "repaired"],
      [good, "secret"],
    ] as const;
    const { result } = await runWith(bench, turns);
    expect(result("plain")).toMatchObject(refused("config.yaml:3"));
    expect(bench.has("project/plain.txt")).toBe(false);
    expect([result("repaired").isError, result("secret").isError]).toEqual([false, true]);
  });

  it("names both files when two sources give the same route", async () => {
    const bench = createWorkbench();
    bench.writeRules(good);
    bench.write("project/toolgate.yaml", good.replace('"secret"', '"private"'));
    const told = await callOnce(bench, touch("plain"), { allow: ["Bash"] });
    expect(told).toMatchObject(refused("config.yaml:3"));
    expect(told.text).toContain("toolgate.yaml:3");
    expect(bench.has("project/plain.txt")).toBe(false);
  });
});
