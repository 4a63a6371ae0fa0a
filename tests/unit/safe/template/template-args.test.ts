// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is shell text
import { describe, expect, it } from "vitest";
import { compileTemplate, type TemplateProperties } from "../../../../src/safe/template/template-args.ts";

const properties: TemplateProperties = {
  pattern: { required: true },
  directory: { required: false },
  depth: { required: false, default: 3 },
  flag: { required: false, allowDash: true },
};

const both = { pattern: "P", directory: "D" };
function script(template: string, values: Record<string, unknown> = both): string {
  const bound = bind(template, values);
  if (!bound.ok) throw new Error(bound.message);
  return bound.args[1]!;
}

function bind(template: string, values: Record<string, unknown>, schema = properties) {
  const compiled = compileTemplate(template, schema);
  if (!compiled.ok) throw new Error(compiled.errors.join("\n"));
  return compiled.bind(values);
}

function errors(template: string, schema = properties): string {
  const compiled = compileTemplate(template, schema);
  return compiled.ok ? "" : compiled.errors.join("\n");
}

describe("the script of a template", () => {
  it("is the author's text with positional parameters in every kind of quotes", () => {
    for (const [template, expected] of [
      ["grep -rn '{{pattern}}' {{directory}} || true", `grep -rn ''"\${1}"'' "\${2}" || true`],
      ['echo "a {{pattern}} b"', 'echo "a ${1} b"'],
      ["echo --x={{pattern}} p{{pattern}}{{directory}}'po st'", `echo --x="\${1}" p"\${1}""\${2}"'po st'`],
      ["echo '{{pattern}} and {{directory}}'", `echo ''"\${1}"' and '"\${2}"''`],
    ] as const)
      expect(script(template)).toBe(expected);
  });

  it("gets the values as arguments of sh, each name once", () => {
    expect(bind("echo {{directory}} {{pattern}} {{directory}}", { pattern: "a", directory: "b" })).toEqual({
      ok: true,
      command: "sh",
      args: ["-c", 'echo "${1}" "${2}" "${1}"', "toolgate", "b", "a"],
      line: "echo 'b' 'a' 'b'",
      warnings: [],
    });
  });

  it("may use spaces inside the braces and any operator outside", () => {
    const line = script("cd {{ directory }} && ls | sort > out.txt 2>&1; true");
    expect(line).toBe('cd "${1}" && ls | sort > out.txt 2>&1; true');
  });

  it("without placeholders is left alone", () => {
    const line = "eval \"$X\" && [[ a == b ]] && awk '{print $1}'";
    expect(script(line)).toBe(line);
  });
});

describe("values", () => {
  it("are text, numbers and true or false", () => {
    expect(bind("echo {{pattern}} {{depth}}", { pattern: true, depth: 1.5 })).toMatchObject({
      args: ["-c", expect.any(String), "toolgate", "true", "1.5"],
    });
    for (const value of [{}, ["a"], Number.NaN, Number.POSITIVE_INFINITY, () => {}, Symbol("a")]) {
      expect(bind("echo {{pattern}}", { pattern: value })).toMatchObject({ ok: false });
    }
  });

  it("with shell metacharacters are passed on with a warning that does not repeat them", () => {
    const bound = bind("echo {{pattern}}", { pattern: "secret; rm $X" });
    expect(bound.ok && bound.warnings).toEqual([expect.stringMatching(/"pattern".*\(; \$\)/)]);
    expect(bound.ok && bound.warnings[0]).not.toContain("secret");
  });

  it("are own properties only", () => {
    const schema = { constructor: { required: false }, toString: { required: true } };
    expect(bind("echo {{constructor}}", {}, schema)).toMatchObject({
      ok: true,
      args: ["-c", "echo ", "toolgate", ""],
    });
    expect(bind("echo {{toString}}", {}, schema)).toMatchObject({
      ok: false,
      message: expect.stringMatching(/required/),
    });
  });
});

describe("a leading dash", () => {
  it("is refused where the value starts its word", () => {
    const words = ["{{pattern}}", "'{{pattern}}'", '"{{pattern}}"', "''{{pattern}}"];
    for (const word of [...words, "-- {{pattern}}", '"$X"{{pattern}}'])
      expect(bind(`ls ${word}`, { pattern: "-rf" })).toMatchObject({
        ok: false,
        message: expect.stringMatching(/starts with "-"/),
      });
    expect(bind("ls {{pattern}}", { pattern: -5 })).toMatchObject({ ok: false });
  });

  it("is refused behind an empty value too", () => {
    const behind = (directory: string) => bind("ls {{directory}}{{pattern}}", { directory, pattern: "-rf" });
    expect([behind("").ok, behind("a").ok]).toEqual([false, true]);
  });

  it("is fine after other text, and where the author allows it", () => {
    for (const line of ["ls --sort={{pattern}}", "ls dir/{{pattern}}", "ls {{flag}}"])
      expect(bind(line, { pattern: "-x", flag: "-la" })).toMatchObject({ ok: true });
  });

  it("leaves only digits to a value that follows a dash", () => {
    expect(bind("head -{{pattern}} f", { pattern: 5 })).toMatchObject({ ok: true });
    expect(bind("head -{{pattern}} f", { pattern: "c5" })).toMatchObject({ ok: false });
    expect(errors("ls --{{pattern}}")).toMatch(/choose the option/);
    expect(errors("ls --col{{pattern}}")).toMatch(/name of an option/);
  });
});

