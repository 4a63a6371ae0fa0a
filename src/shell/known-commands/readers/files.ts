/** Programs that list, compare and describe files, with every option that their manuals name. */

import { eachWord } from "../../../core/text/words.ts";
import type { OptionSpec } from "../../options.ts";

const plain = (spec: OptionSpec): OptionSpec => ({ abbreviates: true, free: true, ...spec });

const SUM: OptionSpec = plain({
  flags: "bctwz",
  values: "l",
  long: "binary check debug ignore-missing length= quiet status strict tag text warn zero help version",
  // The file that is checked names further ones.
  follows: "c check",
});

const LS: OptionSpec = plain({
  flags: "aAbBcCdfFgGhHiklLmnNopqQrRsStuUvxXZ1@eOW%,",
  // With a value here and none on BSD, or the other way round.
  attached: "DITw",
  long:
    "all almost-all author escape block-size= ignore-backups classify? color? colour? directory dired file-type format= full-time group-directories-first " +
    "no-group human-readable si dereference-command-line dereference-command-line-symlink-to-dir hide= hyperlink? indicator-style= inode " +
    "ignore= kibibytes dereference numeric-uid-gid literal hide-control-chars show-control-chars quote-name quoting-style= reverse " +
    "recursive size sort= time= time-style= tabsize= width= context zero help version",
  readsHere: true,
});

export const FILE_READERS: Readonly<Record<string, OptionSpec>> = {
  ls: LS,
  dir: LS,
  vdir: LS,
  basename: plain({
    flags: "az",
    values: "s",
    long: "multiple suffix= zero help version",
    operands: "text",
  }),
  dirname: plain({ flags: "z", long: "zero help version", operands: "text" }),
  pathchk: plain({ flags: "pP", long: "portability help version", operands: "text" }),
  realpath: plain({
    flags: "eEmLPqsz",
    long: "canonicalize canonicalize-existing canonicalize-missing logical physical quiet relative-to=< relative-base=< strip no-symlinks zero help version",
  }),
  readlink: plain({
    flags: "femnqsvz",
    long: "canonicalize canonicalize-existing canonicalize-missing no-newline quiet silent verbose zero help version",
  }),
  namei: plain({
    flags: "xmolnvZhV",
    long: "mountpoints modes owners long nosymlinks vertical context help version",
  }),
  stat: plain({
    flags: "LlnqrsxF",
    values: "c",
    // Flags here; a format and a format of times on BSD.
    attached: "ft",
    long: "dereference file-system cached= format= printf= terse help version",
  }),
  du: plain({
    flags: "0AabcDghHklLmnPrsSx",
    values: "BdtI",
    reads: "X",
    long:
      "null all apparent-size block-size= bytes total dereference-args max-depth= files0-from=@ human-readable inodes kilobytes megabytes dereference " +
      "count-links no-dereference separate-dirs si summarize threshold= time? time-style= exclude-from=< exclude= one-file-system help version",
    follows: "L dereference",
    readsHere: true,
    numbers: true,
  }),
  df: plain({
    flags: "abcghHiIklmnPvY",
    values: "Bxt",
    attached: "T",
    long: "all block-size= human-readable si inodes kilobytes megabytes local no-sync output? portability sync total type= print-type exclude-type= help version",
  }),
  diff: plain({
    flags: "qscueynpTtNrabBwEZidHvhP0123456789",
    values: "CUWLxIFDS",
    reads: "X",
    // Runs pr.
    refuses: "l",
    long:
      "normal brief report-identical-files context? unified? ed forward-ed rcs side-by-side width= left-column suppress-common-lines show-c-function " +
      "show-function-line= label= expand-tabs initial-tab tabsize= suppress-blank-empty paginate! recursive no-dereference new-file unidirectional-new-file " +
      "ignore-file-name-case no-ignore-file-name-case exclude= exclude-from=< starting-file= from-file=< to-file=< ignore-case ignore-tab-expansion " +
      "ignore-trailing-space ignore-space-change ignore-all-space ignore-blank-lines ignore-matching-lines= text strip-trailing-cr binary ifdef= " +
      "old-line-format= new-line-format= unchanged-line-format= line-format= old-group-format= new-group-format= unchanged-group-format= changed-group-format= " +
      "minimal horizon-lines= speed-large-files inhibit-hunk-merge sdiff-merge-assist color? palette= presume-output-tty help version",
    numbers: true,
    // Without -r it compares what lies in both folders, and `diff FILE FOLDER` the file of that name.
    enters: true,
    reach: { without: "x exclude", followsLinks: true, keepsLinks: "no-dereference" },
  }),
  diff3: plain({
    flags: "aAeE3imTxXv",
    values: "L",
    long: "show-all ed show-overlap easy-only overlap-only merge text strip-trailing-cr initial-tab diff-program=! label= help version",
    free: false,
  }),
  cmp: plain({
    flags: "bchlsvxz",
    values: "in",
    long: "print-bytes print-chars ignore-initial= verbose bytes= quiet silent help version",
  }),
  ...Object.fromEntries(eachWord("md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum", SUM)),
  cksum: { ...SUM, values: "alo", long: `${SUM.long} algorithm= base64 raw untagged` },
  md5: { flags: "npqrtx", values: "cs", free: true },
  shasum: {
    flags: "bctU0pqswhv",
    values: "a",
    long: "algorithm= binary check tag text UNIVERSAL 01 portable ignore-missing quiet status strict warn help version",
    follows: "c check",
    free: true,
  },
  sum: plain({ flags: "rs", long: "sysv help version" }),
  file: {
    flags: "bcdDEhiIklLnNprsSv0",
    values: "eFP",
    reads: "m",
    lists: "f",
    // `-C` writes a compiled file; `-z` runs gzip and its like.
    refuses: "CzZM",
    long:
      "brief apple extension mime mime-type mime-encoding keep-going list dereference no-dereference no-pad no-buffer print0 preserve-date raw special-files " +
      "no-sandbox separator= exclude= exclude-quiet= files-from=@ magic-file=< parameter= checking-printout compile! uncompress! uncompress-noreport! debug " +
      "version help",
    abbreviates: true,
  },
  tree: {
    flags: "adflxpsughDFinAStcrUqNCXJQv",
    values: "LPITH",
    writes: "o",
    // Starts itself again and writes 00Tree.html.
    refuses: "R",
    long:
      "noreport charset= filelimit= dirsfirst filesfirst gitignore gitfile=< inodes device prune du si timefmt= ignore-case matchdirs sort= nolinks fromfile " +
      "fromtabfile metafirst info infofile=< hintro=< houtro=< fflinks hyperlink scheme= authority= opt-toggle acl selinux compress= condense help version",
    follows: "l",
    lastTakesValue: true,
    readsHere: true,
  },
};
