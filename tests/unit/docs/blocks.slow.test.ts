/** Every block of the README and of the tutorials does what it says, for a reader with an empty home who types one after the other. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { blocksOf, type PageBlock, printed, type Shown } from "./page-blocks.ts";
import { createReader, type Reader } from "./reader.ts";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");
const tutorials = globSync("docs/tutorials/*.md", { cwd: root }).sort();
const pages = ["README.md", ...tutorials].map((page) => ({
  page,
  blocks: blocksOf(page, readFileSync(join(root, page), "utf8")),
}));

beforeAll(() => {
  if (!existsSync(join(root, "dist/cli.js")))
    throw new Error("The pages use the built package, and dist/ is missing: run `npm run build` first.");
});

it("finds the three tutorials, and blocks on every page", () => {
  expect(tutorials).toHaveLength(3);
  expect(pages.filter(({ blocks }) => blocks.length < 4)).toEqual([]);
});

it("lets a page leave out only what a test elsewhere runs, or what needs the network", () => {
  const left = pages.flatMap(({ blocks }) => blocks.filter((block) => block.kind === "not-run"));
  for (const { reason, text } of left) {
    const [named] = /tests\/[\w./-]+/.exec(reason) ?? [];
    if (named !== undefined) expect(existsSync(join(root, named)), named).toBe(true);
    else expect(reason).toMatch(/registry|model/);
    if (/\bclaude\b/.test(text)) expect(named, text).toMatch(/^tests\/agents\//);
  }
});

for (const { page, blocks } of pages) {
  describe(page, () => {
    let reader: Reader;
    beforeAll(async () => {
      reader = await createReader(root);
      await mustRun(reader, "npm install --global . && cd && git init -q my-project");
      // What the README calls "an MCP server of yours".
      const server = pages.flatMap((one) => one.blocks).find((block) => nameOf(block) === "orders.mjs");
      if (page === "README.md" && server?.kind === "file") reader.save("my-project/orders.mjs", server.text);
      if (page === "README.md") await mustRun(reader, `cd '${root}'`);
    });
    afterAll(() => reader.close());

    for (const block of blocks) {
      it.skipIf(block.kind === "not-run")(`does what it says: ${page}:${block.line}`, async () => {
        await follow(block, reader);
      });
    }
  });
}

async function follow(block: PageBlock, reader: Reader): Promise<void> {
  if (block.kind === "file") reader.save(block.name, reader.local(block.text));
  if (block.kind === "lines") await followLines(block.text, reader);
  if (block.kind === "rules") {
    reader.save("rules-of-the-page.yaml", block.text);
    await mustRun(reader, "toolgate test rules-of-the-page.yaml && rm rules-of-the-page.yaml");
  }
  if (block.kind !== "console") return;
  for (const shown of block.commands) await followShown(shown, block.again, reader);
}

/** A line that starts a server does not come back: it gets a terminal of its own. */
async function followLines(text: string, reader: Reader): Promise<void> {
  for (const part of reader.local(text).split(/^(toolgate serve.*)\n/m)) {
    if (part.startsWith("toolgate serve")) await reader.serve(part);
    else await mustRun(reader, part);
  }
}

async function followShown({ command, code, prints }: Shown, again: boolean, reader: Reader): Promise<void> {
  const expected = printed(reader.local(prints));
  if (command.startsWith("toolgate serve")) {
    expect(await reader.serve(reader.local(command))).toMatch(expected);
    return;
  }
  // A terminal shows the same with and without the last line break.
  const look = async () => {
    const { code, said } = await reader.run(reader.local(command));
    return { code, said: said === "" || said.endsWith("\n") ? said : `${said}\n` };
  };
  let ran = await look();
  for (let left = again ? 100 : 0; left > 0 && !expected.test(ran.said); left--) {
    await sleep(200);
    ran = await look();
  }
  expect(ran.said).toMatch(expected);
  expect(ran.code, ran.said).toBe(code);
}

async function mustRun(reader: Reader, lines: string): Promise<void> {
  const { code, said } = await reader.run(lines);
  if (code !== 0) throw new Error(`${lines}\nended with ${code}:\n${said}`);
}

function nameOf(block: PageBlock): string | undefined {
  return block.kind === "file" ? block.name : undefined;
}
