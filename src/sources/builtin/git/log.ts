/** git.log: the history, newest first. */
import { answered, failed } from "../../../core/call/tool-answer.ts";
import { visible } from "../../../core/text/visible.ts";
import { defineBuiltin, directorySynonyms } from "../define-builtin.ts";
import { closed, nonEmpty, wholeNumber } from "../input-fields.ts";
import { choosePaths, openGitAt } from "./place.ts";
import { findRevision, revisionSchema } from "./revision.ts";

const maxCommits = 500;
const maxBodyLines = 20;
const text = { type: "string", minLength: 1, maxLength: 200 } as const;

/** One fact a line. The message comes last: it may hold anything but a zero byte. */
const format = "%H%n%aI%n%an%n%ae%n%D%n%s%n%b";

export const log = defineBuiltin("git.log", {
  title: "Git log",
  description:
    "Lists commits, newest first: id, date, author, branches and tags, message. git.diff with commit shows what one of them changed.",
  input: closed([], {
    limit: wholeNumber(1, maxCommits, "How many. Default 20."),
    skip: wholeNumber(0, 1_000_000, "How many to leave out first. Default 0."),
    path: nonEmpty("Only commits that touch this file or folder."),
    commit: {
      ...revisionSchema,
      description: "Start here instead of at HEAD, or a range such as main..topic.",
    },
    since: { ...text, description: "Only commits after this date, such as 2026-01-31 or 2 weeks ago." },
    until: { ...text, description: "Only commits before this date." },
    author: { ...text, description: "Only of authors whose name or address holds this text." },
    message: { ...text, description: "Only commits whose message holds this text." },
  }),
  synonyms: { path: directorySynonyms, limit: ["max_count", "maxCount"], message: ["grep"] },
  run: async ({ limit = 20, skip = 0, path, commit, since, until, author, message }, context) => {
    const git = await openGitAt(undefined, context);
    if ("message" in git) return failed(git);
    const chosen = choosePaths(git.repository, path === undefined ? [] : [path], context);
    if (!chosen.ok) return failed(chosen);
    const found = await findRevision(git, commit ?? "HEAD");
    if (!found.ok) {
      const empty = commit === undefined && found.code === "bad_revision";
      return empty ? "There are no commits yet." : failed(found);
    }
    const end = await git.run([
      "log",
      "-z",
      "--no-color",
      "--no-notes",
      "--no-show-signature",
      "--encoding=UTF-8",
      "--regexp-ignore-case",
      "--fixed-strings",
      `--format=${format}`,
      `--max-count=${limit + 1}`,
      `--skip=${skip}`,
      // Each with its value in one word: no value can become an option.
      ...(since === undefined ? [] : [`--since=${since}`]),
      ...(until === undefined ? [] : [`--until=${until}`]),
      ...(author === undefined ? [] : [`--author=${author}`]),
      ...(message === undefined ? [] : [`--grep=${message}`]),
      found.kind === "commit" ? found.id : `${found.from}${found.dots}${found.to}`,
      "--",
      ...chosen.pathspecs,
    ]);
    if (!end.ok) return failed(end);
    const all = end.stdout
      .toString()
      .split("\0")
      .filter((record) => record.trim() !== "")
      .map(readCommit);
    const commits = all.slice(0, limit);
    const more = all.length > limit || end.cut;
    const hint = more ? `\n\n[There are more: call again with skip ${skip + commits.length}.]` : "";
    const shown = commits.length === 0 ? "No commits match." : commits.map(writeCommit).join("\n\n");
    const structured = { commits: commits.map(({ body: _, ...facts }) => facts), more };
    return answered(`${shown}${hint}`, structured);
  },
});

function readCommit(record: string) {
  const [id = "", date = "", author = "", email = "", refs = "", subject = "", ...body] = record.split("\n");
  return { id, date, author, email, refs, subject, body: body.join("\n").trim() };
}

/** A message is written by strangers: nothing in it may hide from a person or move what they see. */
function writeCommit(commit: ReturnType<typeof readCommit>): string {
  const { id, date, author, email, refs, subject, body } = commit;
  const head = `${id.slice(0, 12)} ${date} ${author} <${email}>${refs === "" ? "" : ` (${refs})`}`;
  const lines = body === "" ? [] : ["", ...body.split("\n")];
  const cut = lines.length > maxBodyLines + 1 ? [...lines.slice(0, maxBodyLines + 1), "[...]"] : lines;
  const message = [subject, ...cut].map((line) => `    ${line}`.trimEnd()).join("\n");
  return visible(`${head}\n${message}`, { keepNewlines: true });
}
