import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { goodFile, useCliWorld } from "./cli-world.ts";
import { expectEnd, refuses, says } from "./expect-end.ts";

const world = useCliWorld();

const rich = `${goodFile}policies:
  ask-prod: {tools: Write, action: ask, priority: 3, conditions: [{type: path, operator: inside, value: prod}]}
limits:
  gentle: {tools: WebFetch, max: 10, windowMs: 60000}
hooks: {default: ask}
tools: {enabled_categories: [web], ceilings: {code: execute}}
web: {search: {url: "https://s.example/search", format: brave, key_env: KEY}}
`;

describe("toolgate config show", () => {
  it("writes the merged configuration as a file that could be used, each part with its origin", async () => {
    const file = world.file("rich.yaml", rich);
    const shown = await says(
      world.run(["config", "show", "--config", file]),
      "# from: rich.yaml\nhooks:\n  default: ask\n",
      "  # from: rich.yaml:2\n  no-force-push:\n    tool: Bash\n",
    );
    world.file("copy.yaml", shown.out);
    expect(await world.run("config validate copy.yaml")).toMatchObject({ code: 0, out: "1 file is fine\n" });
    const [first, second] = await Promise.all(
      ["rich.yaml", "copy.yaml"].map(async (name) => {
        const listed = await world.run(["list", "--config", name]);
        return listed.out.replaceAll(name, "FILE");
      }),
    );
    expect(second).toBe(first);
  });

  it("says of each source whether it is trusted, and what was ignored", async () => {
    world.file("toolgate.yaml", `${rich}  `.replace("action: ask", "action: approve"));
    const { out } = await expectEnd(world.run("config show"), {
      out: /# {3}project {5}toolgate\.yaml \(not trusted: can only make the gate stricter; 1 route, 1 limit\)/,
      err: 'policy "ask-prod": it approves calls',
      never: "enabled_categories",
    });
    expect(out).not.toContain("ask-prod");
    await world.run("trust --yes");
    await says(
      world.run("config show"),
      /# {3}project {5}toolgate\.yaml \(trusted; 1 route, 1 policy, 1 limit\)/,
      "# from: toolgate.yaml\ntools:\n  enabled_categories:\n    - web\n  ceilings:\n    code: execute\n",
      "web:\n  search:\n    url: https://s.example/search\n    format: brave\n    key_env: KEY\n",
    );
  });

  it("shows settings that nobody set as defaults", async () => {
    const file = world.file("a.yaml", goodFile);
    await says(world.run(["config", "show", "--config", file]), "# default\nhooks:\n  default: abstain\n");
  });

  it("prints JSON", async () => {
    world.file("toolgate.yaml", rich);
    expect(await world.json("config show")).toMatchObject({
      projectDir: world.root,
      settings: { checkDefault: "ask" },
      sources: [{ origin: "project", trusted: false }, { origin: "shipped" }],
      policies: [{ name: "ask-prod" }],
      ignored: [{ what: "tools" }, { what: "web" }],
    });
  });

  it("shows nothing that cannot be used", async () => {
    world.file("toolgate.yaml", "hooks: {default: maybe}\n");
    await refuses(world.run("config show"), /toolgate\.yaml:1:\d+: /);
  });
});

