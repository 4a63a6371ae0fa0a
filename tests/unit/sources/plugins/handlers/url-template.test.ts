import { describe, expect, it } from "vitest";
import { compileUrl } from "../../../../../src/sources/plugins/handlers/url-template.ts";

const known = new Set(["url", "id", "q", "host"]);

function filled(template: string, values: Record<string, unknown>): string {
  const compiled = compileUrl(template, known);
  if (!compiled.ok) return `refused at load: ${compiled.errors.join(" ")}`;
  const made = compiled.fill((name) => values[name]);
  return made.ok ? made.url.href : `refused: ${made.message}`;
}

describe("a value in the path or the query of a URL", () => {
  it("is encoded whatever it holds", () => {
    expect(filled("https://a.test/x/{{id}}?q={{q}}", { id: "7", q: "a b" })).toBe(
      "https://a.test/x/7?q=a%20b",
    );
    expect(filled("https://a.test/x/{{id}}", { id: "a/../b?c#d" })).toBe(
      "https://a.test/x/a%2F..%2Fb%3Fc%23d",
    );
    expect(filled("https://a.test/?q={{q}}&z=1", { q: "1&z=2#f" })).toBe(
      "https://a.test/?q=1%26z%3D2%23f&z=1",
    );
    expect(filled("https://a.test/{{id}}", { id: "\r\nHost: evil" })).toBe(
      "https://a.test/%0D%0AHost%3A%20evil",
    );
    expect(filled("https://a.test/{{id}}", { id: "ünï😀" })).toBe(
      `https://a.test/${encodeURIComponent("ünï😀")}`,
    );
    expect(filled("https://a.test/{{id}}/{{q}}", { id: 7, q: true })).toBe("https://a.test/7/true");
  });

  it("never becomes a step up, in any spelling", () => {
    for (const id of [".", ".."])
      expect(filled("https://a.test/x/{{id}}/y", { id })).toMatch(/^refused: .*elsewhere/);
    expect(filled("https://a.test/x/.{{id}}/y", { id: "." })).toMatch(/^refused: /);
    expect(filled("https://a.test/x/%2e{{id}}/y", { id: "." })).toMatch(/^refused: /);
    expect(filled("https://a.test/x/{{id}}/y", { id: "%2e%2e" })).toBe("https://a.test/x/%252e%252e/y");
    expect(filled("https://a.test/x/%{{id}}", { id: "2e" })).toMatch(/^refused at load: .*complete the %/);
    expect(filled("https://a.test/x/%2{{id}}", { id: "e" })).toMatch(/^refused at load/);
    expect(filled("https://a.test/x/{{id}}...", { id: "." })).toBe("https://a.test/x/....");
  });

  it("does not take the place of another value", () => {
    expect(filled("https://a.test/{{id}}/{{q}}", { id: "value1x", q: "Q" })).toBe("https://a.test/value1x/Q");
    expect(filled("https://a.test/{{id}}-{{q}}", { id: "value1x", q: "Q" })).toBe("https://a.test/value1x-Q");
    expect(filled("https://a.test/{{id}}", { id: "{{q}}", q: "Q" })).toBe("https://a.test/%7B%7Bq%7D%7D");
    expect(filled("https://a.test/{{id}}", { id: "$&$1" })).toBe("https://a.test/%24%26%241");
  });

  it("must be there and not empty in the path; in the query its pair is left out", () => {
    expect(filled("https://a.test/users/{{id}}", {})).toMatch(/^refused: .*"id" is missing/);
    expect(filled("https://a.test/users/{{id}}", { id: "" })).toMatch(/^refused: .*empty/);
    expect(filled("https://a.test/?a=1&q={{q}}", {})).toBe("https://a.test/?a=1");
    expect(filled("https://a.test/?q={{q}}", { q: "" })).toBe("https://a.test/?q=");
  });

  it("is text, a number or true/false", () => {
    for (const id of [{}, ["a"], Number.NaN, "\ud800"])
      expect(filled("https://a.test/{{id}}", { id })).toMatch(/^refused: The argument "id"/);
  });
});

describe("a placeholder elsewhere", () => {
  it("is refused at load in host, port, user and scheme", () => {
    for (const template of [
      "https://{{host}}/x",
      "https://a.test:{{host}}/x",
      "https://{{host}}@a.test/x",
      "https://a.{{host}}/",
      "https://{{host}}",
      "{{host}}://a.test/",
      "{{url}}.evil.test/",
      "{{url}}:8080/x",
      "{{url}}@evil.test/",
      "{{url}}{{id}}",
      "https:{{host}}",
      "//{{host}}/x",
      "ftp://a.test/{{id}}",
      "https://a.test\\{{id}}",
      "https://a.test/{{id}}#{{q}}",
      "https://a.test/#x",
      "/x/{{id}}",
      " https://a.test/{{id}}",
      "https://u:p@a.test/{{id}}",
      "",
      "https://a.test/{{nope}}",
      "https://a.test/{{id",
      "http://?{{q}}",
    ])
      expect(filled(template, { host: "h", url: "http://h", id: "i", q: "q" }), template).toMatch(
        /^refused at load/,
      );
  });
});

describe("a placeholder that starts the URL", () => {
  const health = (url: unknown) => filled("{{url}}/health", { url });

  it("is a whole URL, which the author's part goes on", () => {
    expect(health("http://a.test:81")).toBe("http://a.test:81/health");
    expect(health("https://a.test/")).toBe("https://a.test/health");
    expect(health("https://a.test/base/")).toBe("https://a.test/base/health");
    expect(filled("{{url}}", { url: "https://a.test/x?y=1" })).toBe("https://a.test/x?y=1");
    expect(filled("{{url}}?q={{q}}", { url: "https://a.test/x", q: "&" })).toBe("https://a.test/x?q=%26");
    expect(filled("{{url}}/{{id}}", { url: "https://a.test", id: "a/b" })).toBe("https://a.test/a%2Fb");
  });

  it("is refused when it is anything else", () => {
    for (const url of [
      "",
      "a.test",
      "//a.test",
      "/etc/passwd",
      "file:///etc/passwd",
      "ftp://a.test",
      "javascript:alert(1)",
      "http://",
      "http:/a.test",
      "http://u:p@a.test",
      "http://u@a.test",
      "http://a.test\\@b.test",
      "http://a.test\n",
      " http://a.test",
      "http://a.test/?x=",
      "http://a.test/#",
      "http://a.test:0",
      "http://a.test:99999",
      7,
      null,
      undefined,
      {},
      "http://\0",
    ])
      expect(health(url), String(url)).toMatch(/^refused: /);
  });
});
