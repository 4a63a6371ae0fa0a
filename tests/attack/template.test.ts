// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is shell text
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compileTemplate } from "../../src/safe/template/template-args.ts";
import { attackTemplates, type Binder, SHAPES } from "./template-shapes.ts";
import { createTemplateWorld, HOSTILE_VALUES, type TemplateWorld } from "./template-world.ts";

let world: TemplateWorld;
beforeAll(() => {
  world = createTemplateWorld();
});
afterAll(() => world.close());

const properties = { x: { required: true, allowDash: true }, y: { required: true, allowDash: true } };

const real: Binder = (template, values) => {
  const compiled = compileTemplate(template, properties);
  const bound = compiled.ok ? compiled.bind(values) : undefined;
  return bound?.ok ? bound : undefined;
};

describe("values in a template", () => {
  it("arrive unchanged in every kind of place, however hostile", () => {
    // The slow suite takes all of them.
    expect(
      attackTemplates(
        world,
        real,
        HOSTILE_VALUES.filter((_, at) => at % 3 === 0),
      ),
    ).toEqual([]);
  });

  it("mean the same in the line that rules and people read", () => {
    const asLine: Binder = (template, values) => {
      const compiled = compileTemplate(template, properties);
      const bound = compiled.ok ? compiled.bind(values) : undefined;
      return bound?.ok ? { command: "bash", args: ["-c", bound.line] } : undefined;
    };
    expect(
      attackTemplates(
        world,
        asLine,
        HOSTILE_VALUES.filter((value, at) => value.includes("'") || at % 6 === 1),
      ),
    ).toEqual([]);
  });

  it("arrive unchanged whatever they are", () => {
    const value = fc.oneof(
      fc.string({ unit: "binary", maxLength: 40 }),
      fc
        .array(fc.constantFrom(...HOSTILE_VALUES, "-", "--", " "), { maxLength: 4 })
        .map((parts) => parts.join("")),
    );
    const clean = value.filter(
      (text) => !text.includes("\0") && !text.includes("\u0001") && text.isWellFormed(),
    );
    fc.assert(
      fc.property(fc.constantFrom(...SHAPES), clean, clean, ([template, expected], x, y) => {
        const bound = real(template, { x, y })!;
        expect(world.run(bound.command, bound.args)).toEqual([expected(x, y)]);
        expect(world.markers()).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});

/** Where an argument becomes code again, a name of a command, or several arguments. */
const REFUSED = [
  ...[
    "{{x}}",
    "{{x}} a",
    "'{{x}}' a",
    "./{{x}}",
    "bin/{{x}} a",
    "ls | {{x}}",
    "ls && {{x}}",
    "! {{x}}",
    "A=1 {{x}}",
    ">f {{x}}",
    "( {{x}} )",
    "if {{x}}; then ls; fi",
    "while {{x}}; do ls; done",
    "$EMPTY {{x}}",
    "$(cmd) {{x}}",
    '"" {{x}}',
  ],
  ...[
    "ls > {{x}}",
    "ls >> '{{x}}'",
    "cat < {{x}}",
    "ls 2> {{x}}",
    "ls >& {{x}}",
    "cat <<< {{x}}",
    "cat <<E\n{{x}}\nE",
    "cat <<'E'\n{{x}}\nE",
    "cat <<-E\n\t{{x}}\n\tE",
  ],
  ...[
    "A={{x}} ls",
    "A={{x}}",
    "{{x}}=1 ls",
    "export A={{x}}",
    "export {{x}}",
    "readonly A={{x}}",
    "local a={{x}}",
    "env A={{x}} ls",
    "env {{x}}=1 ls",
    "unset {{x}}",
    "read {{x}}",
    "declare {{x}}",
  ],
  ...[
    "echo $(({{x}}))",
    "echo $((1 + {{x}}))",
    "(( {{x}} ))",
    "let {{x}}",
    "echo ${a:-{{x}}}",
    "echo ${{{x}}}",
    "echo ${{x}}",
    'echo "${{x}}"',
    "echo ${a#{{x}}}",
  ],
  ...[
    "echo `ls {{x}}`",
    "echo $(ls {{x}})",
    'echo "$(ls {{x}})"',
    "$(echo {{x}})",
    "diff <(cat {{x}}) f",
    "ls >(cat {{x}})",
  ],
  ...[
    "for f in {{x}}; do ls; done",
    "for {{x}} in a; do ls; done",
    "for f do $f; done; ls {{x}}",
    "case {{x}} in a) ls;; esac",
    "case a in {{x}}) ls;; esac",
    "select f in {{x}}; do ls; done",
    "[[ {{x}} == a ]]",
    "[[ -v {{x}} ]]",
    "[ -v {{x}} ]",
    "test -v {{x}}",
  ],
  ...[
    "f() { ls {{x}}; }; f a",
    "function f { ls {{x}}; }",
    "{{x}}() { ls; }",
    "coproc ls {{x}}",
    "time ls {{x}}",
    "time -o f {{x}}",
  ],
  ...[
    "# {{x}}",
    "ls # {{x}}",
    "ls \\{{x}}",
    'ls "a\\{{x}}"',
    "ls $'{{x}}'",
    'ls $"{{x}}"',
    "ls {a,{{x}}}",
    "ls [{{x}}]",
    "ls @({{x}})",
    "ls &> f {{x}}",
    "ls |& cat {{x}}",
    "a+=b ls {{x}}",
    "a[0]=1 ls {{x}}",
    "exec {fd}>f; ls {{x}}",
  ],
  ...[
    "ls $1 {{x}}",
    'ls "$@" {{x}}',
    "ls $* {{x}}",
    "ls ${1} {{x}}",
    "ls $# {{x}}",
    "ls ${1:-a} {{x}}",
    "ls $_ {{x}}",
    "ls {{x}}; $_",
    'ls {{x}}; sh -c "$1"',
    "ls $(($1)) {{x}}",
    "set -- a; ls {{x}}",
    "shift; ls {{x}}",
    "eval 'ls $1'; ls {{x}}",
    "command eval 'ls $1'; ls {{x}}",
    ". ./f; ls {{x}}",
    "source f {{x}}",
    "trap 'ls $1' EXIT; ls {{x}}",
    "alias ls='ls $1'; ls {{x}}",
    "getopts a b; ls {{x}}",
  ],
  ...[
    "eval {{x}}",
    "eval 'ls {{x}}'",
    "sh -c {{x}}",
    "sh -c 'ls {{x}}'",
    'sh -c "ls {{x}}"',
    "sh -ec 'ls {{x}}'",
    "bash -c 'ls \"$1\"' _ {{x}}",
    "/bin/sh -c {{x}}",
    "\\sh -c {{x}}",
    "s'h' -c {{x}}",
    "bash -lc {{x}}",
    "bash -x {{x}}",
    "bash {{x}}",
    "sh -s {{x}}",
    "zsh -c {{x}}",
    "fish -c {{x}}",
    "dash -o errexit -c {{x}}",
    "bash --rcfile {{x}}",
    "bash --init-file={{x}} -i",
  ],
  ...[
    "env {{x}}",
    "env -i {{x}}",
    "env -S {{x}}",
    "env -S'ls {{x}}'",
    "env --split-string={{x}}",
    "env -u A {{x}}",
    "env -i sh -c {{x}}",
    "sudo {{x}}",
    "sudo -u bob {{x}}",
    "sudo -s {{x}}",
    "sudo -i {{x}}",
    "sudo sh -c {{x}}",
    "doas {{x}}",
    "su -c {{x}}",
    "su bob -c 'ls {{x}}'",
    "xargs {{x}}",
    "xargs -n1 {{x}}",
    "xargs sh -c {{x}}",
    "xargs -I{} sh -c 'ls {{x}} {}'",
    "timeout 5 {{x}}",
    "timeout 5 sh -c {{x}}",
    "timeout -k 1 5 bash -c '{{x}}'",
    "nice {{x}}",
    "nice -n 5 {{x}}",
    "nohup {{x}}",
    "setsid {{x}}",
    "stdbuf -oL {{x}}",
    "exec {{x}}",
    "command {{x}}",
    "builtin {{x}}",
    "busybox {{x}}",
    "busybox sh -c {{x}}",
    "flock f {{x}}",
    "flock f -c {{x}}",
    "ionice -c 3 {{x}}",
    "taskset 1 {{x}}",
    "chroot / {{x}}",
    "unshare -r {{x}}",
    "script -c {{x}}",
    "watch {{x}}",
    "watch ls {{x}}",
    "parallel {{x}}",
    "parallel ls {{x}} ::: a",
    "strace ls {{x}}",
    "nsenter -t 1 {{x}}",
    "systemd-run {{x}}",
    "ssh {{x}}",
    "ssh host {{x}}",
    "ssh host ls {{x}}",
    "ssh -o ProxyCommand={{x}} host",
    "env nice timeout 5 sudo sh -c {{x}}",
  ],
  ...[
    "awk {{x}} f",
    "awk '{print \"{{x}}\"}' f",
    'awk "/{{x}}/" f',
    "awk -f {{x}} f",
    "gawk -e {{x}} f",
    "gawk -i {{x}} 1",
    "gawk -f a.awk -f {{x}}",
    "mawk '/{{x}}/' f",
    "sed {{x}} f",
    "sed 's/{{x}}/b/' f",
    "sed -e {{x}} f",
    "sed -n -e '/{{x}}/p' f",
    "sed --expression={{x}} f",
    "sed -ne {{x}} f",
    "sed -f {{x}} f",
    "sed 1p f -e {{x}}",
    'sed -i "s/a/{{x}}/" f',
    "perl -e {{x}}",
    "perl -e 'print {{x}}'",
    "perl -ne 'print' {{x}}",
    "perl -pe 1 {{x}}",
    "perl -pi -e 's/a/{{x}}/' f",
    "perl {{x}}",
    "perl -M{{x}} a.pl",
    "jq {{x}} f",
    "jq '.{{x}}' f",
    'jq ".[\\"{{x}}\\"]" f',
    "jq -r '.a | {{x}}' f",
    "jq -f {{x}} f",
    "jq -L {{x}} . f",
    "yq '.{{x}}' f",
    "yq eval '.{{x}}' f",
  ],
  ...[
    "python -c {{x}}",
    "python3 -c 'print({{x}})'",
    'python3.12 -c "{{x}}"',
    "python3 -Ic {{x}}",
    "python3 {{x}}",
    "python3 -m {{x}}",
    "python3 -m{{x}}",
    "python3 -{{x}} a.py",
    "java -D{{x}} Main",
    "java -XX:OnOutOfMemoryError={{x}} Main",
    "python3 -m timeit {{x}}",
    "python3 -m pdb {{x}}",
    "python3 -X a {{x}}",
    "node -e {{x}}",
    "node -p '{{x}}'",
    "node --eval={{x}}",
    "node {{x}}",
    "node -r {{x}} a.js",
    "node --import {{x}} a.js",
    "nodejs -e {{x}}",
    "ruby -e {{x}}",
    "ruby {{x}}",
    "php -r {{x}}",
    "php {{x}}",
    "lua -e {{x}}",
    "lua5.4 -e {{x}}",
    "Rscript -e {{x}}",
    "tclsh {{x}}",
    "deno eval {{x}}",
    "deno run {{x}}",
    "bun -e {{x}}",
    "bun run {{x}}",
    "java -jar {{x}}",
    "java -cp {{x}} Main",
    "osascript -e {{x}}",
    "pwsh -c {{x}}",
    "guile -c {{x}}",
    "julia -e {{x}}",
    "elixir -e {{x}}",
    "sqlite3 db {{x}}",
    "sqlite3 db 'select {{x}}'",
    "sqlite3 -cmd {{x}} db",
    "psql -c {{x}}",
    "mysql -e {{x}}",
    "mongosh --eval {{x}}",
    "redis-cli {{x}}",
  ],
  ...[
    "find . -exec {{x}} \\;",
    "find . -exec sh -c {{x}} \\;",
    "find . -exec sh -c 'ls {{x}}' \\;",
    "find . -execdir {{x}} +",
    "find . -ok {{x}} \\;",
    "find . -name a -exec env {{x}} \\;",
    "fd -x {{x}}",
    "fd a --exec {{x}}",
    "fd a --exec={{x}}",
  ],
  ...[
    "git {{x}}",
    "git -c {{x}} log",
    "git -c core.pager={{x}} log",
    "git --exec-path={{x}} log",
    "git log --upload-pack={{x}}",
    "git clone -u {{x}} a b",
    "git fetch --upload-pack {{x}}",
    "git rebase -x {{x}}",
    "git rebase --exec={{x}} a",
    "git config alias.a {{x}}",
    "git bisect run {{x}}",
    "git submodule foreach {{x}}",
    "git filter-branch --tree-filter {{x}}",
    "git difftool --extcmd={{x}}",
    "git grep -O{{x}} a",
    "git grep --open-files-in-pager={{x}} a",
    "git clone --config={{x}} a",
    "tar --checkpoint-action={{x}} -cf a b",
    "tar -cf a --checkpoint-action exec={{x}} b",
    "tar -I {{x}} -cf a b",
    "tar --use-compress-program={{x}} -cf a b",
    "tar --to-command={{x}} -xf a",
    "tar xIf {{x}} a",
    "tar -xIf {{x}} a",
    "rsync -e {{x}} a b",
    "rsync -ave {{x}} a b",
    "rsync --rsh={{x}} a b",
    "scp -S {{x}} a b",
    "scp -o {{x}} a b",
    "curl -K {{x}}",
    "wget --use-askpass={{x}} a",
    "wget -e {{x}} a",
    "sort --compress-program={{x}} f",
    "split --filter={{x}} f",
    "rg --pre {{x}} a",
    "rg --pre={{x}} a",
    "zip -TT {{x}} a b",
    "make {{x}}",
    "make SHELL={{x}}",
    "make -f {{x}}",
    "just {{x}}",
    "npx {{x}}",
    "npx -c {{x}}",
    "npx -y -p {{x}} a",
    "npm {{x}}",
    "npm run {{x}}",
    "npm run a -- {{x}}",
    "npm exec {{x}}",
    "yarn {{x}}",
    "pnpm dlx {{x}}",
    "uv run {{x}}",
    "uvx {{x}}",
    "cargo {{x}}",
    "cargo run {{x}}",
    "go run {{x}}",
    "docker {{x}}",
    "docker run {{x}}",
    "docker run alpine {{x}}",
    "docker exec c sh -c {{x}}",
    "kubectl exec p -- {{x}}",
    "bundle exec {{x}}",
    "poetry run {{x}}",
    "tcpdump -z {{x}}",
    "nmap --script={{x}} a",
    "vim {{x}}",
    "vim -c {{x}} f",
    "less {{x}}",
    "man -P {{x}} a",
    "ed {{x}}",
    "emacs --eval {{x}}",
    "gdb -ex {{x}}",
    "expect -c {{x}}",
    "socat EXEC:{{x}} -",
    "nc -e {{x}} a",
    "crontab {{x}}",
    "at -f {{x}} now",
    "xdg-open {{x}}",
    "mytool --exec {{x}}",
    "mytool --exec={{x}}",
    "mytool --on-error-command={{x}}",
    "mytool --pager={{x}}",
    "gcc -wrapper {{x}} a.c",
    "openssl req -engine {{x}}",
    "pip --editor={{x}} a",
    "convert {{x}} a.png",
    "ansible all -a {{x}}",
    "tmux new {{x}}",
    "m4 {{x}}",
    "bc {{x}}",
    "dc -e {{x}}",
  ],
  ...[
    "echo {{x}} | sh",
    "echo '{{x}}' | bash",
    "printf '%s' {{x}} | sh -s",
    "cat {{x}} | sh",
    "echo {{x}} | sudo sh",
    "echo {{x}} | env bash",
    "echo {{x}} | python3",
    "echo {{x}} | node",
    "echo {{x}} | perl",
    "echo {{x}} | xargs ls",
    "echo {{x}} | xargs sh -c",
    "find {{x}} | xargs -I{} sh -c 'ls {}'",
    "echo {{x}} | tee f | sh",
    "echo {{x}} | cat | (cat | sh)",
    "echo {{x}} | { sh; }",
    "echo {{x}} | while read -r c; do $c; done",
    'echo {{x}} | while read -r c; do sh -c "$c"; done',
    "echo {{x}} | psql",
    "echo {{x}} | sqlite3 db",
    "echo {{x}} | ssh host",
    "echo {{x}} | at now",
    "echo {{x}} | crontab -",
    "echo {{x}} | bc",
    "echo {{x}} | make -f -",
    "echo {{x}} | parallel",
    "echo {{x}} | awk -f -  | sh",
  ],
  ...[
    "ls {{z}}",
    "ls {{}}",
    "ls {{x",
    "ls {{{x}}}",
    "ls {{x}}}",
    "ls {{__proto__}}",
    "ls 'a {{x}}",
    'ls "{{x}}',
    "ls $( {{x}}",
    "ls {{x}} )",
    "if ls {{x}}",
    "ls --{{z}}",
  ],
];

describe("templates in which a value would be run", () => {
  const strict = { x: { required: true } };
  it.each(REFUSED)("are refused at load: %s", (template) => {
    expect(compileTemplate(template, strict).ok).toBe(false);
  });

  it.each([
    "sed 1p {{x}}",
    "git log {{x}}",
    "tar -cf a {{x}}",
    "find {{x}}",
    "find . -- {{x}}",
    "rg a {{x}}",
    "jq . {{x}}",
    "rsync {{x}} b",
  ])("are refused with allowDash, where an option can run commands: %s", (template) => {
    expect(compileTemplate(template, { x: { required: true, allowDash: true } }).ok).toBe(false);
    expect(compileTemplate(template, strict).ok).toBe(true);
  });
});

/** The usual ways to get it wrong. */
const MUTANTS: [string, Binder][] = [
  ["text replaced in the command line", (template, values) => sh(fill(template, (name) => values[name]))],
  [
    "text replaced with quotes around it",
    (template, values) => sh(fill(template, (name) => `'${values[name].replaceAll("'", `'\\''`)}'`)),
  ],
  [
    "text replaced with backslashes before metacharacters",
    (template, values) => sh(fill(template, (name) => values[name].replace(/[^\w/.-]/g, "\\$&"))),
  ],
  [
    "double quotes and escaped double quotes",
    (template, values) => sh(fill(template, (name) => `"${values[name].replace(/["\\$`]/g, "\\$&")}"`)),
  ],
  [
    "positional parameters without quotes",
    (template, values) =>
      sh(
        fill(template, (name) => (name === "x" ? "${1}" : "${2}")),
        values,
      ),
  ],
  [
    "positional parameters always with quotes of our own",
    (template, values) =>
      sh(
        fill(template, (name) => (name === "x" ? '"${1}"' : '"${2}"')),
        values,
      ),
  ],
  [
    "values in the environment, expanded without quotes",
    (template, values) => ({
      command: "env",
      args: [`x=${values.x}`, `y=${values.y}`, "sh", "-c", fill(template, (name) => `$${name}`)],
    }),
  ],
];

function fill(template: string, value: (name: "x" | "y") => string): string {
  return template.replace(/\{\{(x|y)\}\}/g, (_, name: "x" | "y") => value(name));
}

function sh(script: string, values?: { x: string; y: string }) {
  return {
    command: "sh",
    args: ["-c", script, "toolgate", ...(values === undefined ? [] : [values.x, values.y])],
  };
}

it.each(MUTANTS)("the attacks find these mistakes %s", (_, bind) => {
  const failures = attackTemplates(world, bind, HOSTILE_VALUES.slice(0, 12));
  expect(failures.length).toBeGreaterThan(0);
  for (const name of world.markers()) world.run("rm", [name]);
});
