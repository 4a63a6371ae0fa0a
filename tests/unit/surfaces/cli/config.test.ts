import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CliWorld, createCliWorld, goodFile } from "./cli-world.ts";

let world: CliWorld;
beforeEach(() => {
  world = createCliWorld();
});
afterEach(() => world.close());

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
    const shown = await world.run(["config", "show", "--config", file]);
    expect(shown.code).toBe(0);
    expect(shown.out).toContain("# from: rich.yaml\nhooks:\n  default: ask\n");
    expect(shown.out).toContain("  # from: rich.yaml:2\n  no-force-push:\n    tool: Bash\n");
    world.file("copy.yaml", shown.out);
    expect(await world.run(["config", "validate", "copy.yaml"])).toMatchObject({
      code: 0,
      out: "1 file is fine\n",
    });
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
    const before = await world.run(["config", "show"]);
    expect(before.out).toMatch(
      /# {3}project {5}toolgate\.yaml \(not trusted: can only make the gate stricter; 1 route, 1 limit\)/,
    );
    expect(before.out).not.toContain("ask-prod");
    expect(before.out).not.toContain("enabled_categories");
    expect(before.err).toContain('policy "ask-prod": it approves calls');
    await world.run(["trust", "--yes"]);
    const after = await world.run(["config", "show"]);
    expect(after.out).toMatch(/# {3}project {5}toolgate\.yaml \(trusted; 1 route, 1 policy, 1 limit\)/);
    expect(after.out).toContain(
      "# from: toolgate.yaml\ntools:\n  enabled_categories:\n    - web\n  ceilings:\n    code: execute\n",
    );
    expect(after.out).toContain(
      "web:\n  search:\n    url: https://s.example/search\n    format: brave\n    key_env: KEY\n",
    );
  });

  it("shows settings that nobody set as defaults", async () => {
    const file = world.file("a.yaml", goodFile);
    const { out } = await world.run(["config", "show", "--config", file]);
    expect(out).toContain("# default\nhooks:\n  default: abstain\n");
  });

  it("prints JSON", async () => {
    world.file("toolgate.yaml", rich);
    const { code, out } = await world.run(["config", "show", "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      projectDir: world.root,
      settings: { checkDefault: "ask" },
      sources: [{ origin: "project", trusted: false }, { origin: "shipped" }],
      policies: [{ name: "ask-prod" }],
      ignored: [{ what: "tools" }, { what: "web" }],
    });
  });

  it("shows nothing that cannot be used", async () => {
    world.file("toolgate.yaml", "hooks: {default: maybe}\n");
    const { code, out, err } = await world.run(["config", "show"]);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(/toolgate\.yaml:1:\d+: /);
  });
});

describe("toolgate config validate", () => {
  it("counts the files that hold here when all are fine", async () => {
    world.file("toolgate.yaml", rich);
    expect(await world.run(["config", "validate"])).toMatchObject({ code: 0, out: "2 files are fine\n" });
  });

  it("names file, line and column of every problem in every given file", async () => {
    world.file("good.yaml", rich);
    world.file("bad.yaml", "routes:\n  a:\n    tool: Bash\n    patern: x\n    message: m\n");
    world.file("worse.yaml", "a: [");
    const { code, out, err } = await world.run([
      "config",
      "validate",
      "good.yaml",
      "bad.yaml",
      "worse.yaml",
      "no.yaml",
    ]);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(/^bad\.yaml:4:5: .*patern.*pattern/m);
    expect(err).toMatch(/^worse\.yaml:\d+:\d+: /m);
    expect(err).toMatch(/^no\.yaml: There is no such file\.$/m);
    expect(err).not.toContain("good.yaml");
  });

  it.each([
    ["a pattern", "routes:\n  a: {tool: Bash, pattern: '(', message: m}\n", "Unterminated group"],
    ["a word", "policies:\n  a: {tools: Bash, action: dney}\n", '"dney"'],
    ["text that is no YAML", "policies: {a: [\n", ""],
  ])("says how to read more about %s in a file that nobody vouches for", async (_what, text, detail) => {
    world.file("toolgate.yaml", text);
    const where = /^More about it: toolgate config validate toolgate\.yaml\n$/m;
    for (const command of [["config", "validate"], ["list"]])
      expect(await world.run(command)).toMatchObject({ code: 1, err: expect.stringMatching(where) });
    const { err } = await world.run(["config", "validate", "toolgate.yaml"]);
    expect(err).toContain(detail);
    expect(err).not.toMatch(where);
    expect((await world.run(["list", "--config", "toolgate.yaml"])).err).not.toMatch(where);
  });

  it("finds what only compiling finds", async () => {
    world.file("a.yaml", "routes:\n  a: {tool: Bash, pattern: '(', message: m}\n");
    const { code, err } = await world.run(["config", "validate", "a.yaml"]);
    expect(code).toBe(1);
    expect(err).toMatch(/^a\.yaml:2(:\d+)?: /m);
  });

  it("takes only routes in a file that is called tool-routes", async () => {
    world.file("hooks/tool-routes.yaml", rich);
    const { code, err } = await world.run(["config", "validate", "hooks/tool-routes.yaml"]);
    expect(code).toBe(1);
    expect(err).toMatch(/^hooks\/tool-routes\.yaml:\d+:\d+: /m);
  });

  it("prints JSON", async () => {
    world.file("bad.yaml", "routes: 7\n");
    const { code, out } = await world.run(["config", "validate", "--json", "bad.yaml"]);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
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
    const { code, out } = await world.run(["config", "path", "--json"], { env: { TOOLGATE_ROUTES: routes } });
    expect(code).toBe(0);
    const { files, trust } = JSON.parse(out) as {
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
    const { out } = await world.run(["config", "path"]);
    expect(out).toMatch(
      /^ {2}project {5}\S+toolgate\.yaml +found \(not trusted: can only make the gate stricter\)$/m,
    );
    expect(out).toMatch(/^ {2}user {8}\S+config\.yaml +not there$/m);
  });

  it("names only the given file with --config, and works with a broken one", async () => {
    world.file("bad.yaml", "routes: [");
    const { code, out } = await world.run(["config", "path", "--config", "bad.yaml", "--json"]);
    expect(code).toBe(0);
    expect((JSON.parse(out) as { files: unknown }).files).toEqual([
      { origin: "option", file: join(world.root, "bad.yaml"), found: true },
    ]);
  });
});

describe("rules that can never match", () => {
  const text = "routes:\n  a: {tool: Bahs, pattern: '\\Agit', message: m, field: command}\n";

  it("are told by validate, which still finds nothing wrong, and by list", async () => {
    const file = world.file("mine.yaml", text);
    const { code, err } = await world.run(["config", "validate", file]);
    expect(code).toBe(0);
    expect(err).toContain(
      'warning: mine.yaml:2:3: route "a": nobody has a tool named "Bahs"; did you mean Bash?',
    );
    expect(err).toContain(
      'warning: mine.yaml:2:3: route "a": JavaScript takes \\A for the letter A. Write ^',
    );
    const listed = await world.run(["list", "--config", file]);
    expect(listed.err).toContain("did you mean Bash?");
    const json = await world.run(["config", "validate", "--json", file]);
    expect(JSON.parse(json.out)).toMatchObject({ ok: true, warnings: [{ line: 2 }, { line: 2 }] });
  });

  it("are told of a project's file without its words", async () => {
    world.file("toolgate.yaml", text);
    const { err } = await world.run(["config", "validate"]);
    expect(err).toContain('route "a": names a tool that nobody has; did you mean Bash?');
    expect(err).not.toContain("Bahs");
  });
});
