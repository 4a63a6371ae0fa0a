import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createSessionPrinter } from "../../../../../src/surfaces/cli/terminal/session-printer.ts";
import { createWaitingLine } from "../../../../../src/surfaces/cli/terminal/waiting-line.ts";
import type { SessionStreamEvent } from "../../../../../src/surfaces/rest/contract.ts";

const gone = "\r\u001b[K";
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function terminal(isTerminal = true) {
  let said = "";
  const write = (text: string) => {
    said += text;
  };
  const io = {
    ...{ out: write, err: write, env: {}, cwd: "/", isTerminal, stderrIsTerminal: isTerminal },
    readStdin: async () => "",
    signal: new AbortController().signal,
  };
  return { io, said: () => said };
}

const event = (kind: string, data: object) => ({ kind, data }) as unknown as SessionStreamEvent;
const running = event("session", { state: "running", runner: "local", turn: 1 });
const use = event("tool_use", { tool: "shell.exec", toolUseId: "t1", input: { command: "make" } });
const result = event("tool_result", { tool: "shell.exec", toolUseId: "t1", ok: true, content: [] });

describe("the line that says what is waited for", () => {
  it("comes after a few seconds, counts, and is gone before something else is printed", () => {
    const { io, said } = terminal();
    const line = createWaitingLine(io);
    line.begin("the agent local");
    vi.advanceTimersByTime(3_900);
    expect(said()).toBe("");
    vi.advanceTimersByTime(1_200);
    expect(said()).toContain("… waiting for the agent local, 4s");
    expect(said()).toContain("… waiting for the agent local, 5s");
    line.begin(undefined);
    const before = said();
    expect(before.endsWith(gone)).toBe(true);
    vi.advanceTimersByTime(20_000);
    expect(said()).toBe(before);
  });

  it("is not there where nobody sees it change", () => {
    const { io, said } = terminal(false);
    createWaitingLine(io).begin("the agent local");
    vi.advanceTimersByTime(20_000);
    expect(said()).toBe("");
  });
});

describe("a session at a terminal", () => {
  it("says whether the agent or a tool takes so long", () => {
    const { io, said } = terminal();
    const printer = createSessionPrinter({ json: false }, io);
    printer.show(running);
    vi.advanceTimersByTime(5_000);
    expect(said()).toContain("waiting for the agent local");
    printer.show(use);
    vi.advanceTimersByTime(5_000);
    expect(said()).toContain("waiting for shell.exec");
    printer.show(result);
    vi.advanceTimersByTime(5_000);
    expect(said().slice(said().lastIndexOf(gone))).toContain("waiting for the agent local");
    printer.show(event("completed", {}));
    const before = said();
    vi.advanceTimersByTime(20_000);
    expect(said()).toBe(before);
    expect(before.endsWith(gone)).toBe(true);
  });

  it("does not write over what the agent says, nor over a question", async () => {
    const { io, said } = terminal();
    const printer = createSessionPrinter({ json: false }, io);
    printer.show(running);
    printer.show(event("message-delta", { itemId: "m", offset: 0, text: "I think" }));
    vi.advanceTimersByTime(20_000);
    expect(said()).toBe("I think");
    printer.show(use);
    await printer.during(async () => {
      const before = said();
      vi.advanceTimersByTime(20_000);
      expect(said()).toBe(before);
    });
  });

  it("says nothing of it to a program that reads events, and nothing when nobody follows any more", () => {
    const json = terminal();
    createSessionPrinter({ json: true }, json.io).show(running);
    vi.advanceTimersByTime(20_000);
    expect(json.said()).not.toContain("waiting");
    const { io, said } = terminal();
    const printer = createSessionPrinter({ json: false }, io);
    printer.show(running);
    printer.rest();
    vi.advanceTimersByTime(20_000);
    expect(said()).toBe("");
  });
});
