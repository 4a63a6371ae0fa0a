import { describe, expect, it } from "vitest";
import { urlsInText } from "../../../../src/agents/gemini/urls-in-text.ts";

describe("the addresses in a text", () => {
  it.for<readonly [string, readonly string[]]>([
    ["Read https://a.example/x?y=1#z and stop", ["https://a.example/x?y=1#z"]],
    ["https://a.example\nhttp://b.example:8080/", ["https://a.example/", "http://b.example:8080/"]],
    ["none here, e.g. index.html or a:b", []],
    ["HTTPS://A.EXAMPLE/Path", ["https://a.example/Path"]],
    ["file:///etc/passwd", ["file:///etc/passwd"]],
    ["http://user:secret@a.example/", ["http://user:secret@a.example/"]],
    ["look at www.a.example.", ["https://www.a.example/"]],
  ])("%j are %j", ([text, urls]) => {
    expect(urlsInText(text)).toEqual(urls);
  });

  it("are found between brackets and commas: the service that fetches reads them like a person", () => {
    for (const text of ["(https://a.example/x)", "[page](https://a.example/x).", '"https://a.example/x",'])
      expect(urlsInText(text)).toContain("https://a.example/x");
    const both = urlsInText("https://a.example/x,https://b.example/y");
    expect(both).toEqual(expect.arrayContaining(["https://a.example/x", "https://b.example/y"]));
  });

  it("are kept as they stand where they are no address", () => {
    expect(urlsInText("http://[oops")).toEqual(["http://[oops"]);
  });

  it("are also those that are asked for in their place", () => {
    expect(urlsInText("https://github.com/ann/app/blob/main/a.ts")).toEqual([
      "https://github.com/ann/app/blob/main/a.ts",
      "https://raw.githubusercontent.com/ann/app/main/a.ts",
    ]);
  });
});
