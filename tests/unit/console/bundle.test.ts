import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";

// `npm test` builds before it tests.
const folder = resolve(import.meta.dirname, "../../../dist/console");
const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.includes("."));
const read = (name: string) => readFileSync(join(folder, name), "utf8");
const sent = names.filter((name) => name !== "LICENSES.txt");

describe("the built console", () => {
  it("is smaller than 250 KB in all when it is compressed", () => {
    const bytes = sent.reduce((sum, name) => sum + gzipSync(read(name)).length, 0);
    expect(bytes).toBeLessThan(250_000);
  });

  it("is a page and files with hashed names, and nothing else", () => {
    const others = sent.filter((name) => name !== "index.html");
    expect(others.filter((name) => !/^assets\/[\w.-]+-[\w-]{8}\.(?:js|css|svg)$/.test(name))).toEqual([]);
    expect(others.length).toBeGreaterThanOrEqual(3);
  });

  it("has no script and no style in its page, and names nothing of another origin", () => {
    const page = read("index.html");
    expect(page).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)|https?:/);
    for (const [, address] of page.matchAll(/(?:src|href)="([^"]+)"/g))
      expect(address).toMatch(/^\.\/assets\//);
  });

  it("evaluates no text and hands no text to the page as HTML", () => {
    for (const name of sent.filter((name) => name.endsWith(".js"))) {
      const text = read(name);
      expect(text.match(/\bnew Function\b|\beval\(|document\.write|insertAdjacentHTML/g)).toBeNull();
      // React has its own for what nobody uses here.
      expect(text.match(/createContextualFragment|\.outerHTML\s*=/g)).toBeNull();
    }
  });

  it("says whose code it holds", () => {
    for (const name of ["react", "react-dom", "wouter"])
      expect(read("LICENSES.txt")).toMatch(new RegExp(`^${name} \\d`, "m"));
  });
});
