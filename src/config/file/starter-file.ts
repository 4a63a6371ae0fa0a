/** The first toolgate.yaml of a new user: a few rules that work, and examples of the rest to switch on. */

/** The examples are commented out unless they are asked for. `where`: what the file's first line says it holds for. */
export function starterFile(
  examples: "commented" | "active" = "commented",
  where: "this project" | "all your projects" = "this project",
): string {
  // No two files may use a name: who has a file for all projects also works in those that have their own.
  const rule = (text: string): string =>
    where === "this project" ? text.replaceAll(/^ {2}([\w-]+):$/gm, "  project-$1:") : text;
  const example = (text: string): string => (examples === "active" ? rule(text) : commentedOut(rule(text)));
  return [
    `${head.replace("this project", where)}policies:\n${rule(forcePush)}`,
    rule(secrets),
    `  # Two ordinary uses of .env ask: priority 1 sets the deny above aside, for these commands and nothing else.\n${rule(uses)}`,
    rule(mounts),
    `  # An agent that changes these rules asks a person first; reading them is free. With deny instead of ask it cannot.\n${rule(rules)}`,
    `  # Ask a person first.\n${example(ask)}`,
    `  # Let it run without a question. In a project it counts once you trust the file: toolgate trust\n${example(approve)}`,
    // The key has to stand in front of its routes, and a key with nothing behind it says nothing.
    `${aboutRoutes}routes:\n  # A rewrite changes the call instead of refusing it. In a project it counts once you trust the file, too.\n${example(rewrite)}`,
    `  # An allow before a block makes an exception from it. In a project it counts once you trust the file, too.\n${example(allow)}`,
    `# Limits count calls.\n${example(limits)}`,
    `# What happens when no rule speaks (abstain: the agent asks as it always does), who is asked, and who decides where a command\n# cannot be read in advance, such as cat $FILE.\n${example(hooks)}`,
  ].join("\n");
}

/** In one column, as an editor does it, so that it can take the marks away again. */
function commentedOut(text: string): string {
  const indent = /^ */.exec(text)?.[0] ?? "";
  return text.replaceAll(new RegExp(`^${indent}(?=.)`, "gm"), `${indent}# `);
}

const head = String.raw`# What AI agents may do in this project, and what they should do instead.
#
#   toolgate test      runs the tests in this file
#   toolgate check     judges one call: toolgate check Bash 'git push -f'
#   toolgate explain   shows which rule decides, step by step
#
# Put patterns into single quotes: 'git\s+push'. In double quotes YAML reads the backslashes itself.
version: 1

# Policies judge what a call would do: each command of a line, each file it touches, each address. A deny is a wall: the
# first one also sees 'git -C . push "--force"', "sudo git push -f" and "bash -c 'git push -f'".
`;

const forcePush = String.raw`  no-force-push:
    tools: Bash
    action: deny
    conditions:
      - type: command
        operator: matches
        value: '^git push( .*)? (--force|--mirror|-[a-zA-Z]*f[a-zA-Z]*|\+\S+)( |$)'
    reason: |
      A forced push can throw away the commits of others.
      Use "git push --force-with-lease", which refuses if somebody else has pushed in the meantime.
    tests:
      - desc: a forced push is refused
        input: { tool_name: Bash, tool_input: { command: git push --force origin main } }
        expect: block
        contains: --force-with-lease
      - desc: so is the short form, anywhere in the line
        input: { tool_name: Bash, tool_input: { command: git add . && git push -uf origin main } }
        expect: block
      - desc: so is every other spelling
        input: { tool_name: Bash, tool_input: { command: bash -c "git -C . push --force" } }
        expect: block
      - desc: a plus before the branch forces, too
        input: { tool_name: Bash, tool_input: { command: git push origin +main } }
        expect: block
      - desc: the careful form passes
        input: { tool_name: Bash, tool_input: { command: git push --force-with-lease origin main } }
        expect: allow
`;

const rewrite = `  short-log:
    tool: Bash
    pattern: '^git log$'
    action: rewrite
    rewrite:
      command: git --no-pager log --oneline -n 20
`;

