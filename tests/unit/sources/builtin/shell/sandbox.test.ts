import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findBubblewrap, sandboxWorks } from "../../../../../src/safe/sandbox/find-bubblewrap.ts";
import { approveAll, approvePaths, shellGate } from "./shell-gate.ts";

const bwrap = findBubblewrap([]);
const works = bwrap !== undefined && (await sandboxWorks(bwrap)).works;
const title = works ? "" : " (skipped: bubblewrap is missing or cannot make namespaces here)";
const must = process.env.TOOLGATE_CI === "full";

const open = { policies: [approveAll, approvePaths] };

describe.skipIf(!works && !must)(`commands in the sandbox${title}`, () => {
  it("write in the workspace and nowhere else", async () => {
    const { text, root, outside } = await shellGate({ sandbox: "required" }, open);
    const command = `touch here; touch '${outside}/there' || echo refused; echo $TMPDIR`;
    expect(await text("shell.exec", { command })).toMatch(/refused\n\/tmp\n\[exit code 0/);
    expect(existsSync(join(root, "here"))).toBe(true);
    expect(existsSync(join(outside, "there"))).toBe(false);
  });

  it("have no network unless it is allowed", async () => {
    const count = "grep -c : /proc/net/dev";
    const closed = await shellGate({ sandbox: "required" }, open);
    expect(await closed.text("shell.exec", { command: count })).toMatch(/^1\n/);
    const allowed = await shellGate({ sandbox: "required", network: true }, open);
    const host = await shellGate({}, open);
    expect((await allowed.text("shell.exec", { command: count })).split("\n")[0]).toBe(
      (await host.text("shell.exec", { command: count })).split("\n")[0],
    );
  });

  it("do not see what is hidden", async () => {
    const { text, root } = await shellGate((folder) => ({
      sandbox: "required",
      hidden: [join(folder, "sub")],
    }));
    writeFileSync(join(root, "sub", "token"), "");
    expect(await text("shell.exec", { command: "ls sub; ls" })).toMatch(/^folder-out\nsub\n\[/);
  });

  it("work in a folder, in the background, with input, and are ended", async () => {
    const { start, text } = await shellGate({ sandbox: "preferred" });
    const id = await start("pwd; read x; echo got $x; sleep 60", { cwd: "sub", stdin: true });
    expect(await text("shell.output", { id, waitMs: 10_000 })).toMatch(/root\/sub\n/);
    expect(await text("shell.input", { id, text: "it", waitMs: 10_000 })).toMatch(/^got it\n/);
    expect(await text("shell.kill", { id })).toContain("ended by request");
  });
});

describe("without a sandbox", () => {
  it("a root that is too wide for one is refused where one is wanted", async () => {
    const { failure } = await shellGate({ sandbox: "required" }, { roots: ["/usr", "/home"] });
    const outcome = await failure("shell.exec", { command: "pwd" });
    expect(outcome.message).toMatch(/system folder|There is no bash/);
  });
});
