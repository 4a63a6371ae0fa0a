import { readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as trust from "../../../../src/config/trust/trust.ts";
import { createWorld } from "../world.ts";

const content = "a".repeat(64);
const other = "b".repeat(64);

function trusting() {
  const { folders, write, project } = createWorld();
  const read = () => trust.readTrust(folders.state);
  return {
    write,
    project,
    state: folders.state,
    path: write("toolgate.yaml", ""),
    list: trust.trustFile(folders.state),
    read,
    add: (path: string, sha256 = content) => trust.addTrust(folders.state, [{ path, sha256 }]),
    revoke: (path: string) => trust.revokeTrust(folders.state, [path]),
    isTrusted: (path: string, sha256 = content) => trust.isTrusted(read(), path, sha256),
  };
}

describe("trust in project files", () => {
  it("holds for one path with one content", () => {
    const { add, isTrusted, path, write } = trusting();
    const copy = write("copy/toolgate.yaml", "");
    add(path);
    expect([isTrusted(path), isTrusted(path, other), isTrusted(copy)]).toEqual([true, false, false]);
  });

  it("in a new content ends the trust in the old one", () => {
    const { add, isTrusted, path, read } = trusting();
    add(path);
    add(path, other);
    expect(isTrusted(path)).toBe(false);
    expect(read().files).toHaveLength(1);
  });

  it("belongs to the file that a link leads to", () => {
    const { add, isTrusted, project, read, write } = trusting();
    const path = write("shared/toolgate.yaml", "");
    const link = join(project, "linked.yaml");
    symlinkSync(path, link);
    add(link);
    expect(read().files[0]?.path).toBe(path);
    expect(isTrusted(link)).toBe(true);
  });

  it("is gone after it was revoked, also for a file that no longer exists", () => {
    const { add, revoke, path, read } = trusting();
    add(path);
    add("/gone/toolgate.yaml", other);
    expect(revoke("/gone/toolgate.yaml")).toHaveLength(1);
    expect(revoke("/never/trusted.yaml")).toEqual([]);
    expect(read().files.map((file) => file.path)).toEqual([path]);
  });

  it("is kept where only the user can read and write it", () => {
    const { add, path, list, state } = trusting();
    add(path);
    expect(statSync(list).mode & 0o777).toBe(0o600);
    expect(statSync(state).mode & 0o777).toBe(0o700);
    expect(readFileSync(list, "utf8")).toContain(content);
  });

  it.each(["{", "[]", '{"files":[{"path":1}]}', '{"files":{}}', "null"])(
    "is nobody's while the list is broken: %s",
    (text) => {
      const { write, list, read } = trusting();
      write(list, text);
      const message = expect.stringContaining("no project file is trusted");
      expect(read()).toEqual({ ok: false, files: [], message });
    },
  );
});
