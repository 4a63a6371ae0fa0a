/** Loaded first (`--import`): this toolgate knows TOOLGATE_TEST_STEPS more steps of the tables, as later versions do. */
import { registerHooks } from "node:module";

const known = Number(process.env.TOOLGATE_TEST_STEPS ?? 0);
/** First what only adds; then what those cannot live with who do not know that it was added. */
const later = [
  '{ sql: "ALTER TABLE toolgate.nodes ADD COLUMN label text; CREATE INDEX nodes_by_label ON toolgate.nodes (label)" }',
  '{ sql: "ALTER TABLE toolgate.nodes DROP COLUMN label", oldest: Number(process.env.TOOLGATE_TEST_OLDEST) }',
];

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.endsWith("/stores/postgres/migrate.ts")) return loaded;
    return { ...loaded, source: withLater(String(loaded.source)) };
  },
});

function withLater(source: string): string {
  const end = source.indexOf("\n];\n", source.indexOf("const steps"));
  if (end < 0) throw new Error("migrate.ts has no list of steps");
  return `${source.slice(0, end)}\n${later.slice(0, known).join(",\n")}${source.slice(end)}`;
}
