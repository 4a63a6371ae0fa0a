import { describe, expect, it } from "vitest";
import { isFileUri } from "../../../../src/core/input/file-uri.ts";

describe("a URI of a file", () => {
  it.each([
    "file:///etc/passwd",
    "FILE:/x",
    "  file:x",
    "\tf\ni\tl\re :x",
    "\u0000file:x",
    "\u007ffile:x",
    "\u00a0File:x",
  ])("is known however it is written: %j", (text) => expect(isFileUri(text)).toBe(true));

  it.each(["", "https://host/file:", "xfile:", "(file:", "fil:", "file", "./file:x", "\u00e9file:"])(
    "is not seen in %j",
    (text) => expect(isFileUri(text)).toBe(false),
  );
});
