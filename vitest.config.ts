import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

// `npm run test:unit` leaves out what takes longer; `npm run test:slow`, `test:conformance` and `test:agents` run only that.
const suite = process.env.TOOLGATE_TESTS;
const apart = ["slow", "agents", "conformance"].map((name) => `tests/**/*.${name}.test.ts`);

export default defineConfig({
  test: {
    include: [suite === undefined ? "tests/**/*.test.ts" : `tests/**/*.${suite}.test.ts`],
    exclude: suite === undefined ? apart : [],
    testTimeout: suite === undefined ? 20_000 : 300_000,
    globalSetup: "tests/build-thread.ts",
    alias: [
      {
        find: /^\.{1,2}\/.*module-beside\.ts$/,
        replacement: fileURLToPath(new URL("tests/module-beside.ts", import.meta.url)),
      },
    ],
    // Real clients and kill points must not fight for two cores.
    fileParallelism: suite === undefined,
    pool: "forks",
    // By default one core is left idle; of two that is half.
    maxWorkers: "100%",
    // Time budgets (50 ms for patterns, 100 ms for schemas) count wall time: on a busy machine a test of one may need a second try.
    retry: process.env.CI ? 2 : 0,
  },
});
