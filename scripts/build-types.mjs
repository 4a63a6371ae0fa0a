// Rolls the declarations of the public names up into a few files: what TypeScript wrote beside each of a thousand files, only what is reached.
// `node scripts/build-types.mjs`, at the end of `npm run build`.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { dts } from "rolldown-plugin-dts";

const dist = fileURLToPath(new URL("../dist", import.meta.url));
const target = join(dist, "types");

rmSync(target, { recursive: true, force: true });
const bundle = await rolldown({
  input: {
    index: join(dist, "index.d.ts"),
    testing: join(dist, "testing/index.d.ts"),
    contract: join(dist, "surfaces/rest/contract.d.ts"),
  },
  external: (id) => !/^[./]/.test(id),
  plugins: [dts({ dtsInput: true, tsconfig: false, sourcemap: false })],
});
await bundle.write({
  dir: target,
  format: "es",
  chunkFileNames: "part-[hash].d.ts",
  // For `await using`: programs that do not name it get it from Node's types, if they have those.
  banner: '/// <reference lib="esnext.disposable" />',
});
await bundle.close();
