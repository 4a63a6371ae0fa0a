import { describe, expect, it } from "vitest";
import { codebase } from "../../../../../src/sources/builtin/search/codebase.ts";
import { queryWords } from "../../../../../src/sources/builtin/search/ranking/words.ts";
import { readingGate } from "../reading-gate.ts";
import { describeRefusals } from "../refusals.ts";

const filler = (words: string) => Array.from({ length: 40 }, (_, index) => `// ${words} ${index}`).join("\n");
const files = {
  "src/rate-limiter.ts": `${filler("nothing to see")}\nexport function countCalls(window) {\n  return limitsPerWindow(window);\n}\n`,
  "src/http/parse_request.py": "def parse_http_request(raw):\n    return Request(raw)\n",
  "src/http/HttpServer.java": "class HTTPServer {\n  void parseHttpRequest() {}\n}\n",
  "src/other.ts": filler("the call is counted by somebody else once"),
  "docs/limits.md": "# Limits\nHow the rate of calls is limited.\n",
  ".gitignore": "dist/\n",
  "dist/rate-limiter.js": "rate limiter countCalls limitsPerWindow\n",
  ".env": "RATE_LIMITER_KEY=1\n",
  "package-lock.json": '{ "rate-limiter": "limits of the rate" }\n',
  "blob.bin": Buffer.from("rate limiter\0"),
};

interface Found {
  results: { path: string; startLine: number; endLine: number; text: string; score: number }[];
}

describeRefusals(codebase, (path) => ({ query: "alpha", path }), {
  files: { "dir/a.txt": "alpha\n" },
  path: "dir",
});

describe("search.codebase", () => {
  const search = async (input: object) => {
    const { data } = await readingGate(codebase, files);
    return (await data(input)) as unknown as Found;
  };

  it("puts the file that says most first, with its best lines", async () => {
    const { results } = await search({ query: "where are the limits of a window counted?" });
    expect(results[0]).toMatchObject({ path: "src/rate-limiter.ts" });
    expect(results[0]?.text).toContain("limitsPerWindow");
    expect(results[0]?.startLine).toBeGreaterThan(35);
    expect(results[0]?.endLine).toBeLessThanOrEqual(44);
  });

  it("knows identifiers by their words, however they are written", async () => {
    for (const query of [
      "parse http request",
      "parseHTTPRequest",
      "parse_http_request",
      "PARSE-HTTP-REQUEST",
    ]) {
      const { results } = await search({ query });
      expect(
        results
          .map(({ path }) => path)
          .slice(0, 2)
          .sort(),
        query,
      ).toEqual(["src/http/HttpServer.java", "src/http/parse_request.py"]);
    }
  });

  it("counts the words of paths", async () => {
    const { results } = await search({ query: "limits" });
    expect(results[0]?.path).toBe("docs/limits.md");
  });

  it("leaves out ignored, protected, binary and generated files", async () => {
    const { results } = await search({ query: "rate limiter key limits", limit: 30 });
    const paths = results.map(({ path }) => path);
    for (const path of ["dist/rate-limiter.js", ".env", "blob.bin", "package-lock.json"])
      expect(paths).not.toContain(path);
  });

  it("keeps to a folder, a glob and a number of files", async () => {
    expect((await search({ query: "parse request", path: "src/http", limit: 1 })).results).toHaveLength(1);
    expect((await search({ query: "parse request", glob: "*.py" })).results.map(({ path }) => path)).toEqual([
      "src/http/parse_request.py",
    ]);
  });

  it("says that nothing was found, or that nothing was asked", async () => {
    const { text, code } = await readingGate(codebase, files);
    expect(await text({ query: "quantum chromodynamics" })).toContain(
      '[No file holds a word of "quantum chromodynamics"',
    );
    expect(await code({ query: "where is the" })).toBe("bad_query");
    expect(await code({ query: "limits", path: "docs/limits.md" })).toBe("not_a_directory");
  });
});

describe("words", () => {
  it("come to the same stem", () => {
    for (const [one, other] of [
      ["policies", "policy"],
      ["parsing", "parse"],
      ["matches", "match"],
      ["limited", "limits"],
      ["classes", "class"],
    ]) {
      expect(queryWords(one ?? "")).toEqual(queryWords(other ?? ""));
    }
  });
});