describe("an absent argument", () => {
  it("takes the default of the schema", () => {
    expect(bind("head -n {{depth}} f", {})).toMatchObject({
      args: ["-c", expect.any(String), "toolgate", "3"],
    });
    expect(errors("ls {{x}}", { x: { required: false, default: ["a"] } })).toMatch(/default does not fit/);
  });

  it("takes its word with it at the end of a command", () => {
    expect(script("ls {{directory}} | wc", {})).toBe("ls  | wc");
    expect(script("ls --in={{directory}}", { directory: null })).toBe("ls ");
    expect(script("ls {{directory}} {{flag}} > out", {})).toBe("ls   > out");
    expect(script("ls {{directory}} {{flag}}", { directory: "d" })).toBe('ls "${1}" ');
  });

  it("is invalid input anywhere else", () => {
    expect(bind("cp {{directory}} {{pattern}}", { pattern: "b" })).toMatchObject({
      ok: false,
      message: expect.stringMatching(/"directory" is missing/),
    });
    expect(bind("cp {{directory}} target", {})).toMatchObject({ ok: false });
    expect(bind("cp a {{pattern}}:{{directory}}", { pattern: "b" })).toMatchObject({ ok: false });
    expect(bind("cp a {{pattern}}", {})).toMatchObject({
      ok: false,
      message: expect.stringMatching(/required/),
    });
  });
});

describe("messages at load", () => {
  it("name what is wrong and what to do", () => {
    expect(errors("ls {{nope}}")).toMatch(/\{\{nope\}\} is not a property .*pattern, directory/);
    expect(errors("ls {{pattern")).toMatch(/never closed/);
    expect(errors("ls {{{pattern}}}")).toMatch(/exactly two/);
    expect(errors("ls > {{pattern}}")).toMatch(/target of a redirect/);
    expect(errors("ls 'abc {{pattern}}")).toMatch(/Not valid shell text: unterminated single quote/);
    expect(errors("f() { ls {{pattern}}; }; f")).toMatch(/Functions \(f\(\) \{ ls \{\{pattern\}\}; \}\)/);
    expect(errors(" ")).toMatch(/empty/);
    expect(errors("x".repeat(10_001))).toMatch(/10001 characters/);
    expect(errors("ls \r {{pattern}}")).toMatch(/control characters/);
  });
});

describe("ordinary templates", () => {
  it.each([
    "grep -rn '{{pattern}}' {{directory}} || true",
    "rg --json -e {{pattern}} src",
    "git log --oneline -n {{depth}}",
    "git -C {{directory}} status --porcelain",
    "git show {{pattern}}:README.md",
    "git commit -m {{pattern}}",
    "find {{directory}} -type f -name '*{{pattern}}*' | head -50",
    "find . -name '*.ts' -exec grep -l {{pattern}} {} +",
    "find {{directory}} -name '*.js' -print0 | xargs -0 wc -l",
    "sed -n '1,20p' {{pattern}}",
    "awk -F, '{print $1}' {{pattern}}",
    "awk -v wanted={{pattern}} '$1 == wanted' data.txt",
    "jq --arg name {{pattern}} '.[$name]' {{directory}}",
    "jq -r '.a' {{pattern}}",
    "python3 scripts/run.py {{pattern}}",
    "python3 -m json.tool {{pattern}}",
    "node tools/run.mjs --name={{pattern}}",
    "bash scripts/deploy.sh {{pattern}}",
    "env NODE_ENV=test node run.js {{pattern}}",
    "timeout 10 curl -sS {{pattern}}",
    "timeout {{depth}} curl -sS {{pattern}}",
    "sudo -u www cat {{pattern}}",
    "nice -n 10 tar -czf {{pattern}} src",
    "docker logs --tail {{depth}} {{pattern}}",
    "gh pr view {{pattern}} --json title",
    "npx prettier --check {{pattern}}",
    "cargo test {{pattern}}",
    "test -f {{pattern}} && cat {{pattern}}",
    "if grep -q {{pattern}} f; then echo yes; else echo no; fi",
    'cat {{pattern}} | while read -r line; do echo "$line"; done',
    "(cd {{directory}} && ls) 2>/dev/null",
    "mytool --description={{pattern}}",
    '"$HOME"/bin/tool {{pattern}}',
    "echo $(date) {{pattern}}",
    "sqlite3 {{pattern}} 'select 1'",
  ])("load: %s", (template) => {
    expect(errors(template)).toBe("");
  });
});
