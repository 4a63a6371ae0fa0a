/** What was approved is what runs: whatever is put in the place of a path or a program while a person thinks gets no yes. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { textOf } from "../../src/core/call/content.ts";
import type { Outcome } from "../../src/index.ts";
import { codeOf } from "../unit/paper-gate.ts";
import { type ApprovalWorld, approvalWorld, callsOn } from "./approval-world.ts";

/** Each puts something else under `door/file.txt`. */
const swaps: Readonly<Record<string, (world: ApprovalWorld) => void>> = {
  "a link to a folder outside, for the folder": ({ root, outside }) => swap(root, join(outside, "dir")),
  "a link to another folder inside, for the folder": ({ root, elsewhere }) => swap(root, elsewhere),
  "a relative link, for the folder": ({ root }) => swap(root, "elsewhere"),
  "a link to a link, for the folder": ({ root }) => swap(root, join(root, "deep/mid.link")),
  "a link to a file outside, for the file": ({ root, outside }) =>
    swapFile(root, join(outside, "secret.txt")),
  "a link to another file inside, for the file": ({ root }) => swapFile(root, "../elsewhere/file.txt"),
};

function swap(root: string, to: string): void {
  renameSync(join(root, "door"), join(root, "door.aside"));
  symlinkSync(to, join(root, "door"));
}

function swapFile(root: string, to: string): void {
  rmSync(join(root, "door/file.txt"));
  symlinkSync(to, join(root, "door/file.txt"));
}

