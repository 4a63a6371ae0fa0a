import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toMarkdown } from "../../../../../src/sources/builtin/web/html/to-markdown.ts";
import { words } from "../../../../words.ts";

const url = "https://example.org/docs/page.html";
const convert = (html: string, plain = false) => toMarkdown(html, { url, plain });
const markdown = (html: string) => convert(html).text;

describe("HTML as Markdown", () => {
  it.each([
    ["<h1>One</h1><h2>Two <em>x</em></h2>", "# One\n\n## Two _x_"],
    ['<h2>Use<a href="#use">#</a></h2>', "## Use"],
    ["<p>a<p>b<div>c</div>d", "a\n\nb\n\nc\n\nd"],
    ["one<br>two<br/>three", "one\ntwo\nthree"],
    ["<p>  many\n   blanks\t here </p>", "many blanks here"],
    ["<b>bold</b> <strong> spaced </strong><i>x</i>", "**bold** **spaced** _x_"],
    ["<b>outer <b>inner</b></b>", "**outer inner**"],
    ["<b></b><i> </i>x", "x"],
    ["<del>gone</del> <code>a `b` c</code> <kbd>Ctrl</kbd>", "~~gone~~ `` a `b` c `` `Ctrl`"],
    ["10<sup>6</sup> and note<sup>[1]</sup>", "10^6 and note[1]"],
    ["<q>said</q>", "“said”"],
    ["a<hr>b", "a\n\n---\n\nb"],
    ["<blockquote><p>one</p><p>two</p></blockquote>after", "> one\n>\n> two\n\nafter"],
    ["<dl><dt>Term<dd>Meaning</dl>", "**Term**\n\n: Meaning"],
    ["<details><summary>More</summary>Inside</details>", "More\n\nInside"],
    [
      "a &lt; b &amp;amp; c &eacute; &#8217; &#x1F600; &nope; &copy 2 &#0; &#150;",
      "a < b &amp; c é ’ 😀 &nope; © 2 � –",
    ],
    ["a < b and c > d <3", "a < b and c > d <3"],
  ])("turns %j into Markdown", (html, expected) => {
    expect(markdown(html)).toBe(expected);
  });

  it("writes lists, nested, numbered, with several paragraphs, also when nobody closes the items", () => {
    expect(markdown("<ul><li>one<li>two<ul><li>deep</li></ul><li><p>first</p><p>second</p></ul>")).toBe(
      "- one\n- two\n  - deep\n- first\n\n  second",
    );
    expect(markdown("before<ol start=9><li>nine<li>ten</ol><ul><li>x</ul>")).toBe(
      "before\n\n9. nine\n10. ten\n\n- x",
    );
    expect(markdown("<blockquote><ul><li>a<li>b</ul></blockquote>")).toBe("> - a\n> - b");
  });

  it("keeps code as it is, with its language and a fence that nothing in it ends", () => {
    expect(
      markdown('<pre><code class="language-js">let a = 1;\n\n  b(&quot;*x*&quot;);\n</code></pre>'),
    ).toBe('```js\nlet a = 1;\n\n  b("*x*");\n```');
    expect(markdown('<div class="highlight-python"><pre>x = 1</pre></div>')).toBe("```python\nx = 1\n```");
    expect(markdown("<pre>```\nx\n```</pre>")).toBe("````\n```\nx\n```\n````");
    expect(markdown("<pre>fn f()<div>where T</div><div>{}</div></pre>")).toBe(
      "```\nfn f()\nwhere T\n{}\n```",
    );
    expect(markdown("<ul><li>do<pre>a\nb</pre></ul>")).toBe("- do\n\n  ```\n  a\n  b\n  ```");
  });

  it("writes tables, with a header or without, and flattens what a cell cannot hold", () => {
    const html = `<table><caption>Cap</caption><thead><tr><th>A</th><th>B|b</th></tr></thead>
      <tr><td>1<td><ul><li>x<li>y</ul><tr><td colspan="2">wide</table>`;
    expect(markdown(html)).toBe("Cap\n\n| A | B\\|b |\n| --- | --- |\n| 1 | - x<br>- y |\n| wide |  |");
    expect(markdown("<table><tr><td>1<td>2<tr><td>3<td>4</table>")).toBe(
      "|  |  |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |",
    );
  });

  it("takes tables that only arrange the page apart", () => {
    expect(markdown("<table><tr><td>menu<td><table><tr><td>a<td>b<tr><td>c<td>d</table></table>")).toBe(
      "menu\n\n|  |  |\n| --- | --- |\n| a | b |\n| c | d |",
    );
    expect(markdown('<table role="presentation"><tr><td><h1>T</h1><td><p>x</table>')).toBe("# T\n\nx");
    expect(markdown("<table><tr><td>only one</table>")).toBe("only one");
  });

  it("makes links absolute, and leaves out those that lead nowhere", () => {
    expect(markdown('<a href="../x?a=1&amp;b=2">up</a> <a href="//cdn.org/y">y</a>')).toBe(
      "[up](https://example.org/x?a=1&b=2) [y](https://cdn.org/y)",
    );
    expect(
      markdown('<a href="#top">top</a> <a href="javascript:x()">js</a> <a>bare</a> <a href="data:,x">d</a>'),
    ).toBe("top js bare d");
    expect(markdown('<a href="page.html#part">part</a> <code>x == <a href="/y">y</a></code>')).toBe(
      "part `x == y`",
    );
    expect(markdown('<base href="/other/"><a href="z">z</a>')).toBe("[z](https://example.org/other/z)");
    expect(markdown('<a href="https://a.org/">https://a.org/</a> <a href="/wiki/A_(b)">A</a>')).toBe(
      "https://a.org/ [A](https://example.org/wiki/A_%28b%29)",
    );
    expect(markdown('<a href="/card"><h3>Card</h3><p>About it</p></a>')).toBe(
      "### [Card](https://example.org/card)\n\nAbout it",
    );
    expect(markdown("<a href=/one>one<a href=/two>two")).toBe(
      "[one](https://example.org/one)[two](https://example.org/two)",
    );
  });

  it("names pictures that have a text, and no others", () => {
    expect(
      markdown(
        '<img src="a.png" alt="A  chart"> <img src=b.png> <img alt="inline" src="data:image/png;base64,xx">',
      ),
    ).toBe("![A chart](https://example.org/docs/a.png) inline");
  });

  it("leaves out scripts, styles, forms, drawings and navigation", () => {
    const html = `<head><title>T</title><style>p { color: red }</style><script>if (a < b) document.write("<p>no</p>")</script></head>
      <nav>menu</nav><svg><title>icon</title><text>drawn</text></svg><button>Copy</button><select><option>o</select><textarea>t</textarea>
      <iframe>frame</iframe><template><p>later</template><p>${"Text. ".repeat(50)}</p><footer>legal</footer><div role="navigation">more menu</div>`;
    const page = convert(html);
    expect(page.title).toBe("T");
    expect(page.text).toBe("Text. ".repeat(50).trim());
  });

  it("leaves out what the page hides, counts it, and is not fooled by how deep it is", () => {
    const hidden = [
      "<p hidden>X</p>",
      '<p aria-hidden="true">X</p>',
      '<p style="DISPLAY : none !important">X</p>',
      '<span style="color:red;visibility:hidden">X</span>',
      '<div style="font-size:0px">X</div>',
      '<div style="position:absolute;left:-9999px">X</div>',
      '<div style="opacity:0">X</div>',
      '<div style="height:0;overflow:hidden">X</div>',
      "<dialog>X</dialog>",
      `${"<div>".repeat(3_000)}<p hidden>X</p>`,
    ];
    for (const html of hidden)
      expect(convert(`a ${html}`), html.slice(-60)).toMatchObject({ text: "a", hidden: 1 });
    for (const style of ["opacity:0.5", "font-size:0.9em", "left:-10px", "display:block", "height:0.5em"])
      expect(markdown(`<p style="${style}">X</p>`), style).toBe("X");
  });

  it("prefers what the page says is its content", () => {
    const words = "Words of the article. ".repeat(20);
    const around = "<div>around</div><aside>ads</aside>";
    expect(convert(`${around}<main><aside>note</aside>${words}</main>${around}`)).toMatchObject({
      isPart: true,
      text: `note\n\n${words.trim()}`,
    });
    expect(convert(`<div>x</div><article>${words}</article>`).isPart).toBe(true);
    expect(convert(`<div role=main>${words}</div>y`).text).toBe(words.trim());
    const list = `<article>${words}</article>`.repeat(3);
    expect(convert(list).isPart).toBe(false);
    expect(convert(`<main>short</main><div>${words}</div>`).isPart).toBe(false);
  });

  it("shows navigation where there is nothing else, and all text of a page that never closes it", () => {
    expect(markdown('<nav><a href="/a">A</a></nav>')).toBe("[A](https://example.org/a)");
    expect(markdown(`<nav>menu<p>${"Text. ".repeat(50)}`)).toContain("Text. Text.");
  });

  it("copes with tags in the wrong order", () => {
    expect(markdown("<b><p>one</b> two</p>")).toBe("**one** two");
    expect(markdown("<p>a</div></span></table>b</p>")).toBe("ab");
    expect(markdown("<div><table><tr><td>x</div>y<td>z<tr><td>1<td>2</table>w</div>")).toBe(
      "|  |  |\n| --- | --- |\n| xy | z |\n| 1 | 2 |\n\nw",
    );
    expect(markdown("<ul><li>a<table><tr><td>c</ul>d<td>e<tr><td>f<td>g</table><li>b</ul>")).toContain("- b");
    expect(markdown("<p>a<td>b</p>c<tr></div>d")).toBe("a\n\nb\n\nc\n\nd");
    expect(markdown("<div hidden><td>x</div>after")).toBe("after");
    expect(markdown("<h1>One<h2>Two")).toBe("# One\n\n## Two");
    expect(markdown("text <a href='/x' never closed")).toBe("text");
    expect(markdown("a<!-- x -- > b --> c<!x>d<?php x ?>e</ >f")).toBe("a cdef");
  });

  it("writes plain text without any marks", () => {
    const html =
      '<h1>T</h1><p><b>b</b> <a href="/x">link</a> <code>c</code></p><table><tr><th>A<th>B<tr><td>1<td>2</table>';
    expect(convert(html, true).text).toBe("T\n\nb link c\n\nA | B\n1 | 2");
  });

  it("never breaks, and never shows what is in a script or hidden, whatever the tags are", () => {
    const pieces = fc.constantFrom(
      ...words(`
        <p> </p> <div> </div> <b> </b> </a> <ul> <li> </ul> <table> <tr> <td> </td> </table> <pre> </pre> <main>
        </main> <nav> </nav> <h1> </h1> <br> &amp; <blockquote> </blockquote> <dl><dt> <dd> </dl> <svg/> <!-- -->
        <code> </code> <title> </title> <script>SECRET</script> <style>SECRET</style>
      `),
      // Before a letter "<" would open a tag, and the next tag would be its attribute.
      ...["<a href=/x>", "text ", "< ", "<p hidden>SECRET</p>", '<i style="display:none">SECRET</i>'],
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), fc.boolean(), (parts, plain) => {
        // In a comment or in code the tags that would hide it are text themselves.
        const html = parts.filter((part) => !["<!--", "<title>"].includes(part)).join("");
        const { text } = convert(html, plain);
        expect(text).not.toContain("SECRET");
        expect(text).toBe(text.trim());
        expect(() => convert(parts.join(""), plain)).not.toThrow();
      }),
      { numRuns: 300 },
    );
  });
});
