import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { opener, openUrl } from "../../../../src/safe/net/open-url.ts";

const privateFolder = mkdtempSync(join(tmpdir(), "toolgate-open-"));
afterAll(() => rmSync(privateFolder, { recursive: true, force: true }));

describe("opening the browser", () => {
  const link = "http://127.0.0.1:4655/?a=1&b=2#k=secret";

  it("keeps a code off the command line where every user could read it there", () => {
    const [command, [file = ""]] = opener(link, { privateFolder, platform: "darwin" });
    expect([command, file]).toEqual(["open", join(privateFolder, "open-in-browser.html")]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const address = "http://127.0.0.1:4655/?a=1&amp;b=2#k=secret";
    expect(readFileSync(file, "utf8")).toContain(`<meta http-equiv="refresh" content="0;url=${address}">`);
    opener(link.replace("secret", "next"), { privateFolder, platform: "darwin" });
    expect(readFileSync(file, "utf8")).not.toContain("secret");
  });

  it("names a plain address as it is, and opens nothing but pages", async () => {
    const plain = "http://127.0.0.1:4655/api/health/ready";
    expect(opener(plain, { privateFolder, platform: "darwin" })).toEqual(["open", [plain]]);
    expect(opener(link, { privateFolder, platform: "linux" })).toEqual(["xdg-open", [link]]);
    for (const url of ["file:///etc/passwd", "javascript:alert(1)"])
      expect(await openUrl(url, { privateFolder })).toBe(false);
  });
});
