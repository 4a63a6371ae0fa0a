import { describe, expect, it } from "vitest";
import type { Route } from "../../../src/index.ts";
import { routeTiers } from "../../../src/rules/tiers.ts";
import { codeOf, endOf, paperGate, shell, tool } from "../paper-gate.ts";

const approve = [
  {
    name: "yes",
    tools: "*",
    action: "approve" as const,
    conditions: [{ type: "risk" as const, operator: "lessThan" as const, value: "opaque" }],
  },
];

const inputOf = (given: unknown) => (typeof given === "string" ? { command: given } : given);

/** The name of the route that decided, or what became of the call. */
async function decidedBy(routes: readonly Route[], input: unknown, id = "shell.exec"): Promise<string> {
  const { gate } = await paperGate({
    tools: [shell, tool({ id: "web.fetch", roles: { url: ["url"] } }), tool()],
    policies: approve,
    routes,
  });
  const outcome = await gate.dispatch({ tool: id, input: inputOf(input) });
  return outcome.ok ? "ran" : (outcome.error.rule?.name ?? outcome.error.code);
}

/** What the tool got after the routes rewrote it. */
async function rewritten(routes: readonly Route[], input: unknown): Promise<unknown> {
  const seen: unknown[] = [];
  const echo = tool({
    id: "shell.exec",
    permission: "read",
    roles: shell.roles ?? {},
    run: (args: unknown) => void seen.push(args),
  });
  const { gate } = await paperGate({ tools: [echo], routes, policies: approve });
  const outcome = await gate.dispatch({ tool: "shell.exec", input: inputOf(input) });
  return outcome.ok ? seen[0] : outcome.error.code;
}

async function expectDecided(expected: string, ...call: Parameters<typeof decidedBy>): Promise<void> {
  expect(await decidedBy(...call)).toBe(expected);
}

async function expectRewritten(expected: unknown, ...call: Parameters<typeof rewritten>): Promise<void> {
  expect(await rewritten(...call)).toEqual(expected);
}

const block = (name: string, more: Partial<Route> = {}): Route => ({
  name,
  tool: "Bash",
  pattern: "push",
  message: `Not ${name}.`,
  ...more,
});

describe("the order of routes", () => {
  it("goes from admin over plugin, user and project to shipped, however they are given", async () => {
    const routes = [...routeTiers]
      .reverse()
      .map((tier, index) => block(tier, { tier, pattern: `push|${index}` }));
    for (const tier of routeTiers) {
      const from = routes.filter(
        (route) => routeTiers.indexOf(route.tier ?? "user") >= routeTiers.indexOf(tier),
      );
      await expectDecided(tier, from, "git push");
    }
  });

  it("within a tier is that of writing: the first match wins", async () => {
    const routes = [block("first", { pattern: "git" }), block("second", { pattern: "push" })];
    await expectDecided("first", routes, "git push");
    await expectDecided("second", [...routes].reverse(), "git push");
  });
});

describe("an allow", () => {
  const allow: Route = { name: "allow", tool: "Bash", pattern: "--dry-run", action: "allow" };

  it.each(["admin", "user", "project"] as const)("of tier %s also lifts shipped routes", async (tier) => {
    const routes = [{ ...allow, tier }, block("shipped", { tier: "shipped" })];
    await expectDecided("ran", routes, "git push --dry-run");
    await expectDecided("shipped", routes, "git push");
  });

  it("of a plugin lifts no shipped route, also after one of the user that does not match", async () => {
    const routes = [
      { ...allow, tier: "plugin" as const },
      { ...allow, name: "other", pattern: "--quiet", tier: "user" as const },
      block("shipped", { tier: "shipped" }),
    ];
    await expectDecided("shipped", routes, "git push --dry-run");
    await expectDecided("ran", routes, "git push --dry-run --quiet");
  });

  it("ends its own tier", async () => {
    await expectDecided("ran", [allow, block("later")], "git push --dry-run");
    await expectDecided("earlier", [block("earlier"), allow], "git push --dry-run");
  });

  it.each(["plugin", "user", "project"] as const)("of tier %s never lifts an admin's block", async (tier) => {
    await expectDecided(
      "admin",
      [{ ...allow, tier }, block("admin", { tier: "admin" })],
      "git push --dry-run",
    );
  });

  it("of the admin does not lift a block of a later tier", async () => {
    await expectDecided(
      "project",
      [{ ...allow, tier: "admin" }, block("project", { tier: "project" })],
      "git push --dry-run",
    );
  });

  it("approves nothing", async () => {
    expect(
      await endOf(
        { tools: [shell], routes: [allow] },
        { tool: "shell.exec", input: { command: "git push --dry-run" } },
      ),
    ).toBe("no_approver");
  });
});

