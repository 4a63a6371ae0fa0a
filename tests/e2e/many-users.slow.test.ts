import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startServed } from "./served.ts";

describe("many users of one server", () => {
  it("do not wait for a slow command of one of them: it ends only after all that another one did", async () => {
    const { world, client } = await startServed();
    const [slow, quick] = [await client("slow"), await client("quick")];
    writeFileSync(join(world.project, "a.txt"), "text\n");
    const command = slow.call("shell.exec", {
      command: "until [ -e go.txt ]; do sleep 0.05; done; echo gone",
    });
    for (let index = 0; index < 100; index++)
      expect(await quick.call("fs.read", { path: "a.txt" })).toMatchObject({ ok: true });
    for (let index = 0; index < 20; index++)
      expect(await quick.call("fs.write", { path: `new-${index}.txt`, content: "x" })).toMatchObject({
        ok: true,
      });
    expect(await quick.call("fs.write", { path: "go.txt", content: "" })).toMatchObject({ ok: true });
    expect(await command).toMatchObject({ ok: true });
  }, 60_000);

  it("run twenty commands of twenty sessions at a time: each waits until all have begun", async () => {
    const { client } = await startServed();
    const { call } = await client("agent");
    const sessions = Array.from({ length: 20 }, (_, index) => `session-${index}`);
    const outcomes = await Promise.all(
      sessions.map((name) => {
        const command = `touch began.${name}; until [ $(ls began.* | wc -l) -ge ${sessions.length} ]; do sleep 0.2; done`;
        return call("shell.exec", { command }, name);
      }),
    );
    expect(outcomes.map(({ ok, error }) => ok || error?.message)).toEqual(sessions.map(() => true));
  }, 60_000);
});
