import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { readEvents, type SentEvent } from "../src/api/read-events.ts";
import { createLiveRows } from "../src/live/live-rows.ts";
import { toYaml } from "../src/rules/to-yaml.ts";

beforeAll(() => {
  vi.stubGlobal("requestAnimationFrame", (draw: () => void) => setTimeout(draw, 0));
});
afterAll(() => {
  vi.unstubAllGlobals();
});

describe("events of the server", () => {
  it("are read whole, however the pieces were cut", async () => {
    const text =
      ': hi\n\nid: 1\nevent: a\ndata: {"x":"ä"}\n\nevent: b\ndata: [1,\ndata: 2]\n\nevent: c\ndata: no json\n\n';
    const bytes = new TextEncoder().encode(text);
    for (const size of [1, 2, 3, 7, 1_000]) {
      const heard: SentEvent[] = [];
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
          controller.close();
        },
      });
      await readEvents(body, (events) => heard.push(...events));
      expect(heard).toEqual([
        { kind: "a", id: "1", data: { x: "ä" } },
        { kind: "b", id: undefined, data: [1, 2] },
      ]);
    }
  });
});

describe("calls as they happen", () => {
  const end = (index: number, ok = true): SentEvent => ({
    kind: "call-end",
    id: String(index),
    data: { callId: `c${index}`, tool: "fs.read", ok, durationMs: 1, ...(!ok && { stage: "permit" }) },
  });

  it("are the last five thousand, and all are counted, also those that the server left out", async () => {
    const live = createLiveRows(() => 1_000);
    for (let index = 0; index < 20_000; index += 100)
      live.take(Array.from({ length: 100 }, (_, more) => end(index + more, more !== 0)));
    live.take([
      { kind: "summary", id: undefined, data: { fromMs: 0, toMs: 1, left: 50, ok: 40, tools: [] } },
    ]);
    await new Promise<void>((drawn) => live.subscribe(drawn));
    const { rows, seen, leftOut, perSecond } = live.snapshot();
    expect(rows.length).toBeGreaterThanOrEqual(5_000);
    expect(rows.length).toBeLessThanOrEqual(6_000);
    expect(rows[0]?.callId).toBe("c19999");
    expect([seen, leftOut]).toEqual([20_000, 50]);
    expect(perSecond).toBe(20_050 / 5);
  });

  it("are forgotten by clear, and new ones come all the same", async () => {
    const live = createLiveRows(() => 1_000);
    live.take([end(1)]);
    live.clear();
    live.take([end(2, false)]);
    await new Promise<void>((drawn) => live.subscribe(drawn));
    expect(live.snapshot().rows.map(({ callId, verdict }) => [callId, verdict])).toEqual([["c2", "deny"]]);
  });
});

describe("a rule as YAML", () => {
  it("puts every text into quotes that could be read as something else", () => {
    const text = toYaml({
      policies: {
        "no push": {
          tools: ["shell.exec", "*"],
          action: "deny",
          reason: "no: never",
          on: "yes",
          conditions: [{ type: "command", value: "git push" }],
        },
      },
    });
    expect(text).toBe(
      'policies:\n  "no push":\n    tools: [shell.exec, "*"]\n    action: deny\n    reason: "no: never"\n    "on": "yes"\n    conditions:\n      - type: command\n        value: "git push"\n',
    );
  });
});
