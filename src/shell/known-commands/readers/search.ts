/** Programs that search text and files, with every option that their manuals name. */

import type { OptionSpec } from "../../options.ts";
import { GZIP_ENDINGS } from "./archives.ts";
import { RG_TYPES } from "./rg-types.ts";

const GREP: OptionSpec = {
  flags: "EFGPivwxcLlqsbHhnTUzZoaIrRyuVOpS0123456789",
  values: "emABCdD",
  reads: "f",
  long:
    "extended-regexp fixed-strings fixed-regexp basic-regexp perl-regexp regexp= file=< ignore-case no-ignore-case invert-match word-regexp line-regexp count " +
    "color? colour? files-without-match files-with-matches max-count= only-matching quiet silent no-messages byte-offset with-filename no-filename label= " +
    "line-number initial-tab null text binary-files= devices= directories= exclude= exclude-from=< exclude-dir= include= include-dir= recursive " +
    "dereference-recursive line-buffered binary null-data after-context= before-context= context? group-separator= no-group-separator unix-byte-offsets help version",
  // On BSD `-S` follows every link and `-O` those on the line.
  follows: "R S O dereference-recursive",
  readsHere: "r R recursive dereference-recursive d directories",
  enters: "r R recursive dereference-recursive d directories",
  reach: {
    only: "include",
    withoutFiles: "exclude",
    withoutFolders: "exclude-dir",
    followsLinks: "R S dereference-recursive",
  },
  numbers: true,
  free: true,
  abbreviates: true,
  operands: "first-text",
};

/** A script around grep that opens archives; it has no recursive search. */
const ZGREP: OptionSpec = {
  flags: "EFGPivwxcLlqsbHhnToaIyVz",
  values: "emABC",
  reads: "f",
  long: "ignore-case invert-match word-regexp line-regexp count files-with-matches files-without-match only-matching quiet line-number color? exclude! exclude-from! exclude-dir! include! null! null-data! help version",
  numbers: true,
  endings: GZIP_ENDINGS,
  operands: "first-text",
};

const RG_NEGATIONS =
  "no-auto-hybrid-regex no-binary no-block-buffered no-byte-offset no-column no-context-separator no-crlf no-encoding no-filename no-fixed-strings no-follow " +
  "no-glob-case-insensitive no-heading no-hidden no-ignore-file-case-insensitive no-include-zero no-invert-match no-json no-line-buffered no-line-number " +
  "no-max-columns-preview no-mmap no-multiline no-multiline-dotall no-one-file-system no-pcre2 no-pcre2-unicode no-pre no-search-zip no-sort-files no-stats " +
  "no-text no-trim no-unicode no-messages no-ignore no-ignore-dot no-ignore-exclude no-ignore-files no-ignore-global no-ignore-messages no-ignore-parent " +
  "no-ignore-vcs no-config no-require-git ignore ignore-dot ignore-exclude ignore-files ignore-global ignore-messages ignore-parent ignore-vcs messages " +
  "require-git pcre2-unicode unicode";

export const SEARCHERS: Readonly<Record<string, OptionSpec>> = {
  grep: GREP,
  egrep: GREP,
  fgrep: GREP,
  zgrep: ZGREP,
  zegrep: ZGREP,
  zfgrep: ZGREP,
  rg: {
    flags: "aFivwxnNHIhcloLPSsUu0pqbV.",
    values: "egtTmABCEMjdr",
    reads: "f",
    // Runs gzip and its like, found by PATH.
    refuses: "z",
    long:
      "regexp= file=< pre=! hostname-bin=! search-zip! files files-with-matches files-without-match fixed-strings ignore-case smart-case case-sensitive " +
      "invert-match word-regexp line-regexp line-number with-filename heading count count-matches only-matching glob= iglob= glob-case-insensitive type= " +
      "type-not= type-add= type-clear= type-list hidden ignore-file=< ignore-file-case-insensitive follow max-count= max-depth= maxdepth= max-columns= " +
      "max-columns-preview max-filesize= after-context= before-context= context= context-separator= field-context-separator= field-match-separator= color= " +
      "colors= column pcre2 pcre2-version engine= auto-hybrid-regex multiline multiline-dotall unrestricted null null-data pretty quiet replace= sort= sortr= " +
      "sort-files stats text encoding= threads= trim vimgrep json passthru passthrough binary byte-offset crlf one-file-system path-separator= pre-glob= mmap " +
      "include-zero line-buffered block-buffered hyperlink-format= dfa-size-limit= regex-size-limit= stop-on-nonmatch generate= debug trace help version " +
      RG_NEGATIONS,
    follows: "L follow",
    readsHere: true,
    enters: true,
    reach: {
      globs: "g glob iglob",
      // A list of what to leave out can also say what to let in.
      hiddenBy: "hidden . uu unrestricted ignore-file",
      kinds: { by: "t type", changes: "type-add", known: RG_TYPES },
      followsLinks: "L follow",
    },
    operands: "first-text",
  },
  fd: {
    flags: "HIuasigFplL0qV1h",
    values: "tedEScjo",
    refuses: "xXC",
    long:
      "hidden no-hidden no-ignore ignore no-ignore-vcs ignore-vcs no-ignore-parent no-global-ignore-file no-require-git require-git unrestricted case-sensitive " +
      "ignore-case glob regex fixed-strings literal and= absolute-path relative-path list-details follow dereference no-follow full-path print0 max-depth= " +
      "maxdepth= min-depth= exact-depth= exclude= prune type= extension= size= changed-within= change-newer-than= newer= changed-after= changed-before= " +
      "change-older-than= older= owner= format= exec=! exec-batch=! batch-size= ignore-file=< color= hyperlink? threads= max-buffer-time= max-results= quiet " +
      "has-results show-errors base-directory=! path-separator= search-path=< strip-cwd-prefix? one-file-system mount xdev gen-completions? help version",
    follows: "L follow dereference",
    readsHere: true,
    operands: "first-text",
  },
};
