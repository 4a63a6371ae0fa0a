import { describe, expect, it } from "vitest";
import { asWritten, readSection } from "../../../../src/config/settings/read-section.ts";
import { serverShape } from "../../../../src/config/settings/server-settings.ts";
import { upstreamsShape } from "../../../../src/config/settings/upstream-shape.ts";

describe("a section of a file", () => {
  it("has the program's names for the keys of its shape, at every depth", () => {
    const written = { drain_ms: 5, limits: { max_in_flight: 2 }, oauth: { issuer: "i", audience: "a" } };
    const { drainMs, limits, oauth } = readSection(written, serverShape);
    expect([drainMs, limits?.maxInFlight, oauth?.issuer]).toEqual([5, 2, "i"]);
  });

  it("keeps the names that its author gave", () => {
    const written = {
      my_server: { command: "x", env: { MY_KEY: "1" }, tools: { do_it: { enabled: false } } },
    };
    expect(readSection(written, upstreamsShape)).toEqual(written);
    const scopes = { "read_all:x": "read" } as const;
    const oauth = { issuer: "i", audience: "a", scopes };
    expect(readSection({ oauth }, serverShape).oauth?.scopes).toEqual(scopes);
  });

  it("leaves out keys with nothing behind them", () => {
    expect(readSection({ one: { command: "x", args: null, env_pass: null } }, upstreamsShape)).toEqual({
      one: { command: "x" },
    });
  });

  it("can be written again as it was, without what is undefined", () => {
    const written = { drain_ms: 5, hosts: ["a_b"] };
    expect(asWritten({ ...readSection(written, serverShape), port: undefined })).toEqual(written);
  });
});
