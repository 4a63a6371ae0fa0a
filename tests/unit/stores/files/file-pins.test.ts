import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Seen } from "../../../../src/core/ports/pins.ts";
import { createFilePins } from "../../../../src/stores/files/file-pins.ts";
import { acceptedPin } from "../../../contract/samples.ts";
import { temporaryFolder } from "../sqlite/temporary-store.ts";

const seen = (at: number, more: Partial<Seen> = {}): Seen => ({ at, tools: [], gone: [], ...more });

describe("pins in files", () => {
  it("are read as they were always written", async () => {
    const state = temporaryFolder();
    const pin = acceptedPin("echo");
    mkdirSync(join(state, "upstreams"));
    const write = (kind: string, part: object) =>
      writeFileSync(
        join(state, "upstreams", `notes.${kind}.json`),
        `${JSON.stringify({ version: 1, ...part })}\n`,
      );
    write("accepted", { tools: [pin], instructions: "i" });
    write("seen", seen(7, { gone: ["old"] }));
    const pins = createFilePins(state);
    expect(await pins.accepted("notes")).toEqual({ tools: [pin], instructions: "i" });
    expect(await pins.seen("notes")).toEqual(seen(7, { gone: ["old"] }));
  });

  it("are private, and say their version", async () => {
    const state = temporaryFolder();
    await createFilePins(state).acceptFirst("notes", { tools: [] });
    const file = join(state, "upstreams", "notes.accepted.json");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, "utf8")).toBe('{"version":1,"tools":[]}\n');
  });

  it.each([
    ["no JSON", "{"],
    ["another version", '{"version":2,"tools":[]}'],
    ["tools that are none", '{"version":1,"tools":[{"name":"x"}]}'],
  ])("that hold %s count as not readable when accepted, and as nothing when seen", async (_, text) => {
    const state = temporaryFolder();
    mkdirSync(join(state, "upstreams"));
    for (const kind of ["accepted", "seen"])
      writeFileSync(join(state, "upstreams", `notes.${kind}.json`), text);
    const pins = createFilePins(state);
    await expect(pins.accepted("notes")).rejects.toThrow("no tool of this upstream is offered");
    expect(await pins.seen("notes")).toBeUndefined();
  });
});
