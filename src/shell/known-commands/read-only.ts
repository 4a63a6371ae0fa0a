/** Programs that only read, by name; an option that is not in their list is not understood. */

import type { OptionSpec } from "../options.ts";
import { ARCHIVE_READERS } from "./readers/archives.ts";
import { FILE_READERS } from "./readers/files.ts";
import { SEARCHERS } from "./readers/search.ts";
import { SYSTEM_READERS } from "./readers/system.ts";
import { TEXT_READERS } from "./readers/text.ts";

export const READ_ONLY: Readonly<Record<string, OptionSpec>> = {
  ...TEXT_READERS,
  ...FILE_READERS,
  ...SEARCHERS,
  ...SYSTEM_READERS,
  ...ARCHIVE_READERS,
};
