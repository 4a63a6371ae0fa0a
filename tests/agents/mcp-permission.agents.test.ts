/** `claude -p --permission-prompt-tool`: what the client would ask a person about, it asks the gate. */
import { expect, it } from "vitest";
import { answerNext, gatewaySession, ways } from "./gateway.ts";
import { bash, describeClaudeCode, refused, runSession } from "./session.ts";
import { createWorkbench } from "./workbench.ts";

const rules = `
mcp: { permission_prompt: true }
policies:
  this-may-run:
    tools: Bash
    action: approve
    conditions: [{ type: command, operator: startsWith, value: touch allowed.txt }]
  this-may-not:
    tools: Bash
    action: deny
    conditions: [{ type: command, operator: startsWith, value: touch forbidden.txt }]
    reason: Not this file.
`;
const touch = (file: string) => bash(`touch ${file}.txt`, file);

describeClaudeCode("a session that asks the gate for permission", () => {
  it.each(ways)("over %s runs what a rule or a person allows, and is told why not", async (way) => {
    const bench = createWorkbench();
    bench.writeRules(rules);
    const edited = JSON.stringify({ command: "touch edited.txt" });
    const session = await runSession(
      bench,
      [...["allowed", "forbidden", "asked", "denied"].map(touch), "Done."],
      {
        ...(await gatewaySession(bench, way, {
          args: ["--permission-prompt-tool", "mcp__toolgate__permission_prompt"],
        })),
        async meanwhile() {
          const asked = await answerNext(bench, "approve", "--edit", edited);
          expect(asked).toMatchObject({ toolUseId: "asked" });
          await answerNext(bench, "deny", "--reason", "Not today.");
        },
      },
    );
    expect(session.result("allowed").isError).toBe(false);
    expect(session.result("forbidden")).toMatchObject(refused("Not this file."));
    expect(session.result("asked").isError).toBe(false);
    expect(session.result("denied")).toMatchObject(refused("Not today."));
    const files = ["allowed", "forbidden", "asked", "edited", "denied"];
    expect(files.filter((file) => bench.has(`project/${file}.txt`))).toEqual(["allowed", "edited"]);
    const { stdout } = await bench.toolgate(["audit", "query", "--oldest", "--ndjson"]);
    const records = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).body)
      // Notes, of tokens and categories, are no calls.
      .filter(({ verdict }) => verdict !== undefined);
    expect(records.map(({ toolUseId, verdict, kind }) => [toolUseId, verdict, kind])).toEqual([
      ["allowed", "allow", "check"],
      ["forbidden", "deny", "check"],
      ["asked", "allow", "check"],
      ["denied", "deny", "check"],
    ]);
  });
});
