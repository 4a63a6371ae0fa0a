import { describe, expect, it } from "vitest";
import { createFooter } from "../../../../../src/surfaces/cli/terminal/footer.ts";
import type { CliIo } from "../../../../../src/surfaces/cli/terminal/io.ts";
import { createScreen } from "./screen.ts";

function terminal(parts: Partial<CliIo> = {}) {
  const screen = createScreen();
  const io: CliIo = {
    readStdin: async () => "",
    out: screen.print,
    err: screen.print,
    env: { COLUMNS: "30" },
    cwd: "/",
    isTerminal: true,
    signal: new AbortController().signal,
    ...parts,
  };
  return { screen, footer: createFooter(io) };
}

describe("the footer of a terminal", () => {
  it("stays below what is printed, on either stream", () => {
    const { screen, footer } = terminal();
    footer.io.out("first\n");
    footer.show(["one", "two"], "");
    footer.io.err("second\n");
    footer.io.out("third\n");
    expect(screen.text()).toBe("first\nsecond\nthird\none\ntwo\n");
  });

  it("is replaced by other lines, fewer or none", () => {
    const { screen, footer } = terminal();
    footer.io.out("above\n");
    footer.show(["one", "two", "three"], "");
    footer.show(["four"], "");
    expect(screen.text()).toBe("above\nfour\n");
    footer.show([], "");
    footer.io.out("later\n");
    expect(screen.text()).toBe("above\nlater\n");
  });

  it("cuts what would wrap, also where letters are two columns wide", () => {
    const { screen, footer } = terminal();
    footer.show(["x".repeat(29), "y".repeat(30), "語".repeat(20)], "");
    expect(screen.text()).toBe(`${"x".repeat(29)}\n${"y".repeat(28)}…\n${"語".repeat(14)}…\n`);
    footer.show([], "");
    expect(screen.text()).toBe("");
  });

  it("shows nothing where there is no terminal", () => {
    const { screen, footer } = terminal({ isTerminal: false });
    footer.show(["one"], "one");
    footer.io.out("text\n");
    expect(screen.text()).toBe("text\n");
  });

  it("is printed once for each new matter where a terminal only prints", () => {
    const { screen, footer } = terminal({ env: { TERM: "dumb" } });
    footer.show(["one, 2m left"], "one");
    footer.show(["one, 1m left"], "one");
    footer.show([], "");
    footer.show(["two"], "two");
    expect(screen.text()).toBe("one, 2m left\ntwo\n");
  });
});
