/** No spelling and no arrangement of links leads a file operation out of its root; versions with a mistake are caught by the same attacks. */
import { describe, expect, it } from "vitest";
import { attackWithCorpus, attackWithLayouts } from "./path-attacks.ts";
import { mistakes, realSubject } from "./path-subjects.ts";

const mechanisms = process.platform === "linux" ? (["handles", "paths"] as const) : (["paths"] as const);

describe("paths that try to leave the root", () => {
  it.for(mechanisms)("stay inside for every spelling of the corpus, by %s", async (mechanism) => {
    const report = await attackWithCorpus(realSubject({ mechanism }));
    expect(report.escapes).toEqual([]);
    expect(report.attempts).toBeGreaterThan(10_000);
  });

  it.for(mechanisms)(
    "stay inside for every arrangement of links and special files, by %s",
    async (mechanism) => {
      const report = await attackWithLayouts(realSubject({ mechanism }));
      expect(report.escapes).toEqual([]);
      expect(report.attempts).toBeGreaterThan(90);
    },
  );
});

describe("versions with a mistake", () => {
  it.for(["prefixCheck", "decodedAfterCheck"] as const)("are caught by the corpus: %s", async (name) => {
    expect((await attackWithCorpus(mistakes[name])).escapes).not.toEqual([]);
  });

  it.for([
    ["lexicalCheck", "a link to a file outside"],
    ["parentOnlyCheck", "a link that leads nowhere yet"],
    ["hardLinksRead", "a hard link"],
    ["writesInPlace", "a hard link"],
    ["makesParentsFirst", "missing directories outside"],
    ["protectedByText", "a protected name"],
    ["blockingOpen", "a FIFO"],
    ["walkFollowsLinks", "a link to a directory outside"],
  ] as const)("are caught by the layouts: %s", async ([name, because], { skip }) => {
    if (name === "walkFollowsLinks" && process.platform !== "linux") return skip("it needs Linux");
    expect((await attackWithLayouts(mistakes[name], because)).escapes).not.toEqual([]);
  });
});