const allow = String.raw`  wiki-is-fine:
    tool: WebFetch
    pattern: '^https://github\.com/[^/]+/[^/]+/wiki'
    action: allow
  github-by-command:
    tool: WebFetch
    pattern: '^https://github\.com/'
    message: Use the gh command for everything on GitHub but wikis.
    tests:
      - input: { tool_name: WebFetch, tool_input: { url: 'https://github.com/nodejs/node/wiki' } }
        expect: allow
      - input: { tool_name: WebFetch, tool_input: { url: 'https://github.com/nodejs/node/issues' } }
        expect: block
        contains: gh
`;

const aboutRoutes = `# Routes look at the text of a call and send it a better way. The first that matches wins; the model reads its message.
`;

const secrets = String.raw`  secrets-stay-secret:
    tools: '*'
    action: deny
    conditions:
      - type: path
        operator: matches
        value: '(^|/)\.env(\.local|\.production)?$'
    reason: Files with secrets are not for agents. Ask the user for what you need, or read .env.example.
    tests:
      - desc: reading it is refused
        input: { tool_name: Read, tool_input: { file_path: .env } }
        expect: block
        contains: .env.example
      - desc: a command that reads it is refused
        input: { tool_name: Bash, tool_input: { command: grep TOKEN config/.env.local | head -1 } }
        expect: block
      - desc: the example file can be read
        input: { tool_name: Read, tool_input: { file_path: .env.example } }
        expect: allow
`;

const uses = String.raw`  env-file-in-use:
    tools: Bash
    action: ask
    priority: 1
    conditions:
      - type: path
        operator: matches
        value: '(^|/)\.env$'
      - type: command
        operator: matches
        value:
          - '^cp( -n)? ([\w.][\w./-]*/)?\.env\.example ([\w.][\w./-]*/)?\.env$'
          - '^docker run( --rm| -d| -it| -p [\w.:]+| --name [\w.-]+| --env-file[ =]\.env)+ \w[\w./:@-]*( .*)?$'
    reason: This replaces .env by the example, or gives .env to a container, which can show it.
    tests:
      - desc: making a new one asks
        input: { tool_name: Bash, tool_input: { command: cp .env.example .env } }
        expect: ask
      - desc: handing it to a container asks
        input: { tool_name: Bash, tool_input: { command: docker run --rm --env-file .env app } }
        expect: ask
      - desc: a copy of it stays refused
        input: { tool_name: Bash, tool_input: { command: cp .env /tmp/x } }
        expect: block
`;

const mounts = String.raw`  no-mounted-secrets:
    tools: Bash
    action: deny
    conditions:
      - type: command
        operator: matches
        value: '^docker run .*[ =,/]\.env(\.local|\.production)?[:,]'
    reason: Files with secrets are not for agents, and not for what runs in their containers. Ask the user.
    tests:
      - input: { tool_name: Bash, tool_input: { command: 'docker run -v $PWD/.env:/x app' } }
        expect: block
`;

const rules = String.raw`  rules-stay:
    tools: '*'
    action: ask
    conditions:
      - type: path
        operator: matches
        value:
          - '(^|/)toolgate\.yaml$'
          - '(^|/)toolgate\.yml$'
          - '(^|/)\.claude/tool-routes\.yaml$'
          - '(^|/)\.claude/tool-routes\.yml$'
      - type: risk
        operator: greaterThan
        value: read
    reason: A person changes the rules.
    tests:
      - desc: an edit asks
        input: { tool_name: Edit, tool_input: { file_path: toolgate.yaml, old_string: deny, new_string: approve } }
        expect: ask
      - desc: so does a command that changes it
        input: { tool_name: Bash, tool_input: { command: sed -i s/deny/approve/ toolgate.yaml } }
        expect: ask
      - desc: reading it does not
        input: { tool_name: Bash, tool_input: { command: cat toolgate.yaml } }
        expect: allow
`;

const ask = `  ask-before-publishing:
    tools: Bash
    action: ask
    conditions:
      - type: command
        operator: startsWith
        value: [npm publish, terraform apply]
    reason: This leaves the machine.
    tests:
      - input: { tool_name: Bash, tool_input: { command: npm run build && npm publish } }
        expect: ask
`;

const approve = `  tests-may-run:
    tools: Bash
    action: approve
    conditions:
      - type: command
        operator: equals
        value: npm test
    tests:
      - input: { tool_name: Bash, tool_input: { command: npm test } }
        expect: allow
`;

const limits = `limits:
  gentle-fetching:
    tools: WebFetch
    per: session
    max: 30
    windowMs: 1m
`;

const hooks = `hooks:
  default: ask
  ask: agent
  unsure: ask
`;
