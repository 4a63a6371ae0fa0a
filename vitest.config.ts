import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

// The suite of a file is the word before `.test.ts`; a file without one is a unit test. `npm run test:slow`, `test:alone` and so on
// run one suite each.
const suite = process.env.TOOLGATE_TESTS ?? "unit";
const others = ["slow", "alone", "long", "conformance", "console", "scale", "agents"];
const isUnit = suite === "unit";
// Files that measure time, memory or load, and those that share one server.
const isSerial = ["alone", "long", "conformance", "console", "scale"].includes(suite);

export default defineConfig({
  test: {
    include: isUnit ? ["tests/**/*.test.ts", "console/tests/*.test.ts"] : [`tests/**/*.${suite}.test.ts`],
    exclude: isUnit ? others.map((name) => `tests/**/*.${name}.test.ts`) : [],
    // A test that hangs is found all the same; one on a busy machine is not taken for it.
    testTimeout: isUnit ? 60_000 : 300_000,
    // Servers, browsers and databases start there, and on a busy machine that takes its time.
    hookTimeout: 120_000,
    // Whoever polls waits for something to happen: the usual second is a bound that nobody chose.
    expect: { poll: { timeout: 30_000 } },
    globalSetup: [
      "tests/check-build.ts",
      "tests/build-thread.ts",
      ...(suite === "scale" ? ["tests/scale/one-postgres.ts"] : []),
      ...(suite === "console" ? ["tests/e2e/console/one-server.ts"] : []),
    ],
    alias: [
      {
        find: /^\.{1,2}\/.*module-beside\.ts$/,
        replacement: fileURLToPath(new URL("tests/module-beside.ts", import.meta.url)),
      },
    ],
    fileParallelism: !isSerial,
    pool: "forks",
    // Two thirds of the time of isolated files is importing. Files share what a worker has imported: a test puts back what it changes
    // in its process (HOME, variables, timers).
    isolate: suite === "agents",
    // By default one core is left idle; of two that is half.
    maxWorkers: "100%",
  },
});
