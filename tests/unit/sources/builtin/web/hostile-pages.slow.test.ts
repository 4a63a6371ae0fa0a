import { describe, expect, it } from "vitest";
import { processorMs } from "../../../../processor-time.ts";
import { servePages, webGate } from "./web-gate.ts";

const megabytes = 5_000_000;
const filled = (piece: string, before = "") =>
  before + piece.repeat(Math.floor((megabytes - before.length) / piece.length));

/** Pages that are made to keep a converter busy, each 5 MB unless it says otherwise. */
const pages: Readonly<Record<string, () => string>> = {
  "100,000 elements in each other": () => `${"<div>".repeat(100_000)}text`,
  "nothing but start tags": () => filled("<div>"),
  "marks in each other": () => filled("<b><i>"),
  "very many marks in one paragraph": () => filled("<b>x</b> ", "<p>"),
  "very many links": () => filled("<a href=/x>y</a>", "<p>"),
  "end tags of nothing": () => filled("</x>", "<div>".repeat(1_900)),
  "lists in each other": () => filled("<ul><li>"),
  "quotes in each other": () => filled("<blockquote>x"),
  "tables in each other": () => filled("<table><tr><td>"),
  "one row with very many cells": () => filled("<td>x", "<table><tr>"),
  "very many rows beside a wide one": () => filled("<tr><td>x", `<table><tr>${"<td>x".repeat(100)}`),
  "a huge attribute": () => `<p class='${"x".repeat(megabytes)}'>text`,
  "very many attributes": () => `<p ${filled("a=b ")}>text`,
  "tags that never end": () => filled("<a "),
  "comments that never end": () => filled("<!--"),
  "entities of entities": () => filled("&amp;amp;"),
  "signs that look like entities": () => filled("&"),
  blanks: () => filled(" ", "<p>"),
  "other blanks": () => filled("\u00a0", "<p>"),
  "invisible characters": () => filled("\u200b"),
  "code in code": () => filled("<pre>\n"),
  backticks: () => filled("` ", "<code>"),
  "hidden text": () => filled("<p style='display :  none'>x"),
  "main in main": () => filled("<main><p>x"),
};

describe("web.fetch", () => {
  it.each(Object.keys(pages))(
    "reads a page with %s, or says that it cannot, while this process goes on",
    async (name) => {
      const base = await servePages({ "/": ["text/html; charset=utf-8", (pages[name] as () => string)()] });
      const { dispatch } = await webGate({ allowPrivate: true, maxBytes: 20 * 1024 * 1024 });
      const before = processorMs();
      const outcome = await dispatch("web.fetch", { url: base });
      const busyMs = processorMs() - before;
      const structured = outcome.result.structured as { code?: string } | undefined;
      expect(outcome.ok || structured?.code).toSatisfy((end) => end === true || end === "unreadable");
      // Handing over a page of 5 MB takes this thread a moment; converting it here would take seconds.
      expect(busyMs).toBeLessThan(1_000);
    },
  );
});
