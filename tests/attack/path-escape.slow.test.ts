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

const onLinux = it.skipIf(process.platform !== "linux");

describe("paths that try to leave the root", () => {
  for (const mechanism of process.platform === "linux"
    ? (["handles", "paths"] as const)
    : (["paths"] as const)) {
    it(`stay inside for every spelling of the corpus, by ${mechanism}`, async () => {
      const report = await attackWithCorpus(realSubject({ mechanism }));
      expect(report.escapes).toEqual([]);
      expect(report.attempts).toBeGreaterThan(10_000);
    });

    it(`stay inside for every arrangement of links and special files, by ${mechanism}`, async () => {
      const report = await attackWithLayouts(realSubject({ mechanism }));
      expect(report.escapes).toEqual([]);
      expect(report.attempts).toBeGreaterThan(90);
    });
  }
});

describe("versions with a mistake", () => {
  for (const [name, subject] of Object.entries({ prefixCheck, decodedAfterCheck })) {
    it(`are caught by the corpus: ${name}`, async () => {
      expect((await attackWithCorpus(subject)).escapes).not.toEqual([]);
    });
  }

  const caughtByLayouts: readonly (readonly [string, MakeSubject, string])[] = [
    ["lexicalCheck", lexicalCheck, "a link to a file outside"],
    ["parentOnlyCheck", parentOnlyCheck, "a link that leads nowhere yet"],
    ["hardLinksRead", hardLinksRead, "a hard link"],
    ["writesInPlace", writesInPlace, "a hard link"],
    ["makesParentsFirst", makesParentsFirst, "missing directories outside"],
    ["protectedByText", protectedByText, "a protected name"],
    ["blockingOpen", blockingOpen, "a FIFO"],
  ];
  it.each(caughtByLayouts)("are caught by the layouts: %s", async (_name, subject, because) => {
    expect((await attackWithLayouts(subject, because)).escapes).not.toEqual([]);
  });

  onLinux("are caught by the layouts: walkFollowsLinks", async () => {
    const { escapes } = await attackWithLayouts(walkFollowsLinks, "a link to a directory outside");
    expect(escapes).not.toEqual([]);
  });
});