function script(path: string, text: string): void {
  writeFileSync(path, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
}

/** The yes is void, nothing elsewhere has changed, and nothing of it is told. */
async function expectStale(call: { tool: string; input: unknown }, change: (world: ApprovalWorld) => void) {
  const world = await approvalWorld();
  const before = world.elsewhereState();
  const outcome = await world.approveAfter(call, () => change(world));
  expect([codeOf(outcome), world.elsewhereState()]).toEqual(["approval_stale", before]);
  expect(textOf(outcome.result)).not.toContain(world.canary);
}

describe.skipIf(process.platform !== "linux")("while a yes is pending", () => {
  describe.each(Object.keys(callsOn))("%s", (kind) => {
    it.each(Object.keys(swaps))("is void after %s", async (name) => {
      await expectStale(callsOn[kind]!("door/file.txt"), swaps[name]!);
    });

    it("runs where nothing was swapped", async () => {
      const world = await approvalWorld();
      expect(codeOf(await world.approveAfter(callsOn[kind]!("door/file.txt"), () => {}))).toBe("ran");
    });
  });

  it("a link where there was nothing is not what was approved", () =>
    expectStale({ tool: "fs.write", input: { path: "new/file.txt", content: "x" } }, ({ root, elsewhere }) =>
      symlinkSync(elsewhere, join(root, "new")),
    ));

  it("a link that a command's folder became is not where the command was approved", () =>
    expectStale({ tool: "shell.exec", input: { command: "touch made-here", cwd: "door" } }, (world) =>
      swap(world.root, join(world.outside, "dir")),
    ));

  it("a path outside that was shown and approved does not become another one outside", async () => {
    const world = await approvalWorld();
    symlinkSync(join(world.outside, "dir"), join(world.root, "out"));
    const shown: unknown[] = [];
    const outcome = await world.approveAfter(
      { tool: "fs.write", input: { path: "out/file.txt", content: "x" } },
      ({ meaning }) => {
        shown.push(...meaning.paths);
        rmSync(join(world.root, "out"));
        symlinkSync(join(world.outside, "dir/inner"), join(world.root, "out"));
      },
    );
    expect(shown).toEqual([{ path: join(world.outside, "dir/file.txt"), inside: false }]);
    expect(codeOf(outcome)).toBe("approval_stale");
    expect(existsSync(join(world.outside, "dir/inner/file.txt"))).toBe(false);
  });

  it("a program that comes before the one on PATH is not the one that was approved", async () => {
    const world = await approvalWorld();
    const bin = join(world.root, "bin");
    mkdirSync(bin);
    const path = process.env.PATH;
    process.env.PATH = `${bin}:${path}`;
    onTestFinished(() => {
      process.env.PATH = path;
    });
    const plant = (name: string) => script(join(bin, name), `touch ${join(world.outside, "PWNED")}`);
    for (const [command, name] of [
      ["uname -s", "uname"],
      ["env LC_ALL=C uname -s", "env"],
      ["cd door && xargs -n1 uname < /dev/null", "xargs"],
      ["not-there-yet --help", "not-there-yet"],
    ] as const) {
      const outcome = await world.approveAfter({ tool: "shell.exec", input: { command } }, () => plant(name));
      expect([command, codeOf(outcome)]).toEqual([command, "approval_stale"]);
      rmSync(join(bin, name));
    }
    expect(existsSync(join(world.outside, "PWNED"))).toBe(false);
  });

  it("a script of the workspace that became a link is not the one that was approved", async () => {
    const world = await approvalWorld();
    script(join(world.root, "door/run.sh"), "echo fine");
    script(join(world.outside, "evil.sh"), `touch ${join(world.outside, "PWNED")}`);
    for (const command of ["door/run.sh", "cd door && ./run.sh"]) {
      const outcome = await world.approveAfter({ tool: "shell.exec", input: { command } }, () => {
        rmSync(join(world.root, "door/run.sh"));
        symlinkSync(join(world.outside, "evil.sh"), join(world.root, "door/run.sh"));
      });
      expect([command, codeOf(outcome)]).toEqual([command, "approval_stale"]);
      rmSync(join(world.root, "door/run.sh"));
      script(join(world.root, "door/run.sh"), "echo fine");
    }
    expect(existsSync(join(world.outside, "PWNED"))).toBe(false);
  });

  it("another rule that asks by now has not been answered", async () => {
    const world = await approvalWorld();
    const call = callsOn["fs.write"]!("door/file.txt");
    const outcome = await world.approveAfter(call, async () => {
      await world.gate.setRules({
        policies: [{ name: "release is frozen", tools: "fs.write", action: "ask", reason: "Frozen." }],
      });
    });
    expect(codeOf(outcome)).toBe("approval_stale");
  });

  it("a rule that lets the call pass by now does not make the yes void", async () => {
    const world = await approvalWorld();
    const outcome = await world.approveAfter(callsOn["fs.write"]!("door/file.txt"), async () => {
      await world.gate.setRules({ policies: [{ name: "fine", tools: "*", action: "approve" }] });
    });
    expect(codeOf(outcome)).toBe("ran");
  });

  it("a call that waits for another one to end is looked at again when it starts", async () => {
    const world = await approvalWorld();
    const before = world.elsewhereState();
    const first = world.approveAfter(
      { tool: "shell.exec", input: { command: "sleep 1; mv door door.aside; ln -s elsewhere door" } },
      () => {},
    );
    await expect.poll(async () => (await world.gate.approvals.pending()).length).toBe(0);
    const second = world.approveAfter(callsOn["shell.exec"]!("door/file.txt"), () => {});
    expect([codeOf(await first), codeOf(await second)]).toEqual(["ran", "approval_stale"]);
    expect(world.elsewhereState()).toBe(before);
  });
});

describe.skipIf(process.platform !== "linux")("an edited input", () => {
  const edited = (input: unknown) => ({ input });

  it("whose path is a link by now leads to what nobody saw", async () => {
    const world = await approvalWorld();
    const before = world.elsewhereState();
    for (const to of [join(world.outside, "dir"), "elsewhere"]) {
      const outcome = await world.approveAfter(
        { tool: "fs.write", input: { path: "door/file.txt", content: "asked" } },
        () => swap(world.root, to),
        edited({ path: "door/file.txt", content: "changed by a person" }),
      );
      expect(codeOf(outcome)).toBe("approval_stale");
      rmSync(join(world.root, "door"));
      renameSync(join(world.root, "door.aside"), join(world.root, "door"));
    }
    expect(world.elsewhereState()).toBe(before);
  });

  it("may name another path, if that is the path itself", async () => {
    const world = await approvalWorld();
    const call = { tool: "fs.write", input: { path: "door/file.txt", content: "asked" } };
    const other = edited({ path: "sub/other.txt", content: "theirs" });
    expect(codeOf(await world.approveAfter(call, () => {}, other))).toBe("ran");
    expect(readFileSync(join(world.root, "sub/other.txt"), "utf8")).toBe("theirs");
    symlinkSync("elsewhere", join(world.root, "alias"));
    const link = edited({ path: "alias/file.txt", content: "theirs" });
    expect(codeOf(await world.approveAfter(call, () => {}, link))).toBe("approval_stale");
  });
});

describe.skipIf(process.platform !== "linux")("a lasting yes", () => {
  const ended = async (world: ApprovalWorld, call: object): Promise<string> => {
    let first: string | undefined;
    void (world.gate.dispatch({ ...call, sessionId: "s" } as never) as Promise<Outcome>).then((outcome) => {
      first ??= codeOf(outcome);
    });
    const look = async () => {
      if ((await world.gate.approvals.pending()).length > 0) first ??= "asked";
      return first;
    };
    await expect.poll(look, { interval: 1 }).toBeDefined();
    for (const { id } of await world.gate.approvals.pending())
      await world.gate.approvals.answer(id, { decision: "deny", by: "ann" });
    return first ?? "";
  };

  it.each(["session", "project", "user"] as const)(
    "for a %s and this very input ends where the input means something else",
    async (scope) => {
      const world = await approvalWorld();
      const before = world.elsewhereState();
      const call = callsOn["fs.write"]!("door/file.txt");
      await world.approveAfter({ ...call, sessionId: "s" }, () => {}, { scope });
      expect(await ended(world, call)).toBe("ran");
      swap(world.root, join(world.outside, "dir"));
      expect(await ended(world, call)).toBe("asked");
      rmSync(join(world.root, "door"));
      symlinkSync("elsewhere", join(world.root, "door"));
      expect(await ended(world, call)).toBe("asked");
      expect(world.elsewhereState()).toBe(before);
    },
  );

  it("for any input does not cover what leads outside, whatever rule asks", async () => {
    const world = await approvalWorld();
    const call = callsOn["fs.write"]!;
    const wide = { scope: "session", covers: "tool" } as const;
    await world.approveAfter({ ...call("door/file.txt"), sessionId: "s" }, () => {}, wide);
    expect(await ended(world, call("sub/another.txt"))).toBe("ran");
    expect(await ended(world, call(join(world.outside, "dir/file.txt")))).toBe("asked");
    swap(world.root, join(world.outside, "dir"));
    expect(await ended(world, call("door/file.txt"))).toBe("asked");
  });

  it.each(["input", "tool"] as const)("for this %s does not answer another rule", async (covers) => {
    const world = await approvalWorld();
    const call = callsOn["fs.write"]!("door/file.txt");
    await world.approveAfter({ ...call, sessionId: "s" }, () => {}, { scope: "session", covers });
    expect(await ended(world, call)).toBe("ran");
    await world.gate.setRules({
      policies: [{ name: "release is frozen", tools: "fs.write", action: "ask" }],
    });
    expect(await ended(world, call)).toBe("asked");
  });
});
