/** Paths in a line that the judge does not read: every word that is written like a path counts as one. */

import type { Location } from "../core/ports/location.ts";
import type { Subject } from "./subject.ts";

type Locate = (path: string, access: "read" | "write") => Location;

/** Where each leads is looked up, which takes time in which nobody else is served. */
const maxWords = 256;

/** Of a language that is not understood, such as PowerShell. */
export function pathsAsWritten(line: string, locate: Locate): Subject[] {
  const words = line
    .split(/[\s'"`;|&(){}<>,=]+/)
    // `-Path:x` is an option with its value.
    .map((word) => word.replace(/^-\w+:/, ""))
    .filter((word) => /[./\\~]/.test(word));
  return [...new Set(words.map((word) => word.replaceAll("\\", "/")))]
    .slice(0, maxWords)
    .map((path) => subject(path, locate(path, "write")));
}

/** For a bash line that the parser refuses. Names need no dot; quotes and invisible characters join words. */
export function pathsInUnread(line: string, locate: Locate): Subject[] {
  const bare = line.replace(/['"\\]/g, "");
  // Made here, not at the start: Node takes a while to list these characters, and few lines need them.
  const unseen = /(?![ \t\n])[\p{C}\p{Z}]/gu;
  const words = new Set<string>();
  for (const text of [line, bare, bare.replace(unseen, ""), bare.replace(unseen, " ")])
    for (const word of text.split(/[\s`;|&(){}<>,='"]+/))
      if (word !== "" && !/^[-\\]+$/.test(word)) words.add(word);
  const subjects = [...words].slice(0, maxWords).map((path) => subject(path, locate(path, "write")));
  if (words.size > maxWords) subjects.push({ ...subject(line, undefined), path: "unknown" });
  return subjects;
}

function subject(label: string, path: Location | undefined): Subject {
  return { risk: "opaque", network: true, opaque: "it is written like a path", label, ...(path && { path }) };
}
