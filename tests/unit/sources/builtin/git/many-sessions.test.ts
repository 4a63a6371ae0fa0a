import { expect, it } from "vitest";
import { describeGit, gitGate } from "./git-gate.ts";

const sessions = ["one", "two", "three", "four"];

describeGit("many sessions in one repository at the same time", () => {
  it("commit one after the other, and none fails because of another", async () => {
    const { write, call, git } = await gitGate({ files: { start: "s" } });
    for (const name of sessions) write(`${name}.txt`, name);
    const outcomes = await Promise.all(
      sessions.map((name) =>
        call("git.commit", { message: `add ${name}`, paths: [`${name}.txt`] }, { sessionId: name }),
      ),
    );
    expect(outcomes.map((outcome) => outcome.ok || outcome.error.message)).toEqual(sessions.map(() => true));
    expect(git("log", "--format=%s").trim().split("\n")).toHaveLength(sessions.length + 1);
    expect(git("status", "--porcelain")).toBe("");
  });

  it("save checkpoints one after the other, each of them whole", async () => {
    const { write, call } = await gitGate({ files: { "a.txt": "a", "b.txt": "b" } });
    write("a.txt", "changed");
    const saved = await Promise.all(
      sessions.map((name) => call("git.checkpoint", { action: "save", label: name }, { sessionId: name })),
    );
    expect(saved.map((outcome) => outcome.ok || outcome.error.message)).toEqual(sessions.map(() => true));
  });
});
