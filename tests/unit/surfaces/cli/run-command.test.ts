import { execFileSync } from "node:child_process";
import { afterEach, describe, expect, it } from "vitest";
import { expectEnd, refuses } from "./expect-end.ts";
import { createSessionCliWorld, type SessionCliWorld } from "./session-cli-world.ts";

let world: SessionCliWorld | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});
const linesOf = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
const read = { tool: "fs_read", input: { path: "a.txt" } };

describe("toolgate run, in this process", () => {
  it("prints what the agent says, and its tool calls beside it", async () => {
    world = await createSessionCliWorld([read, "It says hello."]);
    world.file("a.txt", "hello");
    const { code, out, err } = await world.run("run 'What is in a.txt?'");
    expect([code, out]).toEqual([0, "It says hello.\n"]);
    expect(err).toContain('· fs.read {"path":"a.txt"}');
    expect(world.model.toolResults()[0]?.text).toContain("hello");
  });

  it("takes the prompt from standard input, and prints events as lines of JSON", async () => {
    world = await createSessionCliWorld(["Yes."]);
    const { code, out } = await world.run("run - --json --tools none", { stdin: "Is it so?" });
    const events = linesOf(out);
    expect(code).toBe(0);
    expect(events[0]).toMatchObject({ kind: "session", data: { runner: "local", single: true } });
    const said = events.filter(({ kind }) => kind === "message").map(({ data }) => [data.role, data.text]);
    expect(said).toEqual([
      ["user", "Is it so?"],
      ["assistant", "Yes."],
    ]);
    expect(events.at(-1)).toMatchObject({ kind: "completed", id: expect.stringMatching(/^\w+-\d+$/) });
    expect(world.model.requests[0]?.tools).toEqual([]);
  });

  it("ends with 1 when the agent fails, and says why", async () => {
    world = await createSessionCliWorld([{ status: 400, message: "no such model" }]);
    await refuses(world.run("run x"), "no such model");
  });

  it("ends with 1 when the budget is spent", async () => {
    world = await createSessionCliWorld(() => read);
    await refuses(world.run("run x --max-turns 2"), "2 answers of the model");
  });

  it("ends with 130 when it is interrupted, and the session is cancelled", async () => {
    const ending = new AbortController();
    world = await createSessionCliWorld(
      (_request, { signal }) =>
        new Promise((resolve) => {
          ending.abort();
          signal.addEventListener("abort", () => resolve("late"));
        }),
    );
    await expectEnd(world.run("run x", { signal: ending.signal }), { code: 130, err: "Cancelled by local." });
    expect(await world.json("sessions list")).toMatchObject([
      { state: "ended", end: "cancelled", owner: "local" },
    ]);
  });

  it("refuses what asks where nobody can be asked", async () => {
    const call = { tool: "fs_read", input: { path: "/etc/hostname" } };
    world = await createSessionCliWorld([call, "I may not."]);
    const { code, out, err } = await world.run("run x");
    expect([code, out]).toEqual([0, "I may not.\n"]);
    expect(err).toContain("no_approver");
  });

  it.each([
    ["run ''", "The prompt is empty"],
    ["run x --cwd nowhere", "there is no folder"],
    ["run x --mode yolo", "Allowed choices are act, plan"],
    ["run x --timeout soon", "A duration is"],
    ["run x --max-turns 0", "A whole number"],
    ["run x --categories nothing", "There is no category"],
    ["run x --worktree", "work tree"],
    ["run x --tools agent", "It works with: true (--tools gate), false (--tools none)."],
    ["sessions show s-1", "toolgate sessions list shows those that there are"],
    ["sessions list --limit 0", "1 to 500"],
    ["sessions resume s-1 ' '", "The message is empty"],
  ])("refuses %j", async (argv, why) => {
    world = await createSessionCliWorld(["x"]);
    await refuses(world.run(argv), why);
  });

  it.each(["run x", "chat", "acp"])(
    "%s names the runners that there are, if the one that is wanted is not among them",
    async (argv) => {
      world = await createSessionCliWorld(["x"]);
      const { err } = await refuses(
        world.run(`${argv} --runner nope`, { stdin: "x\n" }),
        /^toolgate: There is no runner "nope"; there are: local, claude\. .*docs\/sessions\.md/,
      );
      expect(err.trim().split("\n")).toHaveLength(1);
      expect(await world.json("sessions list")).toEqual([]);
    },
  );

  it("says when the runner chat is there, and that a work tree needs a commit", async () => {
    world = await createSessionCliWorld(["x"]);
    await refuses(world.run("run x --runner chat"), "ANTHROPIC_API_KEY");
    execFileSync("git", ["init", "--quiet", "."], { cwd: world.root });
    await refuses(world.run("run x --worktree"), "has no commit yet");
  });

  it("switches categories of tools on as the hint of a refused call says", async () => {
    const edit = { tool: "fs_write", input: { path: "a.txt", content: "new" } };
    world = await createSessionCliWorld(() => edit);
    await refuses(world.run("run x --max-turns 1"), "--enable-tool-categories editing");
    const on = world.run("run x --max-turns 1 --enable-tool-categories editing");
    await expectEnd(on, { code: 1, never: "category_disabled" });
    await refuses(world.run("run x --categories editing"), "--enable-tool-categories editing");
  });

  it("says how to set one up where no agent can be run", async () => {
    world = await createSessionCliWorld(["x"]);
    await refuses(world.run("run x", { env: { XDG_CONFIG_HOME: world.root } }), "docs/sessions.md");
  });
});