describe("two routes in each other's way", () => {
  const a = { file: "a.yaml", line: 3 };
  const b = { file: "b.yaml", line: 7 };

  it("of one name are an error that names both places", async () => {
    const routes = [block("same", { source: a, pattern: "x" }), block("same", { source: b, pattern: "y" })];
    await expect(paperGate({ routes })).rejects.toThrow(
      /b\.yaml:7: route "same": the name is also used in a\.yaml:3/,
    );
  });

  it("of one tool and pattern are an error that names both places", async () => {
    const routes = [block("one", { source: a }), block("two", { source: b })];
    await expect(paperGate({ routes })).rejects.toThrow(
      /b\.yaml:7: route "two": has the very same tool and pattern as route "one" in a\.yaml:3/,
    );
  });

  it("may overlap, differ in field or in flags", async () => {
    const routes = [
      block("one"),
      block("two", { flags: "i" }),
      block("three", { field: "cwd" }),
      block("four", { tool: ["Bash", "Read"] }),
    ];
    await expect(paperGate({ routes })).resolves.toBeDefined();
  });

  it("are none where the other is shipped: that one steps aside", async () => {
    const mine: Route = { name: "mine", tool: "Bash", pattern: "push", action: "allow" };
    await expectDecided("ran", [block("shipped", { tier: "shipped" }), mine], "git push");
    await expectDecided("ran", [block("mine", { tier: "shipped", pattern: "pus" }), mine], "git push");
  });

  it.each([
    [block("r", { message: "" }), /needs a message that says what to do instead/],
    [block("r", { action: "explode" as never }), /action must be block, allow or rewrite, not "explode"/],
    [block("r", { action: "rewrite" }), /rewrite names no field/],
    [block("r", { pattern: "(" }), /route "r": .*Unterminated group/],
    [block("r", { flags: "zz" }), /route "r": .*the flag "z" is not accepted/],
  ])("%j is refused with a reason", async (route, message) => {
    await expect(paperGate({ routes: [route] })).rejects.toThrow(message);
  });
});

describe("what a route looks at", () => {
  it.each([
    ["the command", { command: "git push" }],
    ["cmd", { cmd: "git push" }],
    ["a command given as words", { command: ["git", "push"] }],
    ["any of many commands", { commands: ["ls", "git push"] }],
  ])("is by default %s of a shell", async (_, input) => {
    await expectDecided("r", [block("r")], input);
  });

  it("is by default the URL of a fetch, and the path of what has neither", async () => {
    await expectDecided(
      "r",
      [block("r", { tool: "WebFetch", pattern: "github" })],
      { url: "https://github.com/a" },
      "web.fetch",
    );
    await expectDecided(
      "r",
      [block("r", { tool: "x.run", pattern: "\\.lock$" })],
      { file_path: "package.lock" },
      "x.run",
    );
  });

  it("is a stated field, found by its role where the tool calls it otherwise", async () => {
    await expectDecided("r", [block("r", { field: "command" })], { cmd: "git push" });
    await expectDecided(
      "r",
      [block("r", { tool: "x.run", field: "path", pattern: "secret" })],
      { file_path: "secret" },
      "x.run",
    );
    await expectDecided(
      "r",
      [block("r", { tool: "x.run", field: "options.force", pattern: "true" })],
      { options: { force: true } },
      "x.run",
    );
    await expectDecided("ran", [block("r", { tool: "x.run", field: "q" })], { other: "push" }, "x.run");
  });

  it("keeps full JavaScript patterns: look-ahead, look-behind, flags", async () => {
    const noForce = block("r", { pattern: "git push(?=.*--force)(?!.*--force-with-lease)" });
    await expectDecided("r", [noForce], "git push --force");
    await expectDecided("ran", [noForce], "git push --force-with-lease");
    await expectDecided("r", [block("r", { pattern: "(?<=git )PUSH", flags: "i" })], "git push");
  });

  it("gives the same answer each time with the flag g", async () => {
    const { gate } = await paperGate({
      tools: [tool()],
      routes: [block("r", { tool: "*", field: "q", flags: "g" })],
    });
    for (let index = 0; index < 3; index++)
      expect(codeOf(await gate.dispatch({ tool: "x.run", input: { q: "push" } }))).toBe("route_blocked");
  });
});

