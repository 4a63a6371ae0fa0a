import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import {
  type PipeOptions,
  type PipeProcess,
  startPipeProcess,
} from "../../../../src/safe/process/pipe-process.ts";
import { readProcess } from "../../../../src/safe/process/process-table.ts";

async function start(script: string, options: Partial<PipeOptions> = {}) {
  const heard = { stdout: "", stderr: "", isDeaf: false };
  const hear = (more: Partial<typeof heard>) => void Object.assign(heard, more);
  const process = await startPipeProcess({
    command: "/bin/sh",
    args: ["-c", script],
    cwd: tmpdir(),
    onStdout: (chunk) => hear({ stdout: heard.stdout + chunk }),
    onStderr: (chunk) => hear({ stderr: heard.stderr + chunk }),
    onDeaf: () => hear({ isDeaf: true }),
    ...options,
  });
  return { process: process as PipeProcess, heard };
}

describe("a process that talks over its pipes", () => {
  it("gives its output as it comes, to each reader its own, and its end after the last of it", async () => {
    const { process, heard } = await start(
      "while read line; do echo $line; echo ! >&2; done; echo bye; exit 3",
    );
    expect(process.write("one\ntwo\n")).toBe(true);
    await expect.poll(() => heard.stdout).toBe("one\ntwo\n");
    process.endInput();
    expect(await process.ended).toEqual({ exitCode: 3, signal: null });
    expect(heard).toMatchObject({ stdout: "one\ntwo\nbye\n", stderr: "!\n!\n" });
    expect(process.write("three\n")).toBe(false);
  });

  it("tells when nobody reads its input any more", async () => {
    const { process, heard } = await start("exec <&-; echo closed; sleep 30", { killGraceMs: 100 });
    await expect.poll(() => heard.stdout).toBe("closed\n");
    process.write("lost\n");
    await expect.poll(() => heard.isDeaf).toBe(true);
    expect(await process.kill()).toMatchObject({ signal: "SIGTERM" });
  });

  it("holds what was not read, and says how much", async () => {
    const { process } = await start("sleep 30", { killGraceMs: 100 });
    process.write("x".repeat(1_000_000));
    expect(process.unreadBytes()).toBeGreaterThan(500_000);
    await process.kill();
  });

  it("ends with everything it started, also when it ends by itself", async () => {
    const { process, heard } = await start("sleep 31 & echo $!; exit 0", { killGraceMs: 100 });
    expect(await process.ended).toEqual({ exitCode: 0, signal: null });
    expect(readProcess(Number(heard.stdout))).toBeUndefined();
  });

  it("says why it cannot start", async () => {
    const refused = { started: false, code: "command_not_found" };
    expect((await start("", { command: "no-such-program" })).process).toMatchObject(refused);
  });
});
