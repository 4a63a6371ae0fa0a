/**
 * The image of `examples/deploy`, built from the packed file and run. Skipped, with the reason in its title, where no container engine
 * answers or the base image is neither there nor to be had: such a run says nothing about the Containerfile.
 */
import { spawn, spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { packPackage } from "./packed.ts";

const containerfile = resolve(import.meta.dirname, "../../examples/deploy/Containerfile");
const base = /^FROM (\S+)$/m.exec(readFileSync(containerfile, "utf8"))?.[1] ?? "";
const engine = ["podman", "docker"].find((name) => run(name, ["info"], 20_000).status === 0);
const missing = whatIsMissing();

function run(program: string, args: readonly string[], timeout = 600_000) {
  return spawnSync(program, args, { encoding: "utf8", timeout });
}

function whatIsMissing(): string | undefined {
  if (engine === undefined) return "no container engine answers";
  if (run(engine, ["image", "inspect", base]).status === 0) return undefined;
  return run(engine, ["pull", base]).status === 0 ? undefined : `${base} cannot be had`;
}

describe.skipIf(missing !== undefined)(`the container${missing === undefined ? "" : ` (${missing})`}`, () => {
  it("is built from the packed file, serves as another user than root, and ends when it is told to", async () => {
    const packed = await packPackage();
    onTestFinished(() => packed.close());
    const context = mkdtempSync(join(tmpdir(), "toolgate-image-"));
    onTestFinished(() => rmSync(context, { recursive: true, force: true }));
    copyFileSync(packed.archive, join(context, basename(packed.archive)));
    const name = `toolgate-test-${process.pid}`;
    const inEngine = (...args: string[]) => {
      const { status, stdout, stderr } = run(engine ?? "", args);
      if (status !== 0) throw new Error(`${engine} ${args[0]} ended with ${status}: ${stderr}`);
      return stdout.trim();
    };

    inEngine("build", "-t", name, "-f", containerfile, context);
    onTestFinished(() => {
      run(engine ?? "", ["rm", "--force", "--volumes", name]);
      run(engine ?? "", ["rmi", "--force", name]);
    });
    expect(inEngine("run", "--rm", name, "--version")).toMatch(/^\d+\.\d+\.\d+/);
    inEngine("run", "--detach", "--name", name, name);
    await logged(engine ?? "", name, "toolgate serves");
    const probe = `
      const { status } = await fetch("http://127.0.0.1:4655/api/health/ready");
      console.log(status, process.getuid() !== 0);`;
    expect(inEngine("exec", name, "node", "--input-type=module", "-e", probe)).toBe("200 true");
    inEngine("stop", "-t", "20", name);
    expect(inEngine("inspect", "--format", "{{.State.ExitCode}}", name)).toBe("0");
  });
});

async function logged(engine: string, container: string, words: string): Promise<void> {
  const child = spawn(engine, ["logs", "--follow", container], { timeout: 60_000 });
  let text = "";
  try {
    for await (const part of child.stdout) {
      text += part;
      if (text.includes(words)) return;
    }
    throw new Error(`The container ended, or said nothing like "${words}": ${text}`);
  } finally {
    child.kill();
  }
}
