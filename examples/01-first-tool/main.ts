/** A typed tool, a gate around it, and the four ways a first call can end. */
import assert from "node:assert/strict";
import { createGate, defineTool } from "toolgate";
import { z } from "zod";

const stock: Record<string, number> = { apple: 12, pear: 0 };

// The types of `run` and of every caller come from the schema.
const countStock = defineTool({
  id: "shop.count",
  description: "How many of a fruit are in stock.",
  permission: "read",
  input: z.object({ fruit: z.string().min(1), unit: z.enum(["piece", "crate"]).default("piece") }),
  run: ({ fruit, unit }) => {
    const pieces = stock[fruit];
    if (pieces === undefined) throw new Error(`we do not sell "${fruit}"`);
    return { fruit, unit, count: unit === "crate" ? Math.floor(pieces / 6) : pieces };
  },
});

const gate = await createGate({ tools: [countStock] });

// 1. Your own code has the tool in its hand: input and value are typed.
const typed = await gate.call(countStock, { fruit: "apple" });
assert.ok(typed.ok);
console.log(`1. ${typed.value.count} apples by the ${typed.value.unit}`);
assert.equal(typed.value.count, 12);

// 2. A model names the tool and sends JSON. Wrong input is a value that says what to correct, not an exception.
const wrong = await gate.dispatch({ tool: "shop.count", input: { fruit: "apple", unit: "barrel" } });
assert.ok(!wrong.ok);
console.log(`2. ${wrong.error.code} at ${wrong.error.stage}: ${wrong.error.message}`);
assert.equal(wrong.error.code, "invalid_input");
assert.equal(wrong.error.issues?.[0]?.path, "$.unit");

// 3. A name nobody has comes back with the one that was meant.
const unknown = await gate.dispatch({ tool: "shop.cuont", input: { fruit: "apple" } });
assert.ok(!unknown.ok);
console.log(`3. ${unknown.error.code}: ${unknown.error.message} ${unknown.error.hint}`);
assert.match(unknown.error.hint, /shop\.count/);

// 4. What the tool throws ends as a value too.
const failed = await gate.dispatch({ tool: "shop.count", input: { fruit: "durian" } });
assert.ok(!failed.ok);
console.log(`4. ${failed.error.code} at ${failed.error.stage}: ${failed.error.message}`);
assert.equal(failed.error.code, "tool_failed");

// What a model is told about the tool. Dots become underscores on the wire; both spellings work.
const [definition] = gate.tools.definitions();
assert.equal(definition?.name, "shop_count");
assert.ok((await gate.dispatch({ tool: "shop_count", input: { fruit: "pear" } })).ok);
console.log(`A model sees: ${definition.name} ${JSON.stringify(definition.inputSchema)}`);

await gate.close();
