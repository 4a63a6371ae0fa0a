/** What a call, a rule or a file hides in the words of an answer, and what a payload says twice: from a process, from the server, in the bare form. */
import { request } from "node:http";
import { describe, expect, it } from "vitest";
import { hasInvisible } from "../../src/core/text/visible.ts";
import { bash as call, createFastHookWorld } from "../fast-hook-world.ts";
import { bash, createHookWorld, said } from "../unit/surfaces/hook/hook-world.ts";

/** A name and what it hides. */
const hidden: readonly (readonly [string, string])[] = [
  ["an escape that clears the screen", "\u001b[2J\u001b[1;1Hallowed"],
  ["an escape of one byte (CSI as C1)", "\u009b2J"],
  ["a carriage return that overwrites the line", "denied\rallowed"],
  ["a bidi override", "\u202edewolla\u202c"],
  ["a bidi isolate", "\u2067abc\u2069"],
  ["letters of no width", "al\u200blow\u2060ed"],
  ["a text in tag characters", "ok\u{e0069}\u{e0067}\u{e006e}"],
  ["a link that a terminal makes (OSC 8)", "\u001b]8;;https://evil.example\u0007here\u001b]8;;\u0007"],
  ["a line separator", "one\u2028two"],
  ["variation selectors that carry bytes", "a\u{e0100}\u{e0110}"],
  ["a bell, a backspace and a NUL", "x\u0007\b\0y"],
  ["a lone surrogate", "x\ud800y"],
];

function expectShown(texts: readonly unknown[], where: string): void {
  for (const text of texts) {
    expect(typeof text, where).toBe("string");
    expect(hasInvisible(text as string, { keepNewlines: true }), where).toBe(false);
  }
}

/** A rule whose message repeats what the call says. */
const repeating = "routes:\n  repeat: {tool: Bash, pattern: '^no ([^]*)$', message: 'Not: $1'}\n";

describe("what is hidden in a call is visible in the answer", () => {
  it.for(hidden)("%s, in the command that a message repeats", async ([, text]) => {
    const world = createHookWorld();
    world.user(repeating);
    const asked = bash(`no ${text}`);
    const answer = await world.claude(asked);
    expect([answer.exitCode, answer.stderr]).toEqual([2, expect.stringContaining("Not: ")]);
    expectShown([answer.stderr, said(answer).permissionDecisionReason], text);
    const neutral = await world.run(asked);
    expect(neutral.exitCode).toBe(2);
    expectShown([neutral.stderr], text);
  });

  it.for(hidden)("%s, in the name of a tool, an event, a mode or a key", async ([, text]) => {
    const world = createHookWorld();
    world.user("hooks: {default: deny}\n");
    const odd = [
      { tool_name: text, tool_input: {} },
      { tool_name: text, tool_input: 1 },
      { tool_name: "Bash", tool_input: {}, hook_event_name: text },
      `{"${JSON.stringify(text).slice(1, -1)}":1,"${JSON.stringify(text).slice(1, -1)}":2,"tool_name":"Bash","tool_input":{}}`,
      `{"tool_name":"Bash" ${text}`,
    ];
    for (const payload of odd) {
      const answer = await world.claude(payload);
      expect(answer.exitCode, JSON.stringify(payload)).toBe(2);
      expectShown([answer.stderr, said(answer).permissionDecisionReason], JSON.stringify(payload));
      expectShown([(await world.run(payload)).stderr], JSON.stringify(payload));
    }
  });

  it("also where nothing is refused: what the model is shown, and what the person is told", async () => {
    const world = createHookWorld();
    world.user(
      "hooks:\n  commands:\n    note: {type: PreToolUse, toolPatterns: Bash, command: printf 'told \\342\\200\\256 end'}\n",
    );
    // What is ignored of a file that nobody trusts is told with its name.
    const odd = world
      .write(
        `${world.base}/a\u202eb\u001bc/toolgate.yaml`,
        "policies:\n  p: {tools: Bash, action: approve}\n",
      )
      .replace("/toolgate.yaml", "");
    const env = { CLAUDE_PROJECT_DIR: odd };
    const answer = said(await world.claude(bash("tell me"), { env }));
    expectShown([answer.additionalContext, answer.systemMessage], JSON.stringify(answer));
    expect(answer.additionalContext).toContain("\\u{202E} end");
    expect(answer.systemMessage).toContain("a\\u{202E}b\\u{1B}c/toolgate.yaml");
  });

  it("but what runs is handed over as it is, and shown where only a text can hand it over", async () => {
    const world = createHookWorld();
    world.user(
      `routes:\n  r: {tool: Bash, pattern: '^git log$', action: rewrite, rewrite: {command: "git log \\u202e"}}\n`,
    );
    expect(said(await world.claude(bash("git log"))).updatedInput).toEqual({ command: "git log \u202e" });
    expectShown([(await world.run(bash("git log"))).stderr], "neutral");
  });

  it("from the server, by its script and over HTTP", async () => {
    const world = createFastHookWorld();
    world.user(repeating);
    const server = await world.serve();
    for (const [name, text] of hidden.filter(([, one]) => !one.includes("\0"))) {
      const asked = call(`no ${text}`, { cwd: world.project });
      const { code, out, err } = await world.ask(asked);
      expect([code, err, world.fallback()], name).toEqual([2, expect.stringContaining("Not: "), undefined]);
      expectShown([err, JSON.parse(out).hookSpecificOutput.permissionDecisionReason], name);
      const answer = await post(server, JSON.stringify(asked));
      expectShown([JSON.parse(answer.text).hookSpecificOutput.permissionDecisionReason], name);
    }
  });
});

