import { describe, expect, it } from "vitest";
import { compileUrl } from "../../../../../src/sources/plugins/handlers/url-template.ts";
import { words } from "../../../../words.ts";

const known = new Set(["url", "id", "q", "host"]);

function filled(template: string, values: Record<string, unknown>): string {
  const compiled = compileUrl(template, known);
  if (!compiled.ok) return `refused at load: ${compiled.errors.join(" ")}`;
  const made = compiled.fill((name) => values[name]);
  return made.ok ? made.url.href : `refused: ${made.message}`;
}

describe("a value in the path or the query of a URL", () => {
  const base = "https://a.test";
  const encoded = encodeURIComponent("ünï😀");
  const second = "x HTTP/1.1\r\nX-Injected: yes\r\n\r\nGET /second HTTP/1.1\r\nHost: evil\r\n\r\n";
  it.for([
    ["/x/{{id}}?q={{q}}", { id: "7", q: "a b" }, "/x/7?q=a%20b"],
    ["/x/{{id}}", { id: "a/../b?c#d" }, "/x/a%2F..%2Fb%3Fc%23d"],
    ["/?q={{q}}&z=1", { q: "1&z=2#f" }, "/?q=1%26z%3D2%23f&z=1"],
    ["/{{id}}", { id: "\r\nHost: evil" }, "/%0D%0AHost%3A%20evil"],
    [
      "/a/{{id}}?q={{q}}",
      { id: second, q: second },
      `/a/${encodeURIComponent(second)}?q=${encodeURIComponent(second)}`,
    ],
    ["/{{id}}", { id: "ünï😀" }, `/${encoded}`],
    ["/{{id}}/{{q}}", { id: 7, q: true }, "/7/true"],
    // A step up in a spelling that is none.
    ["/x/{{id}}/y", { id: "%2e%2e" }, "/x/%252e%252e/y"],
    ["/x/{{id}}...", { id: "." }, "/x/...."],
    // What looks like another value is none.
    ["/{{id}}/{{q}}", { id: "value1x", q: "Q" }, "/value1x/Q"],
    ["/{{id}}-{{q}}", { id: "value1x", q: "Q" }, "/value1x-Q"],
    ["/{{id}}", { id: "{{q}}", q: "Q" }, "/%7B%7Bq%7D%7D"],
    ["/{{id}}", { id: "$&$1" }, "/%24%26%241"],
    // In the query the pair of a missing value is left out.
    ["/?a=1&q={{q}}", {}, "/?a=1"],
    ["/?q={{q}}", { q: "" }, "/?q="],
  ] as const)("is encoded whatever it holds: %s of %j", ([template, values, expected]) => {
    expect(filled(base + template, values)).toBe(base + expected);
  });

  it.for([
    ["/x/{{id}}/y", ".", /^refused: .*elsewhere/],
    ["/x/{{id}}/y", "..", /^refused: .*elsewhere/],
    ["/x/.{{id}}/y", ".", /^refused: /],
    ["/x/%2e{{id}}/y", ".", /^refused: /],
    ["/x/%{{id}}", "2e", /^refused at load: .*complete the %/],
    ["/x/%2{{id}}", "e", /^refused at load/],
    ["/users/{{id}}", undefined, /^refused: .*"id" is missing/],
    ["/users/{{id}}", "", /^refused: .*empty/],
    ["/{{id}}", {}, /^refused: The argument "id"/],
    ["/{{id}}", ["a"], /^refused: The argument "id"/],
    ["/{{id}}", Number.NaN, /^refused: The argument "id"/],
    ["/{{id}}", "\ud800", /^refused: The argument "id"/],
  ] as const)("in %s is never a step up, missing or no text: %j", ([template, id, refusal]) => {
    expect(filled(base + template, { id })).toMatch(refusal);
  });
});

describe("a placeholder elsewhere", () => {
  it.for([
    ...words(`
      https://{{host}}/x https://a.test:{{host}}/x https://{{host}}@a.test/x https://a.{{host}}/ https://{{host}}
      {{host}}://a.test/ {{url}}.evil.test/ {{url}}:8080/x {{url}}@evil.test/ {{url}}{{id}} https:{{host}}
      //{{host}}/x ftp://a.test/{{id}} https://a.test\\{{id}} https://a.test/{{id}}#{{q}} https://a.test/#x
      /x/{{id}} https://u:p@a.test/{{id}} https://a.test/{{nope}} https://a.test/{{id http://?{{q}}
    `),
    " https://a.test/{{id}}",
    "",
  ])("is refused at load in host, port, user and scheme: %j", (template) => {
    expect(filled(template, { host: "h", url: "http://h", id: "i", q: "q" })).toMatch(/^refused at load/);
  });
});

describe("a placeholder that starts the URL", () => {
  it.for([
    ["{{url}}/health", { url: "http://a.test:81" }, "http://a.test:81/health"],
    ["{{url}}/health", { url: "https://a.test/" }, "https://a.test/health"],
    ["{{url}}/health", { url: "https://a.test/base/" }, "https://a.test/base/health"],
    ["{{url}}", { url: "https://a.test/x?y=1" }, "https://a.test/x?y=1"],
    ["{{url}}?q={{q}}", { url: "https://a.test/x", q: "&" }, "https://a.test/x?q=%26"],
    ["{{url}}/{{id}}", { url: "https://a.test", id: "a/b" }, "https://a.test/a%2Fb"],
  ] as const)("is a whole URL, which the author's part goes on: %s of %j", ([template, values, expected]) => {
    expect(filled(template, values)).toBe(expected);
  });

  it.for([
    ...words(`
      a.test //a.test /etc/passwd file:///etc/passwd ftp://a.test javascript:alert(1) http:// http:/a.test
      http://u:p@a.test http://u@a.test http://a.test\\@b.test http://a.test/?x= http://a.test/# http://a.test:0
      http://a.test:99999 http://\0 ftp://127.0.0.1 gopher://127.0.0.1:6379/_x data:text/plain,x 127.0.0.1
      //127.0.0.1 http://user:pw@127.0.0.1 http://a.test#@127.0.0.1 http://a.test?x= http://a.test\\@127.0.0.1 http://a.test\0
    `),
    ...["", "http://a.test\n", "http://a.test\r\nX: y", " http://a.test", 7, null, undefined, {}],
  ])("is refused when it is anything else: %j", (url) => {
    expect(filled("{{url}}/health", { url })).toMatch(/^refused: /);
  });
});
