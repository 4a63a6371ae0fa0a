import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { createGate } from "../../../src/gate/create-gate.ts";
import { runRuleTests } from "../../../src/replay/run-rule-tests.ts";
import { mayHangCompile, readPattern } from "../../../src/safe/regex/pattern-syntax.ts";
import { compilePattern } from "../../../src/safe/regex/safe-regex.ts";
import { names, parsedFile } from "./world.ts";

const here = import.meta.dirname;
const shippedFile = resolve(here, "../../../routes/shipped.yaml");

const load = (file: string) => parsedFile(readFileSync(file, "utf8"), file, "routes");

async function failures(file: string): Promise<{ failed: unknown[]; passed: number }> {
  const report = await runRuleTests([{ file, rules: { routes: load(file).routes } }]);
  const failed = report.files.flatMap(({ tests, problem }) => [
    ...tests.filter(({ ok }) => !ok),
    ...(problem ? [problem] : []),
  ]);
  return { failed, passed: report.passed };
}

describe("the shipped routes", () => {
  const { routes } = load(shippedFile);

  it("are the six that are promised, each with a description and tests for both answers", () => {
    expect(names(routes)).toEqual([
      "github-pr",
      "atlassian",
      "buildkite",
      "git-commit-multiline",
      "bash-cat-heredoc",
      "bash-echo-redirect",
    ]);
    for (const { name, description = "", tests = [] } of routes) {
      expect(description.length, name).toBeGreaterThan(20);
      // One line of a terminal, beside the name.
      expect(description.length, name).toBeLessThan(90);
      expect(new Set(tests.map((test) => test.expect)), name).toEqual(new Set(["block", "allow"]));
    }
  });

  it("pass their own tests in a gate", async () => {
    const { failed, passed } = await failures(shippedFile);
    expect(failed).toEqual([]);
    expect(passed).toBeGreaterThan(35);
  });

  it("have patterns that take linear time and need no trial before they are compiled", () => {
    for (const { name, pattern, flags = "" } of routes) {
      const compiled = compilePattern(pattern, flags);
      expect(compiled.ok && compiled.pattern.linear, name).toBe(true);
      const read = readPattern(pattern, flags);
      expect(read.ok && mayHangCompile(read.source, read.shape), name).toBe(false);
    }
  });

  it("decide on a script of a hundred thousand characters", async () => {
    await using gate = await createGate({ routes });
    const line = 'if (count > limit) { echo(name + " > " + other); } // git commit -m a; cat > b\n';
    const command = `python3 - <<'PY'\n${line.repeat(Math.ceil(100_000 / line.length))}PY\n`;
    expect((await gate.check({ tool: "Bash", input: { command } })).verdict).toBe("abstain");
  });
});

