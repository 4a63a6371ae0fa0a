import { execFileSync } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { countDescriptors, limitOfReport } from "../../../../src/safe/process/descriptors.ts";

describe("file descriptors", () => {
  it.runIf(process.platform === "linux")(
    "are counted as the system counts them, and as Node's report does, which is asked on other systems",
    () => {
      const { limit, used } = countDescriptors();
      expect(String(limit)).toBe(
        /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1],
      );
      expect(limitOfReport()).toBe(limit);
      const more = Array.from({ length: 100 }, () => openSync("/dev/null", "r"));
      expect(countDescriptors().used).toBeGreaterThan(used + 50);
      for (const fd of more) closeSync(fd);
    },
  );

  it.runIf(process.platform === "linux")(
    "that are used up refuse a call whose rule needs a deadline, with the reason, and never end the process",
    () => {
      const program = fileURLToPath(new URL("without-descriptors.ts", import.meta.url));
      const args = ["-c", 'ulimit -n 128; exec "$0" "$1"', process.execPath, program];
      const ends = JSON.parse(execFileSync("sh", args, { encoding: "utf8" })) as string[];
      expect(ends.slice(0, 2)).toEqual(["No.", "EMFILE"]);
      expect(ends[2]).toMatch(
        /^The gate could not finish this call: Too many files and connections are open \(EMFILE\)/,
      );
      expect(ends.at(-1)).toBe("No.");
    },
  );
});
