import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { readServerAddress } from "../../../../../../src/surfaces/hook/process/resident/server-address.ts";
import { createHookCredentials } from "../../../../../../src/surfaces/hook/served/hook-credentials.ts";

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "toolgate-address-"));
  file = join(folder, "hook.addr");
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

const word = "x".repeat(43);

function write(text: string): void {
  writeFileSync(file, text, { mode: 0o600 });
}

describe("where a server says how it is reached", () => {
  it("is read as the server writes it", () => {
    const credentials = createHookCredentials(folder);
    expect(credentials.announce("http://127.0.0.1:4321")).toBe(true);
    const { host, port, key } = readServerAddress(file) ?? {};
    expect({ host, port, key }).toEqual({ host: "127.0.0.1", port: 4321, key: credentials.key });
  });

  it("is not believed when others can write the file, or it is a link", () => {
    const line = `toolgate-hook 3 127.0.0.1 4321 ${word} ${word} ${process.pid} end\n`;
    write(line);
    expect(readServerAddress(file)).toBeDefined();
    chmodSync(file, 0o666);
    expect(readServerAddress(file)).toBeUndefined();
    chmodSync(file, 0o600);
    const link = join(folder, "link");
    symlinkSync(file, link);
    expect(readServerAddress(link)).toBeUndefined();
  });

  it.each([
    ["of a process that is gone", `toolgate-hook 3 127.0.0.1 4321 ${word} ${word} 2147483646 end\n`],
    ["of another machine", `toolgate-hook 3 10.0.0.1 4321 ${word} ${word} ${process.pid} end\n`],
    ["of another form", `toolgate-hook 4 127.0.0.1 4321 ${word} ${word} ${process.pid} end\n`],
    ["with a short token", `toolgate-hook 3 127.0.0.1 4321 short ${word} ${process.pid} end\n`],
    ["that is cut off", `toolgate-hook 3 127.0.0.1 4321 ${word} ${word} ${process.pid}`],
  ])("is none %s", (_what, text) => {
    write(text);
    expect(readServerAddress(file)).toBeUndefined();
  });
});
