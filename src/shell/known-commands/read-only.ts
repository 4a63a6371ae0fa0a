/** Programs that only read, with the options known to keep it so. */

import type { OptionSpec } from "../options.ts";

const SUM: OptionSpec = {
  flags: "abctwz",
  values: "l",
  long: "algorithm= base64 binary check debug ignore-missing length= quiet raw status strict tag text untagged warn zero help version",
  free: true,
};

const GREP: OptionSpec = {
  flags: "EFGPivwxcLlqsbHhnTUzZoaIrRyuV",
  values: "emABCdD",
  reads: "f",
  long:
    "extended-regexp fixed-strings basic-regexp perl-regexp regexp= file=< ignore-case no-ignore-case invert-match word-regexp line-regexp count color? " +
    "colour? files-without-match files-with-matches max-count= only-matching quiet silent no-messages byte-offset with-filename no-filename label= " +
    "line-number initial-tab null text binary-files= devices= directories= exclude= exclude-from=< exclude-dir= include= recursive " +
    "dereference-recursive line-buffered binary null-data after-context= before-context= context= group-separator= no-group-separator unix-byte-offsets help version",
  follows: "R dereference-recursive",
  numbers: true,
  free: true,
  operands: "first-text",
};

const ZCAT: OptionSpec = {
  flags: "cdfqvlkhVtn",
  long: "stdout force quiet verbose help version",
  free: true,
};

const NO_OPTIONS: OptionSpec = { flags: "V", long: "help version", free: true };