describe("the tool a route names", () => {
  const names =
    "Bash bash shell.exec shell_exec execute_command run_shell_command exec_command my_shell".split(" ");

  it("is the same tool under every name it has", async () => {
    for (const ruleName of names) {
      const { gate } = await paperGate({
        tools: [{ ...shell, aliases: ["my_shell", "Bash"] }],
        routes: [block("r", { tool: ruleName })],
      });
      for (const called of ["Bash", "shell.exec", "shell_exec", "my_shell"]) {
        expect(codeOf(await gate.dispatch({ tool: called, input: { command: "git push" } }))).toBe(
          "route_blocked",
        );
      }
    }
  });

  it("is the same tool when another agent runs it under any of its names", async () => {
    for (const ruleName of names.slice(0, -1)) {
      const { gate } = await paperGate({ routes: [block("r", { tool: ruleName })] });
      for (const called of names.slice(0, -1)) {
        expect((await gate.check({ tool: called, input: { command: "git push" } })).verdict).toBe("deny");
      }
    }
  });

  it("may be a list or a pattern", async () => {
    await expectDecided("r", [block("r", { tool: ["Read", "shell.*"] })], "git push");
    await expectDecided("r", [block("r", { tool: "*" })], "git push");
    await expectDecided("ran", [block("r", { tool: "Read" })], "git push");
  });
});

describe("a rewrite", () => {
  const rewrite = (
    pattern: string,
    to: string | Record<string, string>,
    more: Partial<Route> = {},
  ): Route => ({
    name: "r",
    tool: "Bash",
    pattern,
    action: "rewrite",
    rewrite: typeof to === "string" ? { command: to } : to,
    ...more,
  });

  const chased = (to: string) => [rewrite("^a$", "b"), rewrite("^b$", to, { name: "s" })];

  it.for<[string, Route[], unknown, unknown]>([
    [
      "fills groups into its template",
      [rewrite("^npm (\\w+) ?(.*)$", "pnpm $1 $2 # was: $& costs $$1")],
      "npm ci",
      "pnpm ci  # was: npm ci costs $1",
    ],
    ["fills nothing for a group that took no part", [rewrite("^a(b)?c$", "ls $1.")], "ac", "ls ."],
    ["never fills a template from the input", [rewrite("^cat (.*)$", "echo $1")], "cat $1$&", "echo $1$&"],
    [
      "changes the field that the tool has in that role, and keeps the others",
      [rewrite("^npm", "ls")],
      { cmd: "npm", timeout: 5 },
      { cmd: "ls", timeout: 5 },
    ],
    ["may add a field", [rewrite("^ls$", { note: "seen" })], "ls", { command: "ls", note: "seen" }],
    ["that changes nothing lets the call pass", [rewrite("^ls", "ls")], "ls", "ls"],
    ["is routed again, so that another changes the new input", chased("ls"), "a", "ls"],
  ])("%s", ([, routes, input, expected]) => expectRewritten(inputOf(expected), routes, input));

  it.for<[string, Route[], unknown, string]>([
    [
      "is routed again, so that a block sees the new input",
      [rewrite("^a$", "git push"), block("b")],
      "a",
      "route_blocked",
    ],
    ["that chases another ends as a loop", chased("a"), "a", "rewrite_loop"],
    [
      "that cannot be made refuses the call",
      [rewrite("ls", "ls")],
      { command: ["npm", "ls"] },
      "route_undecided",
    ],
  ])("%s", ([, routes, input, code]) => expectRewritten(code, routes, input));

  it("of what lies deeper in the input stops the call, for no field could take it", async () => {
    const route = rewrite("^npm", "ls", { tool: "*" });
    const { gate } = await paperGate({ tools: [tool({ id: "up.run" })], routes: [route], policies: approve });
    for (const input of [{ step: { command: "npm ci" } }, { command: "ls", step: { command: "npm ci" } }])
      expect(codeOf(await gate.dispatch({ tool: "up.run", input }))).toBe("route_undecided");
  });

  it("cannot reach a prototype", async () => {
    const got = await rewritten([rewrite("^ls$", { __proto__x: "1", constructor: "2" })], { command: "ls" });
    expect(Object.getPrototypeOf(got)).toBe(Object.prototype);
    expect(got).toEqual({ command: "ls", __proto__x: "1", constructor: "2" });
  });
});
