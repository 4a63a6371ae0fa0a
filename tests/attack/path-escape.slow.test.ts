/** No spelling and no arrangement of links leads a file operation out of its root; versions with a mistake are caught by the same attacks. */
import { describe, expect, it } from "vitest";
import { attackWithCorpus, attackWithLayouts } from "./path-attacks.ts";
import {
  blockingOpen,
  decodedAfterCheck,
  hardLinksRead,
  lexicalCheck,
  type MakeSubject,
  makesParentsFirst,
  parentOnlyCheck,
  prefixCheck,
  protectedByText,
  realSubject,
  walkFollowsLinks,
  writesInPlace,
} from "./path-subjects.ts";

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
  it.for(Object.entries({ prefixCheck, decodedAfterCheck }))(
    "are caught by the corpus: %s",
    async ([, subject]) => {
      expect((await attackWithCorpus(subject)).escapes).not.toEqual([]);
    },
  );

  const caughtByLayouts: readonly (readonly [string, MakeSubject, string])[] = [
    ["lexicalCheck", lexicalCheck, "a link to a file outside"],
    ["parentOnlyCheck", parentOnlyCheck, "a link that leads nowhere yet"],
    ["hardLinksRead", hardLinksRead, "a hard link"],
    ["writesInPlace", writesInPlace, "a hard link"],
    ["makesParentsFirst", makesParentsFirst, "missing directories outside"],
    ["protectedByText", protectedByText, "a protected name"],
    ["blockingOpen", blockingOpen, "a FIFO"],
    ["walkFollowsLinks (needs Linux)", walkFollowsLinks, "a link to a directory outside"],
  ];
  it.for(caughtByLayouts)("are caught by the layouts: %s", async ([name, subject, because], { skip }) => {
    if (name.includes("Linux") && process.platform !== "linux") return skip("it needs Linux");
    expect((await attackWithLayouts(subject, because)).escapes).not.toEqual([]);
  });
});
