import { describe, expect, it } from "vitest";
import { parseConfigFile } from "../../../../src/config/file/parse-file.ts";
import { createGate } from "../../../../src/gate/create-gate.ts";
import { parsePlugin } from "../../../../src/sources/plugins/parse-plugin.ts";

function read(text: string) {
  const parsed = parseConfigFile(text, "c.yaml", "config");
  if (!parsed.ok) return parsed.problems.map(({ message }) => message);
  const { limits, hooks, settings } = parsed.file;
  const plain = <Rule extends object>({ source: _, ...rule }: Rule & { source?: unknown }) => rule;
  return { limits: limits.map(plain), hooks: hooks.map(plain), settings };
}

describe("a time in a configuration file", () => {
  it("is a duration, or a number in the unit of its key", () => {
    const written = (window: string, timeout: string, keep: string, drain: string, idle: string) =>
      `limits: { l: { max: 1, windowMs: ${window} } }
hooks: { commands: { h: { type: PreToolUse, command: x, timeoutMs: ${timeout} } } }
ledger: { keep_days: ${keep} }
server: { drain_ms: ${drain}, limits: { idle_stranger_ms: ${idle} } }
upstreams: { u: { command: x, timeout_ms: ${timeout}, start_timeout_ms: ${idle} } }
`;
    const numbers = read(written("60000", "1500", "30", "0", "5000"));
    expect(numbers).toMatchObject({
      limits: [{ windowMs: 60_000 }],
      hooks: [{ timeoutMs: 1_500 }],
      settings: {
        ledger: { keepDays: 30 },
        server: { drainMs: 0, limits: { idleStrangerMs: 5_000 } },
        upstreams: [{ timeoutMs: 1_500, startTimeoutMs: 5_000 }],
      },
    });
    const durations = read(written("1m", "1.5s", "30d", "0s", "5s"));
    const withoutPlace = (value: unknown) =>
      JSON.parse(JSON.stringify(value).replaceAll(/"column":\d+/g, '"column":0'));
    expect(withoutPlace(durations)).toEqual(withoutPlace(numbers));
    expect(read("ledger: { keep_days: 2w }")).toMatchObject({ settings: { ledger: { keepDays: 14 } } });
  });

  it.each([
    ["60sec", 'windowMs: "60sec" is not a duration; write it as 500ms, 90s, 5m, 1h or 30d'],
    ["'60000'", "or as a whole number without quotes."],
    ["-5m", "is not a duration"],
    ["0s", 'windowMs: must be 1ms or more, not "0s".'],
    ["9999999d", "is not a duration"],
    ["0", "windowMs: must be 1 or more, not 0."],
    ["1.5", "expected a duration or a whole number, received the number 1.5."],
    ["true", "expected a duration or a whole number, received true."],
    ["[1m]", "expected a duration or a whole number, received a list."],
  ])("is refused: %s", (time, message) => {
    const [problem = "", ...more] = read(`limits: { l: { max: 1, windowMs: ${time} } }`) as string[];
    expect([problem, more]).toEqual([expect.stringContaining(message), []]);
    expect(problem).toMatch(/^limits\.l\.windowMs: /);
  });

  it("is refused where it is less than the unit of its key", () => {
    expect(read("ledger: { keep_days: 12h }")).toEqual(['ledger.keep_days: must be 1d or more, not "12h".']);
  });

  it("of a stranger is refused without a word of it", () => {
    const text = "limits: { l: { max: 1, windowMs: secret } }";
    const parsed = parseConfigFile(text, "c.yaml", "config", { discreet: true });
    const message = expect.not.stringContaining("secret");
    expect(parsed).toMatchObject({ ok: false, problems: [{ message }] });
  });
});

describe("a time in a plugin file", () => {
  const plugin = (timeout: unknown, timeoutMs: unknown) => {
    const handler = { type: "shell", command: "true", timeout };
    const tool = { name: "t", description: "d", inputSchema: { type: "object" }, handler, timeoutMs };
    return parsePlugin(JSON.stringify({ name: "p", tools: [tool] }), "p.json");
  };

  it("is a duration or milliseconds", () => {
    const [tool] = plugin("90s", "2m").tools;
    expect(tool?.definition).toMatchObject({ timeoutMs: 120_000, handler: { timeout: 90_000 } });
    expect(plugin(500, undefined).tools[0]?.definition).toMatchObject({ handler: { timeout: 500 } });
  });

  it("is refused where it is neither", () => {
    expect(plugin("soon", 0).errors.map(({ field, message }) => `${field}: ${message}`)).toEqual([
      expect.stringMatching(/^handler\.timeout: "soon" is not a duration; /),
      "timeoutMs: must be 1 or more, not 0.",
    ]);
  });
});

describe("a time in code", () => {
  it("is a number: text is refused", async () => {
    const limits = [{ name: "l", max: 1, windowMs: "1m" as never }];
    await expect(createGate({ limits })).rejects.toThrow('windowMs must be a whole number, not "1m".');
  });
});
