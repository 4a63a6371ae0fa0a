/** What a tool calls the parts of an edit: a message must not name a parameter that the tool lacks. */

export interface EditWords {
  /** One of several. */
  readonly one: string;
  readonly old: string;
  readonly fresh: string;
  /** How to tell places apart that all fit. */
  readonly tellApart: string;
  /** What to correct when another number of places fits than was said. */
  readonly recount: string;
}

const recount = "Correct expected_replacements, or choose a text that fits only the places meant.";
const addLines = "Add lines before or after it until only one place fits";

/** fs.edit with one edit. */
export const editWords: EditWords = {
  one: "Edit",
  old: "old_string",
  fresh: "new_string",
  tellApart: `${addLines}, or say replace_all.`,
  recount,
};

/** fs.edit with a list of edits. */
export const listedEditWords: EditWords = {
  ...editWords,
  tellApart: `${addLines}, say where it is with start_line, or say replace_all.`,
};

/** fs.edit with whole lines: mostly blocks that were sent to it as a diff. */
export const wholeLineEditWords: EditWords = {
  ...listedEditWords,
  old: "old_string (the SEARCH part)",
  fresh: "new_string (the REPLACE part)",
};

/** fs.apply_diff. */
export const blockWords: EditWords = {
  one: "Block",
  old: "the SEARCH part",
  fresh: "the REPLACE part",
  tellApart: `${addLines}, or say where it is by a line ":start_line:12" right below "<<<<<<< SEARCH".`,
  recount: "Choose lines that fit only the place meant.",
};

/** fs.apply_patch. */
export const patchWords: EditWords = {
  one: "Change",
  old: "the old text",
  fresh: "the new text",
  tellApart: "Add lines around it, or name a line above it after @@.",
  recount: "Choose lines that fit only the place meant.",
};
