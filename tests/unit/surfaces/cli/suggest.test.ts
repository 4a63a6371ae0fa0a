import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { SuggestionReport } from "../../../../src/suggest/suggestion.ts";
import { planWrite } from "../../../../src/surfaces/cli/commands/suggest/plan-write.ts";
import type { CliIo } from "../../../../src/surfaces/cli/terminal/io.ts";
import { type FilledCall, fillStore } from "../../../suggest/fill-store.ts";
import { useCliWorld } from "./cli-world.ts";
import { refuses, says } from "./expect-end.ts";

const sh = (command: string): FilledCall => ({ tool: "Bash", input: { command } });

let userFile: string;
const userRules = `policies:
  ask-bash: { tools: Bash, action: ask, priority: -10 }
  make-test:
    tools: Bash
    action: approve
    mode: shadow
    conditions:
      - { type: command, operator: equals, value: make test }
`;

const world = useCliWorld(async ({ configure, home, root }) => {
  userFile = configure(userRules);
  const stateFolder = join(home, ".local/state/toolgate");
  mkdirSync(stateFolder, { recursive: true });
  const { policies } = parse(userRules);
  await fillStore({
    stateFolder,
    workspace: root,
    policies: Object.entries(policies).map(([name, policy]) => ({ ...(policy as object), name }) as never),
    days: [{ daysAgo: 1, sessions: [[sh("make test"), sh("make test"), sh("make deploy")]] }],
    answer: ({ input }) => ({ decision: input.command === "make deploy" ? "deny" : "approve" }),
  });
}, "file");

describe("toolgate suggest", () => {
  it("says how many questions there were, and what a policy in shadow mode would have answered", async () => {
    await says(
      world.run("suggest"),
      /3 questions of the last 30 days\./,
      "make-test: would have answered 2, you agreed 2\n",
    );
  });

  it("says where proposals come from while nothing is recorded", async () => {
    await says(
      world.run("suggest", { env: { XDG_STATE_HOME: join(world.root, "empty") } }),
      /^No call was recorded in the last 30 days\. Rules/,
    );
  });

  it("prints all that it knows as JSON", async () => {
    expect(await world.json("suggest --days 7")).toMatchObject({
      report: { calls: 3, questions: 3, answered: 3 },
      shadows: [{ rule: "make-test", answered: 2, agreed: 2, disagreed: 0 }],
    });
  });

  it.each([
    [["--days", "0"], "--days takes a number from 1 to 365."],
    [["--for", "fun"], "fun"],
    [["no-such-id"], 'No suggestion begins with "no-such-id"'],
  ])("%j is refused with a reason", async (more, message) => {
    await refuses(world.run(["suggest", ...more]), message);
  });

  it.each(["toolgate.yaml", "rules/mine.yaml", ".claude/tool-routes.yaml"])(
    "writes nothing into %s of a project that nobody trusts",
    async (name) => {
      await refuses(world.run(["suggest", "--write", name, "--yes"]), "nobody trusts it");
      expect(existsSync(join(world.root, name))).toBe(false);
    },
  );

  it("follows links before it says whose file it is", async () => {
    const link = join(world.home, "mine.yaml");
    symlinkSync(join(world.root, "toolgate.yaml"), link);
    writeFileSync(join(world.root, "toolgate.yaml"), "version: 1\n");
    const folder = join(world.home, "mine");
    symlinkSync(world.root, folder);
    for (const file of [link, join(folder, "new.yaml")]) {
      await refuses(world.run(["suggest", "--write", file, "--yes"]), "nobody trusts it");
    }
    rmSync(join(world.root, "toolgate.yaml"));
  });

  it("makes no folder for the file", async () => {
    const folder = join(world.home, "nope");
    await refuses(
      world.run(["suggest", "--write", join(folder, "x.yaml"), "--yes"]),
      `There is no folder ${folder}.`,
    );
    expect(existsSync(folder)).toBe(false);
  });

  it("writes nothing that was proved with other rules", async () => {
    const stale = { rulesVersion: "of yesterday", suggestions: [] } as unknown as SuggestionReport;
    const io = { cwd: world.root, env: { HOME: world.home }, err: () => {} } as unknown as CliIo;
    await expect(planWrite(stale, userFile, io)).rejects.toThrow(
      "The rules were changed meanwhile, so nothing is proved. Run it again.",
    );
  });

  it("leaves the file alone where nothing is proved", async () => {
    await says(
      world.run(["suggest", "--write", userFile, "--yes", "--days", "1"]),
      "There is nothing to write.",
    );
    expect(readFileSync(userFile, "utf8")).toBe(userRules);
  });
});
