/** The gate as a server of Claude Code: what its model is told, what ran, and what stays of it. */
import { expect, it } from "vitest";
import { answerNext, gatewaySession, type Question, upstreamRules, ways } from "./gateway.ts";
import { describeClaudeCode, runSession } from "./session.ts";
import { createWorkbench, ourPlugin, type Workbench } from "./workbench.ts";

const rules = `
policies:
  look-around: { tools: store__look, action: approve }
  keep-users:
    tools: store__drop
    action: deny
    conditions: [{ type: argument, field: table, operator: equals, value: users }]
    reason: Users are never dropped.
`;

interface Record {
  readonly kind: string;
  readonly body: { readonly surface?: string; readonly tool?: string; readonly [key: string]: unknown };
}

async function story(bench: Workbench, toolUseId: string): Promise<Record[]> {
  const { stdout } = await bench.toolgate(["audit", "show", toolUseId, "--ndjson"]);
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record);
}

const call = (tool: string, input: object, id: string) => ({
  tool: `mcp__toolgate__${tool}`,
  input: input as Record["body"],
  id,
});

describeClaudeCode("a session with the gate as its server", () => {
  it.each(ways)(
    "over %s reads a file, uses a server behind the gate, is refused by arguments, and waits for a person elsewhere",
    async (way) => {
      const bench = createWorkbench();
      bench.writeRules(upstreamRules(bench) + rules);
      bench.write("project/a.txt", "the text of the file\n");
      let question: Question | undefined;
      const session = await runSession(
        bench,
        [
          call("fs_read", { path: "a.txt" }, "toolu_read"),
          call("store__look", {}, "toolu_look"),
          call("store__drop", { table: "users" }, "toolu_refused"),
          call("store__drop", { table: "old" }, "toolu_asked"),
          "Done.",
        ],
        {
          ...(await gatewaySession(bench, way)),
          async meanwhile() {
            question = await answerNext(bench, "approve");
          },
        },
      );
      expect(question).toMatchObject({
        toolId: "store__drop",
        toolUseId: "toolu_asked",
        caller: way === "HTTP" ? "claude" : "local",
      });
      expect(session.result("toolu_read").text).toContain("the text of the file");
      expect(session.result("toolu_look")).toMatchObject({ isError: false, text: "look ran" });
      const refused = session.result("toolu_refused");
      expect([refused.isError, refused.text]).toEqual([
        true,
        expect.stringContaining("Users are never dropped."),
      ]);
      expect(session.result("toolu_asked")).toMatchObject({ isError: false, text: "drop ran" });
      expect(bench.read("project/log.txt")).toBe("look\ndrop\n");
      const [intent, ended] = await story(bench, "toolu_asked");
      expect([intent?.kind, ended?.kind]).toEqual(["intent", "completion"]);
      expect(ended?.body).toMatchObject({ surface: "mcp", approval: { id: question?.id } });
    },
  );

  it("with the hook installed, too, leaves one story of each call: asked before, run, ended", async () => {
    const bench = createWorkbench();
    bench.write("project/a.txt", "the text of the file\n");
    const options = await gatewaySession(bench, "a pipe");
    const session = await runSession(
      bench,
      [
        call("fs_read", { path: "a.txt" }, "toolu_both"),
        // The client ends hooks in the background together with the session; a real model takes longer than they do.
        async () => {
          await expect
            .poll(async () => (await story(bench, "toolu_both")).length, { timeout: 20_000, interval: 500 })
            .toBe(3);
          return "Done.";
        },
      ],
      { ...options, plugin: ourPlugin },
    );
    expect(session.result("toolu_both").text).toContain("the text of the file");
    expect(await story(bench, "toolu_both")).toMatchObject([
      { kind: "completion", body: { surface: "hook", kind: "check", askedFor: "mcp__toolgate__fs_read" } },
      { kind: "completion", body: { surface: "mcp", kind: "call", tool: "fs.read", verdict: "allow" } },
      { kind: "end", body: { ok: true } },
    ]);
    const { stdout } = await bench.toolgate(["audit", "query", "--tool-use-id", "toolu_both", "--ndjson"]);
    expect(stdout.trim().split("\n")).toHaveLength(2);
  });
});
