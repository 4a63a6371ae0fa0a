/** fs.stat: what is at a path, without reading it. */
import { answered, failed } from "../../../core/call/tool-answer.ts";
import { judgedFiles, shownPath } from "../../../safe/files/workspace-files.ts";
import { defineBuiltin, pathSynonyms } from "../define-builtin.ts";
import { closed, flag, nonEmpty } from "../input-fields.ts";

export const stat = defineBuiltin("fs.stat", {
  title: "File facts",
  description:
    "Says whether a path is a file or a directory, its size, when it was changed last and its permissions; with hash also the sha256 of a file's contents.",
  input: closed(["path"], {
    path: nonEmpty("Relative to the working folder or absolute."),
    hash: flag("Also the sha256 of the contents. Default false."),
  }),
  synonyms: { path: pathSynonyms },
  run: async ({ path, hash = false }, context) => {
    const { cwd, signal } = context;
    const facts = await judgedFiles(context).stat(path, { cwd, signal, hash });
    if (!facts.ok) return failed(facts);
    const structured = {
      path: shownPath(facts.absolute, context),
      kind: facts.kind,
      size: facts.size,
      modified: new Date(facts.modifiedMs).toISOString(),
      mode: facts.mode.toString(8).padStart(4, "0"),
      ...(facts.protected !== undefined && { protected: facts.protected }),
      ...(facts.hash !== undefined && { sha256: facts.hash }),
    };
    const text = Object.entries(structured)
      .map(([name, value]) => `${name}: ${value}${name === "size" ? " bytes" : ""}`)
      .join("\n");
    return answered(text, structured);
  },
});
