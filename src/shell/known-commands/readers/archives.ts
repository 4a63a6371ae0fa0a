/** Programs that print compressed files: they never write, but some take lists of names from a file. */

import type { OptionSpec } from "../../options.ts";

/** Of a name that is not there gzip tries these; `.Z` is also the one of BSD. */
export const GZIP_ENDINGS = ".gz .z -z .Z";

const ZCAT: OptionSpec = {
  flags: "acdfhklLnNqtvV123456789",
  // With a suffix it opens other names than those on the line (`zcat -fS v .en`), and folders it walks
  // through, with links.
  refuses: "Sr",
  long:
    "ascii stdout to-stdout decompress uncompress force help keep list license no-name name quiet recursive! suffix=! synchronous test verbose version fast best " +
    "rsyncable",
  free: true,
  abbreviates: true,
  endings: GZIP_ENDINGS,
};

export const ARCHIVE_READERS: Readonly<Record<string, OptionSpec>> = {
  zcat: ZCAT,
  gzcat: ZCAT,
  bzcat: {
    flags: "hdkftcqvLVs123456789",
    refuses: "z",
    long: "help decompress compress! keep force test stdout quiet verbose license version small fast best",
    free: true,
  },
  xzcat: {
    flags: "dtlkfceqQvhHV0123456789",
    values: "TMFSC",
    refuses: "z",
    long:
      "compress! uncompress decompress test list keep force stdout to-stdout single-stream no-sparse suffix= files?! files0?! format= check= ignore-check " +
      "block-size= block-list= flush-timeout= memlimit-compress= memlimit-decompress= memlimit-mt-decompress= memlimit= memory= no-adjust threads= extreme " +
      "fast best lzma1? lzma2? filters= filters-help robot info-memory quiet verbose no-warn help long-help version",
    free: true,
    abbreviates: true,
  },
  zstdcat: {
    flags: "dcfqvhHVkl",
    reads: "D",
    refuses: "ozrMbeiSBT#",
    long:
      "keep rm! decompress uncompress force help version stdout verbose quiet test list no-progress progress memory= single-thread long? filelist=@ " +
      "output-dir-flat=> output-dir-mirror=> trace=> patch-from=< train! compress! train-cover?! train-fastcover?! train-legacy?! ultra fast? adapt auto-threads= rsyncable exclude-compressed stream-size= size-hint= " +
      "target-compressed-block-size= no-dictID format= maxdict= dictID= priority=",
  },
};
