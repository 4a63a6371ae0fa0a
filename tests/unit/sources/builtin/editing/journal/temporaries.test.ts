import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openStore } from "../../../../../../src/index.ts";
import { createInsideRoot } from "../../../../../../src/safe/files/inside-root/inside-root.ts";
import { createEditingTools } from "../../../../../../src/sources/builtin/editing/editing-tools.ts";
import { createTemporaries } from "../../../../../../src/sources/builtin/editing/journal/temporaries.ts";

function folders(): { readonly root: string; readonly state: string } {
  const folder = mkdtempSync(join(tmpdir(), "toolgate-temporary-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [root, state] = [join(folder, "root"), join(folder, "state")] as const;
  mkdirSync(join(root, "sub"), { recursive: true });
  mkdirSync(state, { mode: 0o700 });
  return { root, state };
}

const sourceOf = (name: string) =>
  JSON.stringify(new URL(`../../../../../../src/${name}`, import.meta.url).href);

/** A process that dies when it has filled a file and not yet renamed it. */
async function dieWhileWriting(root: string, state: string): Promise<void> {
  const program = `
    import { mkdirSync, writeFileSync } from "node:fs";
    import { dirname, join } from "node:path";
    import { createInsideRoot, temporaryFileName } from ${sourceOf("safe/files/inside-root/inside-root.ts")};
    import { createTemporaries } from ${sourceOf("sources/builtin/editing/journal/temporaries.ts")};
    const root = ${JSON.stringify(root)};
    const real = createInsideRoot({ roots: [root] });
    const files = createTemporaries(${JSON.stringify(state)}).of({
      ...real,
      write(path, _, { temporaryName }) {
        writeFileSync(join(root, dirname(path), temporaryFileName(temporaryName)), "half of i");
        process.kill(process.pid, "SIGKILL");
      },
    });
    await files.write("sub/a.txt", "half of it", { cwd: root });`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: "inherit" });
  expect((await once(child, "exit"))[1]).toBe("SIGKILL");
}

describe("the temporary file of a write that a crash cut short", () => {
  it("is removed at the next start, and nothing else is", async () => {
    const { root, state } = folders();
    writeFileSync(join(root, "sub", ".toolgate-foreign.tmp"), "somebody else's");
    await dieWhileWriting(root, state);
    expect(readdirSync(join(root, "sub"))).toHaveLength(2);
    await createEditingTools({ stateFolder: state }).recovered;
    expect(readdirSync(join(root, "sub"))).toEqual([".toolgate-foreign.tmp"]);
    expect(readdirSync(join(state, "journals"))).toEqual([]);
  });

  it("stays while its process lives", async () => {
    const { root, state } = folders();
    const files = createTemporaries(state).of(createInsideRoot({ roots: [root] }));
    expect(await files.write("sub/a.txt", "a", { cwd: root })).toMatchObject({ ok: true });
    await createEditingTools({ stateFolder: state }).recovered;
    expect(readdirSync(join(state, "journals"))).toHaveLength(1);
    expect(readdirSync(join(root, "sub"))).toEqual(["a.txt"]);
  });

  it("of the state folder is removed when the store is opened", async () => {
    const { state } = folders();
    const left = join(state, "trust.json.4194300.tmp");
    for (const path of [left, join(state, "trust.json.1.tmp")]) writeFileSync(path, "{");
    const longAgo = new Date(Date.now() - 3_600_000);
    utimesSync(left, longAgo, longAgo);
    await (await openStore({ stateFolder: state })).close();
    expect(readdirSync(state).filter((name) => name.endsWith(".tmp"))).toEqual(["trust.json.1.tmp"]);
  });
});