/** Beyond the inline tests: the ways in which agents really write these commands. */
const commands: Record<string, { readonly block: readonly string[]; readonly pass: readonly string[] }> = {
  "git-commit-multiline": {
    block: [
      "git commit -m Title -m Body",
      "git commit -am 'a' -m 'b'",
      'git -c user.name="A B" commit -m "a" -m "b"',
      'git --no-pager commit --amend -m "a" --no-verify -m "b"',
      'git commit --message="a" --message "b"',
      'git commit -q -m "a; b" -m "c"',
      `git commit -m "it's" -m 'x "y"'`,
      'git commit \\\n  -m "a" \\\n  -m "b"',
      "git commit -m 'Title\n\nBody'",
      'cd x; git commit -am "a\nb"',
      "GIT_AUTHOR_NAME=x git commit -m a -m b",
      "if true; then git commit -m a -m b; fi",
      'git commit -m"a" -m"b"',
      "(git commit -m a -m b)",
      'git commit -m "a \\" b" -m c',
      'git commit --amend -m "$( cat <<EOF\nx\nEOF\n)" && git push',
      'git commit -m "$(cat <<-EOF\nx\nEOF\n)"',
      'git commit -m "a < b" -m c',
      "git commit --file=- <<-EOF\nx\nEOF",
    ],
    pass: [
      "git commit --amend --no-edit",
      "git commit -m \"$(cat <<'EOF'\nTitle\n\nBody\nEOF\n)\"",
      'git add -A && git commit --amend -m "$(cat <<\'EOF\'\nSay "x -m y" -m\nEOF\n)" && git push',
      'git commit -am "$(cat <<"MSG"\na\nMSG\n)"',
      "git commit -m \"$(cat <<'EOF'\nExplain $(cat <<EOF\nEOF\n)\"",
      "git commit -F - <<'EOF'\nTitle\n\n-m a -m b\nEOF",
      "git commit --file=- <<-\\EOF\nx\nEOF",
      'git commit -m "a"; git tag -m "b" v1',
      'git log --grep="git commit -m a -m b"',
      'echo "git commit -m a -m b"',
      "git tag -a v1 -m a -m b",
      "git commit -unormal -m x",
      'git commit -m "use << here"',
      "git commit -F msg && python3 - <<EOF\nx\nEOF",
      'git commit -m "$(cat msg.txt)"',
      'git commit -F - <<< "one line"',
      'git commit -m "x"\ngit commit -m "y"',
      "git commit-tree -m a -m b",
      `git commit -m 'x' -- "file -m"`,
      "ssh host <<EOF\ngit commit -m a -m b\nEOF",
    ],
  },
  "bash-cat-heredoc": {
    block: [
      "cat <<EOF > file\nx\nEOF",
      "cat >file<<EOF\nx\nEOF",
      'cat <<EOF >"$f"\nx\nEOF',
      'cat > "/opt/my file" <<EOF\nx\nEOF',
      "cat > /tmpfile <<EOF\nEOF",
      "cat > /var/lib/x <<EOF\nEOF",
      "cat > $HOME/tmp/x <<EOF\nEOF",
      "cat > ./tmp/x <<EOF\nEOF",
      "cat > $t <<EOF\nEOF",
      "cd x\ncat > y <<EOF\nz\nEOF",
      "cat <<\\EOF > f\nx\nEOF",
      "cat > ~/.config/x.yml << EOF\nEOF",
      "cat - > f <<EOF\nEOF",
      "cat 1> f <<EOF\nEOF",
      "cat > f.txt <<EOF && ls\nEOF",
      "cat >| f <<EOF\nEOF",
      "cat > devices.txt <<EOF\nEOF",
    ],
    pass: [
      "cat <<EOF\nhello\nEOF",
      'cat > "/tmp/my file" <<EOF\nx\nEOF',
      "cat <<'EOF' >> notes.md\nx\nEOF",
      "cat >>notes.md <<'EOF'\nx\nEOF",
      `cat > "\${TMPDIR:-/tmp}/x" <<EOF\nEOF`,
      "cat > /var/folders/ab/c/T/x <<EOF\nEOF",
      "f=$(mktemp); cat > /private/tmp/x <<EOF\nEOF",
      'cat > "$tmp" <<EOF\nEOF',
      "cat file > copy",
      "psql > out.txt <<EOF\nselect 1\nEOF",
      "cat > /dev/null <<EOF\nx\nEOF",
      "cat <<EOF > /dev/stderr\nx\nEOF",
      "concat > f <<EOF\nEOF",
      'cat <<< "x" > f',
      'echo "cat > f <<EOF"',
      "cat <<EOF | sh > log\nls\nEOF",
      "kubectl apply -f - <<EOF\na: >\n  b\nEOF",
      "cat <<EOF\na > b\nEOF",
      "cat <<EOF 2>err.log | jq .\nEOF",
    ],
  },
  "bash-echo-redirect": {
    block: [
      "echo hi >f",
      'echo "a">f',
      'cd a && echo "x > y" > z',
      "echo $(f 2>/dev/null) > f",
      "echo x &> f",
      "echo 2 > f",
      "true || echo x > f",
      "for i in 1; do echo $i > l; done",
      "echo x >> a; echo y > b",
      "echo x > /tmp/a && echo y > src/b",
      "echo x > /etc/tmp/a",
      "echo x > $f",
      "echo x > $TARGET/f",
      "(echo x > f)",
      "echo x 2>&1 > f",
      "echo > f",
      'echo "multi\nline" > f',
      "X=1 echo x > f",
      "echo a \\> b > c",
      "ls\necho x > f",
      'echo "\\"q\\"" > f',
    ],
    pass: [
      "echo x 1>&2",
      "for i in 1; do echo $i >> l; done",
      "echo x &>> f",
      "echo x > /tmp/a",
      "echo x >/var/tmp/a",
      "echo x > $TMPDIR/a",
      "echo x > $(mktemp)",
      `echo x > "\${tmp}/a"`,
      "printf x > '/tmp/a b'",
      "echo x 2>/dev/null",
      "echo x > /dev/null 2>&1",
      "echo x | tee f",
      "echo x | grep y > f",
      "echo $((3>2))",
      'echo "$(ls > f)"',
      "echo a \\> b",
      "myecho x > f",
      'grep "echo x > f" a',
      "echo x 2> err",
      "echo x > >(cat)",
      "echo '=> done'",
      "cat <<'EOF' | ssh host bash\necho x > f\nEOF",
    ],
  },
};

describe("a shipped route for commands", () => {
  const { routes } = load(shippedFile);
  for (const [name, { block, pass }] of Object.entries(commands)) {
    const route = routes.find((one) => one.name === name);
    const compiled = compilePattern(route?.pattern ?? "", route?.flags);
    if (!compiled.ok) throw new Error(compiled.message);
    it.each(block)(`${name} stops %j`, (command) => {
      expect(compiled.pattern.test(command)).toBe(true);
    });
    it.each(pass)(`${name} lets %j pass`, (command) => {
      expect(compiled.pattern.test(command)).toBe(false);
    });
  }
});

describe("route files as plugins bring them", () => {
  it.each(["look-around.yaml", "heredocs.yaml"])("%s loads and passes its tests", async (name) => {
    const { failed, passed } = await failures(join(here, "fixtures", name));
    expect(failed).toEqual([]);
    expect(passed).toBeGreaterThan(4);
  });
});
