import { readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  addTrust,
  isTrusted,
  readTrust,
  revokeTrust,
  trustFile,
} from "../../../../src/config/trust/trust.ts";
import { createWorld } from "../world.ts";

const content = "a".repeat(64);
const other = "b".repeat(64);

describe("trust in project files", () => {
  it("is empty until somebody trusts a file", () => {
    const { folders, write } = createWorld();
    const path = write("toolgate.yaml", "");
    expect(readTrust(folders.state)).toEqual({ ok: true, files: [] });
    expect(isTrusted(readTrust(folders.state), path, content)).toBe(false);
  });

  it("holds for one path with one content", () => {
    const { folders, write } = createWorld();
    const path = write("toolgate.yaml", "");
    const copy = write("copy/toolgate.yaml", "");
    addTrust(folders.state, [{ path, sha256: content }]);
    const trust = readTrust(folders.state);
    expect(isTrusted(trust, path, content)).toBe(true);
    expect(isTrusted(trust, path, other)).toBe(false);
    expect(isTrusted(trust, copy, content)).toBe(false);
  });

  it("in a new content ends the trust in the old one", () => {
    const { folders, write } = createWorld();
    const path = write("toolgate.yaml", "");
    addTrust(folders.state, [{ path, sha256: content }]);
    addTrust(folders.state, [{ path, sha256: other }]);
    expect(isTrusted(readTrust(folders.state), path, content)).toBe(false);
    expect(readTrust(folders.state).files).toHaveLength(1);
  });

  it("belongs to the file that a link leads to", () => {
    const { folders, project, write } = createWorld();
    const path = write("shared/toolgate.yaml", "");
    const link = join(project, "toolgate.yaml");
    symlinkSync(path, link);
    addTrust(folders.state, [{ path: link, sha256: content }]);
    expect(readTrust(folders.state).files[0]?.path).toBe(path);
    expect(isTrusted(readTrust(folders.state), link, content)).toBe(true);
  });

  it("is gone after it was revoked, also for a file that no longer exists", () => {
    const { folders, write } = createWorld();
    const path = write("toolgate.yaml", "");
    addTrust(folders.state, [
      { path, sha256: content },
      { path: "/gone/toolgate.yaml", sha256: other },
    ]);
    expect(revokeTrust(folders.state, ["/gone/toolgate.yaml"])).toHaveLength(1);
    expect(revokeTrust(folders.state, ["/never/trusted.yaml"])).toEqual([]);
    expect(readTrust(folders.state).files.map((file) => file.path)).toEqual([path]);
  });

  it("is kept where only the user can read and write it", () => {
    const { folders, write } = createWorld();
    addTrust(folders.state, [{ path: write("toolgate.yaml", ""), sha256: content }]);
    expect(statSync(trustFile(folders.state)).mode & 0o777).toBe(0o600);
    expect(statSync(folders.state).mode & 0o777).toBe(0o700);
    expect(readFileSync(trustFile(folders.state), "utf8")).toContain(content);
  });

  it.each(["{", "[]", '{"files":[{"path":1}]}', '{"files":{}}', "null"])(
    "is nobody's while the list is broken: %s",
    (text) => {
      const { folders, write } = createWorld();
      write(trustFile(folders.state), text);
      const trust = readTrust(folders.state);
      expect(trust.ok).toBe(false);
      expect(trust.files).toEqual([]);
      expect(trust.ok === false && trust.message).toContain("no project file is trusted");
    },
  );
});
