import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const run = promisify(execFile);

it("standard output taken for a protocol carries nothing else; what a library prints goes to standard error", async () => {
  const { href } = new URL("../../../../src/surfaces/cli/terminal/process-io.ts", import.meta.url);
  const script = `
    const { createProcessIo } = await import(${JSON.stringify(href)});
    const io = createProcessIo();
    const pipe = io.takePipe();
    console.log("a library prints");
    process.stdout.write("and writes\\n");
    io.out("and so does a command\\n");
    pipe.write("message\\n");
    console.log("again");
  `;
  const { stdout, stderr } = await run(process.execPath, ["--input-type=module", "-e", script]);
  expect(stdout).toBe("message\n");
  expect(stderr).toBe("a library prints\nand writes\nand so does a command\nagain\n");
});
