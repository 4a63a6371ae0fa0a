import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

// `npm run test:unit` leaves out what takes longer; `npm run test:slow`, `test:conformance`, `test:console`,
// `test:scale` and `test:agents` run only that.
const suite = process.env.TOOLGATE_TESTS;
const apart = ["slow", "agents", "conformance", "console", "scale"].map(
  (name) => `tests/**/*.${name}.test.ts`,
);

export default defineConfig({
  test: {
    include:
      suite === undefined
        ? ["tests/**/*.test.ts", "console/tests/*.test.ts"]
        : [`tests/**/*.${suite}.test.ts`],
    exclude: suite === undefined ? apart : [],
    // A test that hangs is found all the same; one on a busy machine is not taken for it.
    testTimeout: suite === undefined ? 60_000 : 300_000,
    // Servers, browsers and databases start there, and on a busy machine that takes its time.
    hookTimeout: 120_000,
    // Whoever polls waits for something to happen: the usual second is a bound that nobody chose.
    expect: { poll: { timeout: 30_000 } },
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
    // Two thirds of the time of isolated files is importing. Unit tests share what a worker has imported: a test puts back
    // what it changes in its process (HOME, variables, timers).
    isolate: suite !== undefined,
    // By default one core is left idle; of two that is half.
    maxWorkers: "100%",
  },
});
