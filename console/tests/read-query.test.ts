import { describe, expect, it } from "vitest";
import { readQuery, toCommand, withToken } from "../src/ledger/read-query.ts";

const now = 1_000_000_000_000;

describe("a query of the ledger", () => {
  it("is made of tokens, and what has no name is text", () => {
    const { filter, unknown } = readQuery(
      'tool:shell.* verdict:refused by:alice since:2h "git push" now',
      now,
    );
    expect(filter).toEqual({
      tool: "shell.*",
      verdict: "deny",
      caller: "alice",
      since: String(now - 7_200_000),
      text: "git push now",
    });
    expect(unknown).toEqual([]);
  });

  it("names tokens that mean nothing instead of leaving them out silently", () => {
    const { filter, unknown } = readQuery("color:red verdict:maybe since:soon kind:thing tool:", now);
    expect(filter).toEqual({});
    expect(unknown).toEqual(["color:red", "verdict:maybe", "since:soon", "kind:thing", "tool:"]);
  });

  it("takes dates, milliseconds and quoted values", () => {
    const { filter } = readQuery('since:2026-01-31 until:1769900000000 text:"a b"', now);
    expect(filter).toEqual({ since: String(Date.parse("2026-01-31")), until: "1769900000000", text: "a b" });
  });

  it("changes one token and keeps the others", () => {
    expect(withToken("tool:a since:2h x", "since", "5")).toBe("tool:a x since:5");
    expect(withToken("tool:a", "tool", "")).toBe("");
    expect(withToken("", "session", "a b")).toBe('session:"a b"');
  });

  it("is the same question at the command line, quoted for a shell", () => {
    const query = readQuery('tool:fs.* text:"it\'s" use:t-1', now);
    expect(toCommand(query)).toBe("toolgate audit query --tool fs.* --text 'it'\\''s' --tool-use-id t-1");
  });
});
