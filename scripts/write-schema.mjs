/** Writes the JSON Schemas for editors from the format that files are checked against. Run after changing a shape of a rule, of a section of the configuration, or of a plugin. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { configSchema, routesSchema } from "../src/config/file/file-schema.ts";
import { pluginSchema } from "../src/sources/plugins/plugin-format.ts";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const files = {
  "schemas/toolgate.schema.json": configSchema,
  "schemas/tool-routes.schema.json": routesSchema,
  "schemas/plugin.schema.json": pluginSchema,
};
mkdirSync(join(root, "schemas"), { recursive: true });
for (const [file, schema] of Object.entries(files)) {
  writeFileSync(join(root, file), `${JSON.stringify(schema, null, 2)}\n`);
}
execFileSync("npx", ["biome", "format", "--write", ...Object.keys(files)], { cwd: root, stdio: "inherit" });
