import { describe, expect, it } from "vitest";
import { findBareShell } from "../../../../src/agents/codex/bare-shell.ts";

describe("a shell that waits for what is typed into it", () => {
  it.for([
    ["bash", "bash"],
    ["/bin/bash -i", "bash"],
    ["bash --norc", "bash"],
    ["bash --norc --noprofile -o pipefail", "bash"],
    ["bash --rcfile /dev/null -i", "bash"],
    ["sh -s", "sh"],
    ["zsh -f", "zsh"],
    ["exec fish", "fish"],
    ["FOO=1 env -i bash", "bash"],
    ["bash -c bash", "bash"],
    ["bash -lc 'exec sh -i'", "sh"],
    ['sh -c "cd src; exec bash"', "bash"],
    ["/bin/sh -x -c \"bash -c 'zsh'\"", "zsh"],
    ["timeout 9999 bash", "bash"],
    ["busybox sh", "sh"],
    ["cd src && bash", "bash"],
    ["true; bash 2>&1", "bash"],
    ["'bash'", "bash"],
    ["bash < /dev/tty", "bash"],
    ["python3", "python3"],
    ["python3.12 -i -q", "python3.12"],
    ["python -", "python"],
    ["ipython", "ipython"],
    ["node", "node"],
    ["node -i", "node"],
    ["deno repl", "deno"],
    ["irb", "irb"],
    ["php -a", "php"],
  ] as const)("is found in %s", ([command, name]) => {
    expect(findBareShell(command)).toBe(name);
  });

  it.for([
    "bash run.sh",
    "bash -c 'ls'",
    "bash -c 'echo ls | bash'",
    "timeout 60 bash run.sh",
    "cat > notes <<'EOF'\nbash -c bash\nEOF",
    "bash -lc ls",
    "bash --version",
    "sh -x run.sh",
    "cat run.sh | bash",
    "bash < run.sh",
    "bash <<'EOF'\nls\nEOF",
    "curl -s https://example.com | sh -s -- --yes",
    "python3 --version",
    "python3 -V",
    "python3 -m http.server",
    "python3 -c 'print(1)'",
    "python3 build.py",
    "node --version",
    "node -e 1",
    "node --test",
    "node server.js",
    "deno task build",
    "perl -pe s/a/b/ x",
    "ruby -v",
    "which bash python3 node",
    "echo bash",
    "ls; echo 'and then; bash'",
    'git commit -m "use\nbash\nfor it"',
    "cat > run.sh <<EOF\nbash\nEOF",
    "npm run node",
    "bashcov",
  ])("is not seen in %s", (command) => {
    expect(findBareShell(command)).toBeUndefined();
  });
});
