/** What every tool that reads a path refuses, under every name it has. */
import { mkdirSync, rmdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AnyTool, Policy } from "../../../../src/index.ts";
import { readingGate } from "./reading-gate.ts";

/** `inputFor` names a path in the tool's way; `good` must succeed on it. */
export function describeRefusals(
  tool: AnyTool,
  inputFor: (path: string) => object,
  good: { readonly files: Readonly<Record<string, string | Buffer>>; readonly path: string },
): void {
  const approveAll: Policy = {
    name: "yes to every path",
    tools: "*",
    action: "approve",
    conditions: [{ type: "path", operator: "matches", value: "." }],
  };
  const names = [tool.id, tool.id.replaceAll(".", "_"), ...(tool.aliases ?? [])];

  describe(`${tool.id} refuses`, () => {
    it.each(names)("a path outside of the workspace, called %s", async (name) => {
      const { gate, outside } = await readingGate(tool, good.files);
      for (const path of [
        "..",
        "../outside/secret.txt",
        outside,
        "link-out.txt",
        "folder-out",
        "~",
        "~/.ssh/id_rsa",
      ]) {
        const outcome = await gate.dispatch({ tool: name, input: inputFor(path) });
        expect(outcome, path).toMatchObject({ ok: false, tool: tool.id });
        expect(["no_approver", "policy_denied"], path).toContain(!outcome.ok && outcome.error.code);
        expect(!outcome.ok && outcome.error.rule?.kind, path).toBe("default");
      }
    });

    it("what became a link out of the workspace after it was approved", async () => {
      const { gate, failure, root, outside } = await readingGate(tool, good.files, {
        policies: [approveAll],
      });
      mkdirSync(join(root, "later"));
      // Around the run: everything is decided by then.
      gate.use(async (_, next) => {
        rmdirSync(join(root, "later"));
        symlinkSync(outside, join(root, "later"));
        return next();
      });
      expect((await failure(inputFor("later/secret.txt"))).code).toBe("outside_root");
    });

    it("input that does not fit", async () => {
      const { failure } = await readingGate(tool, good.files);
      for (const input of [inputFor(""), { ...inputFor(good.path), surprise: 1 }, { path: 7 }, [], "x"]) {
        expect(["invalid_input", "bad_call"]).toContain((await failure(input)).code);
      }
    });
  });

  it(`${tool.id} works in plan mode: it only reads`, async () => {
    const { call } = await readingGate(tool, good.files);
    expect(await call(inputFor(good.path), { mode: "plan" })).toMatchObject({ ok: true });
  });
}