describe("toolgate chat, without a terminal", () => {
  it("takes each line as a message of one conversation", async () => {
    world = await createSessionCliWorld(["Hello Ann.", "You are Ann."]);
    const { code, out } = await world.run("chat", { stdin: "I am Ann.\n\nWho am I?\n/quit\nnever\n" });
    expect([code, out]).toEqual([0, "Hello Ann.\nYou are Ann.\n"]);
    expect(world.model.requests[1]?.messages.map(({ text }) => text)).toEqual([
      "I am Ann.",
      "Hello Ann.",
      "Who am I?",
    ]);
    expect(world.model.requests).toHaveLength(2);
  });

  it("says what to do where there is no agent, and where there is no message", async () => {
    world = await createSessionCliWorld([]);
    await refuses(world.run("chat", { stdin: "" }), "No message came on standard input.");
    expect((await world.run("chat", { stdin: "/quit\n" })).code).toBe(0);
    await refuses(world.run("chat --runner nobody", { stdin: "" }), 'There is no runner "nobody"');
    world.configure("");
    const why =
      /^toolgate: No agent can be run here\. claude: .*`\. Set ANTHROPIC_API_KEY .*docs\/sessions\.md/;
    for (const line of ["chat", "run hello"]) await refuses(world.run(line, { stdin: "hello\n" }), why);
  });

  it("goes on with a session", async () => {
    world = await createSessionCliWorld(["One.", "Two."]);
    await world.run("chat", { stdin: "first\n" });
    const [{ id }] = await world.json("sessions list");
    const { out } = await world.run(["chat", "--session", id], { stdin: "second\n" });
    expect(out).toBe("Two.\n");
    expect(world.model.requests[1]?.messages).toHaveLength(3);
    const shown = await world.run(["sessions", "show", id]);
    expect(shown.out).toBe("One.\nTwo.\n");
    expect(shown.err).toContain("local> second");
  });
});

describe("toolgate sessions", () => {
  it("go on after their end, and are removed", async () => {
    world = await createSessionCliWorld(["One.", "Two."]);
    await world.run("run first");
    const [{ id }] = await world.json("sessions list");
    const resumed = await world.run(["sessions", "resume", id, "second"]);
    expect([resumed.code, resumed.out]).toEqual([0, "Two.\n"]);
    const tail = await world.run(["sessions", "tail", id, "--ndjson"]);
    expect(linesOf(tail.out).filter(({ kind }) => kind === "completed")).toHaveLength(2);
    expect((await world.run(["sessions", "cancel", id])).code).toBe(0);
    expect((await world.run(["sessions", "remove", id])).code).toBe(0);
    expect((await world.run("sessions list")).err).toContain("There are no sessions.");
  });

  it("are listed by their state, and by how they ended", async () => {
    world = await createSessionCliWorld([{ status: 400, message: "no such model" }, "Done."]);
    await world.run("run first");
    await world.run("run second");
    const titles = async (state: string) =>
      JSON.parse((await world?.run(["sessions", "list", "--json", "--state", state]))?.out ?? "").map(
        ({ title }: { title: string }) => title,
      );
    expect(await titles("failed")).toEqual(["first"]);
    expect(await titles("completed")).toEqual(["second"]);
    expect(await titles("ended")).toEqual(["second", "first"]);
    expect(await titles("lost")).toEqual([]);
    await expectEnd(world.run("sessions list --state waiting"), { err: "There are no such sessions." });
    await refuses(world.run("sessions list --state broken"), "idle, ended, completed, failed");
  });
});
