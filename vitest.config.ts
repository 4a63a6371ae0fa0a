import { defineConfig } from "vitest/config";

// `npm run test:unit` leaves out what takes longer; `npm run test:slow` runs only that.
const slow = process.env.TOOLGATE_TESTS === "slow";

export default defineConfig({
  test: {
    include: [slow ? "tests/**/*.slow.test.ts" : "tests/**/*.test.ts"],
    exclude: slow ? [] : ["tests/**/*.slow.test.ts"],
    testTimeout: slow ? 300_000 : 20_000,
    pool: "forks",
    // Time budgets (50 ms for patterns, 100 ms for schemas) count wall time: on a busy machine a test of one may need a second try.
    retry: process.env.CI ? 2 : 0,
  },
});