/** Each is a call that is harmless in one reading and forbidden in the other. */
const twice: readonly (readonly [string, string])[] = [
  ["the tool", '{"tool_name":"Read","tool_name":"Bash","tool_input":{"command":"ls"}}'],
  ["the input", '{"tool_name":"Bash","tool_input":{"command":"no"},"tool_input":{"command":"ls"}}'],
  ["a field of the input", '{"tool_name":"Bash","tool_input":{"command":"no","command":"ls"}}'],
  ["a field in other letters", '{"tool_name":"Bash","tool_input":{"command":"no","c\\u006fmmand":"ls"}}'],
  ["a field deep inside", '{"tool_name":"Bash","tool_input":{"command":"ls","a":[{"b":{"c":1,"c":2}}]}}'],
  [
    "the event",
    '{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"no"},"hook_event_name":"PostToolUse"}',
  ],
  ["the folder", '{"cwd":"/","tool_name":"Bash","tool_input":{"command":"ls"},"cwd":"/tmp"}'],
  [
    "the mode",
    '{"permission_mode":"plan","permission_mode":"act","tool_name":"Bash","tool_input":{"command":"ls"}}',
  ],
  [
    "a key that no reader keeps",
    '{"__proto__":1,"__proto__":{},"tool_name":"Bash","tool_input":{"command":"ls"}}',
  ],
  ["the empty key", '{"":1,"":2,"tool_name":"Bash","tool_input":{"command":"ls"}}'],
  ["a key behind a byte order mark", '\ufeff{"a":1,"a":1,"tool_name":"Bash","tool_input":{"command":"ls"}}'],
];

describe("a payload that says something twice", () => {
  const allowed = "policies:\n  fine: {tools: [Bash, Read], action: approve}\n";

  it.for(twice)("is refused by the process, in both forms: %s", async ([, payload]) => {
    const world = createHookWorld();
    world.user(allowed);
    for (const answer of [await world.claude(payload), await world.run(payload)]) {
      expect(answer.exitCode).toBe(2);
      expect(answer.stderr).toContain("appears twice");
    }
  });

  it("is refused on the way through the server, too", async () => {
    const world = createFastHookWorld();
    world.user(allowed);
    const server = await world.serve();
    for (const [name, payload] of twice) {
      // The stand-in for the process denies; what counts is that the server did not say yes.
      expect((await world.ask(payload)).code, name).toBe(2);
      const { status, text } = await post(server, payload);
      expect([status, text.includes("allow")], name).toEqual([400, false]);
    }
  });

  it("is not one that only looks like it", async () => {
    const world = createHookWorld();
    world.user(allowed);
    const once = [
      bash('echo {"a":1,"a":2}'),
      { ...bash("ls"), a: { x: 1 }, b: { x: 1 }, c: [{ x: 1 }, { x: 1 }] },
      '{"tool_name":"Bash","tool_input":{"command":"\\":\\\\\\":"}}',
    ];
    for (const payload of once) expect((await world.claude(payload)).stderr).not.toContain("twice");
  });
});

function post(
  { http, token }: { readonly http: { readonly url: string }; readonly token: string },
  body: string,
): Promise<{ readonly status: number | undefined; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const sent = request(`${http.url}/api/hook/claude-code`, { method: "POST", headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      response.on("end", () => resolve({ status: response.statusCode, text }));
    });
    sent.on("error", reject).end(body);
  });
}
