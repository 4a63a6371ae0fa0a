import { describe, expect, it } from "vitest";
import { parseRequest } from "../../../../../src/safe/files/inside-root/request-path.ts";
import { words } from "../../../../words.ts";

describe("a requested path under Windows rules", () => {
  it.each([
    ["src\\a.txt", false, ["src", "a.txt"]],
    ["src/a.txt", false, ["src", "a.txt"]],
    ["c:\\work\\a.txt", true, ["C:", "work", "a.txt"]],
    ["..\\a.txt", false, ["..", "a.txt"]],
  ])("takes %j apart", (path, absolute, parts) => {
    expect(parseRequest(path, "win32")).toMatchObject({ ok: true, absolute, parts });
  });

  it.each([
    ...words(`
      \\\\server\\share\\x //server/share/x \\\\?\\C:\\x \\\\.\\pipe\\x C:x \\windows /windows a.txt:stream
      .env::$DATA a:b NUL con.txt src\\COM1 lpt9.log a.txt. dir.\\x a*b a?b a|b a"b a\u0001b com\u00b9
    `),
    "aux .txt",
    "a.txt ",
  ])("refuses %j", (path) => {
    expect(parseRequest(path, "win32")).toMatchObject({ ok: false, code: "invalid_path" });
  });
});

describe("a requested path under POSIX rules", () => {
  it("keeps .. for the walk and drops what says nothing", () => {
    expect(parseRequest("./a//b/./../c", "linux")).toMatchObject({
      parts: ["a", "b", "..", "c"],
      mustBeDirectory: false,
    });
    expect(parseRequest("a/b/", "linux")).toMatchObject({ parts: ["a", "b"], mustBeDirectory: true });
    expect(parseRequest("/", "linux")).toMatchObject({ absolute: true, parts: [] });
  });

  it("takes a name with a backslash as a name", () => {
    expect(parseRequest("dev-disk\\x2d1.mount", "linux")).toMatchObject({
      ok: true,
      parts: ["dev-disk\\x2d1.mount"],
    });
  });
});