export const READ_ONLY: Readonly<Record<string, OptionSpec>> = {
  ls: {
    flags: "aAbBcCdDfFgGhHiklLmnNopqQrRsStuUvxXZ1@eO%,",
    values: "ITw",
    long:
      "all almost-all author escape block-size= ignore-backups classify? color? colour? directory dired file-type format= full-time group-directories-first " +
      "no-group human-readable si dereference-command-line dereference-command-line-symlink-to-dir hide= hyperlink? indicator-style= inode " +
      "ignore= kibibytes dereference numeric-uid-gid literal hide-control-chars show-control-chars quote-name quoting-style= reverse " +
      "recursive size sort= time= time-style= tabsize= width= context zero help version",
    free: true,
  },
  cat: {
    flags: "AbeEnstTuv",
    long: "show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting help version",
    free: true,
  },
  head: {
    flags: "qvz",
    values: "nc",
    long: "bytes= lines= quiet silent verbose zero-terminated help version",
    numbers: true,
    free: true,
  },
  tail: {
    flags: "fFqvz",
    values: "ncs",
    long: "bytes= lines= follow? max-unchanged-stats= pid= quiet silent retry sleep-interval= verbose zero-terminated help version",
    numbers: true,
    free: true,
  },
  wc: {
    flags: "clmLw",
    long: "bytes chars lines max-line-length words files0-from=< total= help version",
    free: true,
  },
  grep: GREP,
  egrep: GREP,
  fgrep: GREP,
  cut: {
    flags: "nsz",
    values: "bcdf",
    long: "bytes= characters= delimiter= fields= complement only-delimited output-delimiter= zero-terminated help version",
    free: true,
  },
  tr: {
    flags: "cCdst",
    long: "complement delete squeeze-repeats truncate-set1 help version",
    free: true,
    operands: "text",
  },
  nl: {
    flags: "p",
    values: "bdfhilnsvw",
    long:
      "body-numbering= section-delimiter= footer-numbering= header-numbering= line-increment= join-blank-lines= number-format= no-renumber " +
      "number-separator= starting-line-number= number-width= help version",
    free: true,
  },
  tac: { flags: "br", values: "s", long: "before regex separator= help version", free: true },
  rev: NO_OPTIONS,
  paste: { flags: "sz", values: "d", long: "delimiters= serial zero-terminated help version", free: true },
  join: {
    flags: "iz",
    values: "ae12jotv",
    long: "ignore-case check-order nocheck-order header zero-terminated help version",
    free: true,
  },
  comm: {
    flags: "123z",
    long: "check-order nocheck-order output-delimiter= total zero-terminated help version",
    free: true,
  },
  fold: { flags: "bs", values: "w", long: "bytes spaces width= help version", numbers: true, free: true },
  fmt: {
    flags: "cstu",
    values: "pwg",
    long: "crown-margin prefix= split-only tagged-paragraph uniform-spacing width= goal= help version",
    numbers: true,
    free: true,
  },
  expand: { flags: "i", values: "t", long: "initial tabs= help version", numbers: true, free: true },
  unexpand: { flags: "a", values: "t", long: "all first-only tabs= help version", free: true },
  column: {
    flags: "txenLRl",
    values: "csoNHTdOEWrpi",
    long: "table separator= output-separator= output-width= columns= table-columns= table-right= json fillrows help version",
    free: true,
  },
  pr: { flags: "acdDeFfiJmnrtTvs", values: "hloNSwW", long: "help version", numbers: true, free: true },
  basename: {
    flags: "az",
    values: "s",
    long: "multiple suffix= zero help version",
    free: true,
    operands: "text",
  },
  dirname: { flags: "z", long: "zero help version", free: true, operands: "text" },
  realpath: {
    flags: "eEmLPqsz",
    long: "canonicalize canonicalize-existing canonicalize-missing logical physical quiet relative-to= relative-base= strip no-symlinks zero help version",
    free: true,
  },
  readlink: {
    flags: "femnqsvz",
    long: "canonicalize canonicalize-existing canonicalize-missing no-newline quiet silent verbose zero help version",
    free: true,
  },
  stat: {
    flags: "LftlnqrsxF",
    values: "c",
    long: "dereference file-system cached= format= printf= terse help version",
    free: true,
  },
  du: {
    flags: "0abcDhHklLmPsSx",
    values: "Bdt",
    reads: "X",
    long:
      "null all apparent-size block-size= bytes total dereference-args max-depth= files0-from=< human-readable inodes kilobytes dereference " +
      "count-links no-dereference separate-dirs si summarize threshold= time? time-style= exclude-from=< exclude= one-file-system help version",
    numbers: true,
    free: true,
  },
  df: {
    flags: "ahHiklPTvx",
    values: "Bt",
    long: "all block-size= human-readable si inodes local no-sync output? portability sync total type= print-type exclude-type= help version",
    free: true,
  },
  diff: {
    flags: "qscueynpTtNrabBwEZidHvl",
    values: "CUWLxIFD",
    reads: "XS",
    long:
      "normal brief report-identical-files context? unified? ed rcs side-by-side width= left-column suppress-common-lines show-c-function show-function-line= " +
      "label= expand-tabs initial-tab tabsize= suppress-blank-empty recursive no-dereference new-file unidirectional-new-file ignore-file-name-case " +
      "no-ignore-file-name-case exclude= exclude-from=< starting-file= from-file=< to-file=< ignore-case ignore-tab-expansion ignore-trailing-space " +
      "ignore-space-change ignore-all-space ignore-blank-lines ignore-matching-lines= text strip-trailing-cr ifdef= line-format= minimal " +
      "horizon-lines= speed-large-files color? palette= help version",
    numbers: true,
    free: true,
  },
  cmp: {
    flags: "bsl",
    values: "in",
    long: "print-bytes ignore-initial= verbose bytes= quiet silent help version",
    free: true,
  },
  md5sum: SUM,
  sha1sum: SUM,
  sha224sum: SUM,
  sha256sum: SUM,
  sha384sum: SUM,
  sha512sum: SUM,
  b2sum: SUM,
  cksum: SUM,
  shasum: SUM,
  sum: { flags: "rs", long: "sysv help version", free: true },
  od: {
    flags: "abcdDefFhHiIlLoOsvxX",
    values: "AjNStw",
    long: "address-radix= endian= skip-bytes= read-bytes= strings? format= output-duplicates width? traditional help version",
    free: true,
  },
  hexdump: {
    flags: "bcCdovx",
    values: "ens",
    reads: "f",
    long: "canonical help version length= skip= no-squeezing",
    free: true,
  },
  hd: { flags: "bcCdovx", values: "ens", reads: "f", free: true },
  strings: {
    flags: "afwU",
    values: "netTs",
    long: "all data print-file-name bytes= radix= encoding= help version",
    numbers: true,
    free: true,
  },
  base64: { flags: "di", values: "w", long: "decode ignore-garbage wrap= help version" },
  base32: { flags: "di", values: "w", long: "decode ignore-garbage wrap= help version" },
  tsort: NO_OPTIONS,
  factor: { flags: "h", long: "exponents help version", free: true, operands: "text" },
  numfmt: {
    flags: "z",
    values: "d",
    long: "debug delimiter= field= format= from= from-unit= grouping header? invalid= padding= round= suffix= to= to-unit= zero-terminated help version",
    free: true,
    operands: "text",
  },
  seq: {
    flags: "w",
    values: "fs",
    long: "format= separator= equal-width help version",
    numbers: true,
    free: true,
    operands: "text",
  },
  expr: { long: "help version", free: true, operands: "text" },
  sleep: { long: "help version", free: true, operands: "text" },
  yes: { long: "help version", free: true, operands: "text" },
  whoami: NO_OPTIONS,
  logname: NO_OPTIONS,
  groups: { long: "help version", free: true, operands: "text" },
  id: {
    flags: "agGnruzZ",
    long: "context group groups name real user zero help version",
    free: true,
    operands: "text",
  },
  uname: {
    flags: "amnrsvpio",
    long: "all kernel-name nodename kernel-release kernel-version machine processor hardware-platform operating-system help version",
    free: true,
  },
  arch: NO_OPTIONS,
  nproc: { long: "all ignore= help version", free: true },
  tty: { flags: "s", long: "silent quiet help version", free: true },
  users: NO_OPTIONS,
  who: { flags: "abdHlmpqrstTuw", long: "all boot count heading lookup mesg users help version", free: true },
  uptime: { flags: "psV", long: "pretty since help version", free: true },
  free: {
    flags: "bkmghltwvV",
    values: "cs",
    long: "bytes kilo mega giga human si lohi total wide count= seconds= help version",
    free: true,
  },
  ps: {
    flags: "AadeNTrxfFlyjOovwucmLHZSgtUupqksCGnVMX1234567890",
    long: "pid= ppid= sid= tty= user= User= group= Group= format= sort= forest no-headers headers cols= columns= width= rows= lines= deselect info cumulative help version",
    free: true,
    operands: "text",
  },
  pgrep: {
    flags: "lavwnofxciA",
    values: "dgGPstuUFr",
    long: "list-name list-full delimiter= inverse newest oldest full exact count ignore-case parent= session= terminal= euid= uid= help version",
    free: true,
    operands: "text",
  },
  lsof: { flags: "nPtlNUhCbi", values: "pucadg", long: "help version" },
  lscpu: { flags: "abcehJxVy", attached: "ep", long: "all online offline json help version", free: true },
  lsblk: {
    flags: "abdfilJmnOpPrsStzV",
    values: "eIoMxw",
    long: "all json fs output= help version",
    free: true,
  },
  vmstat: { flags: "afmnstwdDV", values: "pS", free: true, operands: "text" },
  printenv: { flags: "0", long: "null help version", free: true, operands: "text" },
  which: { flags: "as", long: "all help version", free: true, operands: "text" },
  whereis: { flags: "bmsuglf", free: true, operands: "text" },
  locale: {
    flags: "ackm",
    long: "all-locales charmaps category-name keyword-name help version",
    free: true,
    operands: "text",
  },
  getconf: { flags: "a", values: "v", free: true, operands: "text" },
  cal: { flags: "13jmsyYhwvV", values: "n", free: true, operands: "text" },
  zcat: ZCAT,
  gzcat: ZCAT,
  bzcat: ZCAT,
  xzcat: ZCAT,
  look: { flags: "adf", values: "t", free: true, operands: "text" },
  sort: {
    flags: "bcCdfghiMmnRrsuVz",
    values: "kSt",
    long:
      "ignore-leading-blanks dictionary-order ignore-case general-numeric-sort ignore-nonprinting month-sort human-numeric-sort numeric-sort random-sort " +
      "random-source=< reverse sort= version-sort batch-size= check? debug files0-from=< key= merge output=> stable buffer-size= field-separator= parallel= " +
      "unique zero-terminated help version",
    writes: "o",
  },
  uniq: {
    flags: "cdDiuz",
    values: "fsw",
    long: "count repeated all-repeated? skip-fields= group? ignore-case skip-chars= unique zero-terminated check-chars= help version",
    operands: "second-written",
  },
  shuf: {
    flags: "erz",
    values: "in",
    writes: "o",
    long: "echo input-range= head-count= output=> random-source=< repeat zero-terminated help version",
  },
  xxd: { flags: "abeEhipruCv", values: "cglnoRs", long: "help version", operands: "second-written" },
  file: {
    flags: "bdDEhiIklLnNprsv0",
    values: "eFP",
    reads: "mf",
    long: "brief apple extension mime mime-type mime-encoding keep-going dereference no-dereference no-pad print0 preserve-date raw special-files separator= exclude= files-from=< magic-file=< version help",
  },
  tree: {
    flags: "adflxpsughDFinAStcrUqNCXJQv",
    values: "LPITH",
    writes: "o",
    long: "noreport charset= filelimit= dirsfirst filesfirst gitignore gitfile=< inodes device prune du si timefmt= ignore-case matchdirs sort= nolinks fromfile metafirst info infofile=< help version",
  },
  rg: {
    flags: "aFivwxnNHIhcloLPSsUu0pqbV",
    values: "egtTmABCEMjdr",
    reads: "f",
    long:
      "regexp= file=< files files-with-matches files-without-match fixed-strings ignore-case smart-case case-sensitive invert-match word-regexp line-regexp " +
      "line-number no-line-number with-filename no-filename heading no-heading count count-matches only-matching glob= iglob= type= type-not= type-list " +
      "hidden no-hidden no-ignore no-ignore-vcs no-ignore-parent ignore ignore-file=< follow max-count= max-depth= maxdepth= max-columns= max-columns-preview max-filesize= after-context= " +
      "before-context= context= context-separator= color= colors= column no-column pcre2 no-pcre2 engine= multiline multiline-dotall unrestricted null null-data pretty quiet " +
      "replace= sort= sortr= stats no-stats text encoding= threads= trim vimgrep json passthru binary byte-offset crlf no-config no-messages one-file-system " +
      "path-separator= hyperlink-format= debug trace help version",
    follows: "L follow",
    operands: "first-text",
  },
  fd: {
    flags: "HIuasigFplL0qV1",
    values: "tedEScjo",
    long:
      "hidden no-ignore no-ignore-vcs unrestricted case-sensitive ignore-case glob regex fixed-strings absolute-path list-details follow full-path print0 " +
      "max-depth= min-depth= exact-depth= exclude= prune type= extension= size= changed-within= changed-before= owner= color= threads= max-results= quiet " +
      "show-errors path-separator= help version strip-cwd-prefix?",
    operands: "first-text",
  },
  iconv: {
    flags: "cls",
    values: "ft",
    writes: "o",
    long: "from-code= to-code= list silent output=> help version",
  },
};
