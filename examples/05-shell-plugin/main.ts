/** A tool without code: a plugin file with a command line. Values are arguments, never commands; a changed file is a changed tool. */
import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGate, createPlugins } from "toolgate";

const folder = mkdtempSync(join(tmpdir(), "toolgate-example-"));
cpSync(join(import.meta.dirname, "tools"), join(folder, "tools"), { recursive: true });
mkdirSync(join(folder, "notes"));
writeFileSync(join(folder, "notes", "fruit.txt"), "one apple\ntwo pears\n");

// Commands ask by default. Here a rule approves those of this one tool.
const gate = await createGate({
  roots: [folder],
  policies: [{ name: "searching-is-fine", tools: "search_code", action: "approve" }],
});
const plugins = await createPlugins(gate, { folders: [join(folder, "tools")] });
console.log(`loaded: ${JSON.stringify(plugins.report)}`);
assert.deepEqual(plugins.report, { success: true, toolCount: 1, errors: [], warnings: [], skipped: [] });

async function search(pattern: string, directory = "notes"): Promise<string> {
  const outcome = await gate.dispatch({ tool: "search_code", input: { pattern, directory } });
  const [block] = outcome.result.content;
  const text = outcome.ok && block?.type === "text" ? block.text : "";
  const told = outcome.ok ? text : `${outcome.error.code}: ${outcome.error.message}`;
  console.log(`   ${JSON.stringify(pattern).padEnd(24)} -> ${told}`);
  return told;
}

console.log("1. What the author wrote in the template works: quotes, ||");
assert.equal(await search("pears"), "notes/fruit.txt:2:two pears");
assert.equal(await search("plums"), "(no output)");

console.log("2. What a caller sends is one argument, whatever it looks like");
assert.equal(await search("'; touch PWNED; '"), "(no output)");
assert.equal(await search("$(touch PWNED)"), "(no output)");
assert.match(await search("-rf"), /^invalid_input: /);
assert.equal(existsSync(join(folder, "PWNED")), false);

console.log("3. A changed file is a changed tool, at the next reload");
const file = join(folder, "tools", "search.json");
const text = readFileSync(file, "utf8");
writeFileSync(file, text.replace("grep -rn", "grep -rnc"));
await plugins.reload();
assert.equal(await search("apple"), "notes/fruit.txt:1");

console.log("4. A broken file says where it is broken, and takes its tools with it");
writeFileSync(file, text.replace('"handler"', '"handlers"'));
const { success, errors } = await plugins.reload();
const [error] = errors;
console.log(`   line ${error?.line}, tool ${error?.toolName}, ${error?.field}: ${error?.message}`);
assert.equal(success, false);
assert.deepEqual([error?.line, error?.toolName, error?.field], [18, "search_code", "handlers"]);
assert.equal(gate.tools.has("search_code"), false);

await plugins.close();
await gate.close();
rmSync(folder, { recursive: true });