describe("toolgate config validate", () => {
  it("counts the files that hold here when all are fine", async () => {
    world.file("toolgate.yaml", rich);
    expect(await world.run("config validate")).toMatchObject({ code: 0, out: "2 files are fine\n" });
  });

  it("names file, line and column of every problem in every given file", async () => {
    world.file("good.yaml", rich);
    world.file("bad.yaml", "routes:\n  a:\n    tool: Bash\n    patern: x\n    message: m\n");
    world.file("worse.yaml", "a: [");
    await expectEnd(world.run("config validate good.yaml bad.yaml worse.yaml no.yaml"), {
      code: 1,
      out: "",
      err: [
        /^bad\.yaml:4:5: .*patern.*pattern/m,
        /^worse\.yaml:\d+:\d+: /m,
        /^no\.yaml: There is no such file\.$/m,
      ],
      never: "good.yaml",
    });
  });

  it.each([
    ["a pattern", "routes:\n  a: {tool: Bash, pattern: '(', message: m}\n", "Unterminated group"],
    ["a word", "policies:\n  a: {tools: Bash, action: dney}\n", '"dney"'],
    ["text that is no YAML", "policies: {a: [\n", "toolgate.yaml:"],
  ])("says how to read more about %s in a file that nobody vouches for", async (_what, text, detail) => {
    world.file("toolgate.yaml", text);
    const where = /^More about it: toolgate config validate toolgate\.yaml\n$/m;
    for (const line of ["config validate", "list"]) await refuses(world.run(line), where);
    await expectEnd(world.run("config validate toolgate.yaml"), { code: 1, err: detail, never: where });
    expect((await world.run("list --config toolgate.yaml")).err).not.toMatch(where);
  });

  it("takes only routes in a file that is called tool-routes", async () => {
    world.file("hooks/tool-routes.yaml", rich);
    await refuses(
      world.run("config validate hooks/tool-routes.yaml"),
      /^hooks\/tool-routes\.yaml:\d+:\d+: /m,
    );
  });

  it("prints JSON", async () => {
    world.file("bad.yaml", "routes: 7\n");
    expect(await world.json("config validate bad.yaml", { code: 1 })).toMatchObject({
      ok: false,
      problems: [{ file: join(world.root, "bad.yaml"), line: 1 }],
    });
  });
});

describe("toolgate config path", () => {
  it("lists every place in order, found or not", async () => {
    world.file("toolgate.yaml", goodFile);
    const routes = world.file(
      "more/routes.yaml",
      goodFile.replace("no-force-push", "b").replace("git push.*", "x"),
    );
    const { files, trust } = (await world.json("config path", { env: { TOOLGATE_ROUTES: routes } })) as {
      files: { origin: string; file: string; found: boolean }[];
      trust: string;
    };
    expect(files.map(({ origin, found }) => `${origin} ${found}`)).toEqual([
      "admin false",
      "environment true",
      "user false",
      "project true",
      "project false",
      "project false",
      "project false",
      "shipped true",
    ]);
    expect(files[2]?.file).toBe(join(world.home, ".config/toolgate/config.yaml"));
    expect(trust).toBe(join(world.home, ".local/state/toolgate/trust.json"));
  });

  it("says it in words, too", async () => {
    world.file("toolgate.yaml", goodFile);
    await says(
      world.run("config path"),
      /^ {2}project {5}\S+toolgate\.yaml +found \(not trusted: can only make the gate stricter\)$/m,
      /^ {2}user {8}\S+config\.yaml +not there$/m,
    );
  });

  it("names only the given file with --config, and works with a broken one", async () => {
    world.file("bad.yaml", "routes: [");
    expect(((await world.json("config path --config bad.yaml")) as { files: unknown }).files).toEqual([
      { origin: "option", file: join(world.root, "bad.yaml"), found: true },
    ]);
  });
});

describe("rules that can never match", () => {
  const text = "routes:\n  a: {tool: Bahs, pattern: '\\Agit', message: m, field: command}\n";

  it("are told by validate, which still finds nothing wrong, and by list", async () => {
    const file = world.file("mine.yaml", text);
    await expectEnd(world.run(["config", "validate", file]), {
      err: [
        'warning: mine.yaml:2:3: route "a": nobody has a tool named "Bahs"; did you mean Bash?',
        'warning: mine.yaml:2:3: route "a": JavaScript takes \\A for the letter A. Write ^',
      ],
    });
    await expectEnd(world.run(["list", "--config", file]), { err: "did you mean Bash?" });
    expect(await world.json(["config", "validate", file])).toMatchObject({
      ok: true,
      warnings: [{ line: 2 }, { line: 2 }],
    });
  });

  it("are told of a project's file without its words", async () => {
    world.file("toolgate.yaml", text);
    await expectEnd(world.run("config validate"), {
      err: 'route "a": names a tool that nobody has; did you mean Bash?',
      never: "Bahs",
    });
  });
});
