/** Programs that print, cut, sort and change text, with every option that their manuals name. */

import type { OptionSpec } from "../../options.ts";

/** A program of getopt_long whose options neither write nor run anything. */
const plain = (spec: OptionSpec): OptionSpec => ({ abbreviates: true, free: true, ...spec });

const NO_OPTIONS: OptionSpec = plain({ flags: "hV", long: "help version" });

const BASE: OptionSpec = {
  flags: "diD",
  values: "wb",
  // The base64 of macOS writes with `-o`.
  writes: "o",
  long: "decode ignore-garbage wrap= help version",
  abbreviates: true,
};

export const TEXT_READERS: Readonly<Record<string, OptionSpec>> = {
  cat: plain({
    flags: "AbeElnstTuv",
    long: "show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting help version",
  }),
  head: plain({
    flags: "qvz",
    values: "nc",
    long: "bytes= lines= quiet silent verbose zero-terminated help version",
    numbers: true,
  }),
  tail: plain({
    flags: "fFqrvz",
    values: "ncs",
    long: "bytes= lines= follow? max-unchanged-stats= pid= quiet silent retry sleep-interval= verbose zero-terminated help version",
    numbers: true,
  }),
  wc: plain({
    flags: "clmLw",
    long: "bytes chars lines max-line-length words files0-from=@ total= debug help version",
  }),
  cut: plain({
    flags: "nswz",
    values: "bcdf",
    long: "bytes= characters= delimiter= fields= complement only-delimited output-delimiter= zero-terminated help version",
  }),
  tr: plain({
    flags: "cCdstu",
    long: "complement delete squeeze-repeats truncate-set1 help version",
    operands: "text",
  }),
  nl: plain({
    flags: "p",
    values: "bdfhilnsvw",
    long:
      "body-numbering= section-delimiter= footer-numbering= header-numbering= line-increment= join-blank-lines= number-format= no-renumber " +
      "number-separator= starting-line-number= number-width= help version",
  }),
  tac: plain({ flags: "br", values: "s", long: "before regex separator= help version" }),
  rev: plain({ flags: "hV0", long: "zero help version" }),
  paste: plain({ flags: "sz", values: "d", long: "delimiters= serial zero-terminated help version" }),
  join: plain({
    flags: "iz",
    values: "ae12jotv",
    long: "ignore-case check-order nocheck-order header zero-terminated help version",
  }),
  comm: plain({
    flags: "123iz",
    long: "check-order nocheck-order output-delimiter= total zero-terminated help version",
  }),
  fold: plain({
    flags: "bcs",
    values: "w",
    long: "bytes characters spaces width= help version",
    numbers: true,
  }),
  fmt: plain({
    flags: "cnsu",
    values: "pwgdl",
    // A flag here, a number on BSD.
    attached: "t",
    long: "crown-margin prefix= split-only tagged-paragraph uniform-spacing width= goal= help version",
    numbers: true,
  }),
  expand: plain({ flags: "i", values: "t", long: "initial tabs= help version", numbers: true }),
  unexpand: plain({ flags: "a", values: "t", long: "all first-only tabs= help version" }),
  column: plain({
    flags: "tdeLJxhV",
    values: "ONlEHRTWripcos",
    // The name of a table here, a flag in older versions and on BSD.
    attached: "n",
    long:
      "table table-name= table-order= table-columns= table-columns-limit= table-column= table-noextreme= table-noheadings table-header-repeat table-hide= " +
      "table-right= table-truncate= table-wrap= table-maxout keep-empty-lines json tree= tree-id= tree-parent= output-width= columns= output-separator= " +
      "separator= fillrows use-spaces= color? wrap-separator= help version",
  }),
  pr: plain({
    flags: "acdfFJmrtTv0123456789",
    values: "DhlNowW",
    attached: "einsS",
    long:
      "pages= columns= across show-control-chars double-space date-format= expand-tabs? form-feed header= output-tabs? join-lines length= merge " +
      "number-lines? first-line-number= indent= no-file-warnings separator? sep-string? omit-header omit-pagination show-nonprinting width= page-width= " +
      "help version",
    numbers: true,
  }),
  ptx: plain({
    flags: "ACORTfrt",
    values: "FMSWgw",
    reads: "bio",
    // Its second operand is written then.
    refuses: "G",
    long:
      "auto-reference traditional! flag-truncation= macro-name= format= right-side-refs sentence-regexp= word-regexp= break-file=< ignore-case " +
      "gap-size= ignore-file=< only-file=< references typeset-mode width= copyright help version",
    free: false,
  }),
  od: plain({
    flags: "abBcdDeEfFhHiIlLoOsvxX",
    values: "AjNSt",
    attached: "w",
    long: "address-radix= endian= skip-bytes= read-bytes= strings? format= output-duplicates width? traditional help version",
  }),
  hexdump: plain({
    flags: "bcCdoxvXhV",
    values: "ens",
    reads: "f",
    attached: "L",
    long:
      "one-byte-octal one-byte-hex one-byte-char canonical two-bytes-decimal two-bytes-octal two-bytes-hex color? format= format-file=< length= skip= " +
      "no-squeezing help version",
  }),
  strings: plain({
    flags: "adfwohvV",
    values: "netTsU",
    long: "all data print-file-name bytes= radix= include-all-whitespace target= encoding= unicode= output-separator= help version",
    numbers: true,
    responseFiles: true,
  }),
  base64: BASE,
  base32: BASE,
  basenc: {
    ...BASE,
    long: `${BASE.long} base64 base64url base32 base32hex base58 base16 base2msbf base2lsbf z85`,
  },
  tsort: NO_OPTIONS,
  factor: plain({ flags: "h", long: "exponents help version", operands: "text" }),
  numfmt: plain({
    flags: "z",
    values: "d",
    long: "debug delimiter= field= format= from= from-unit= grouping header? invalid= padding= round= suffix= to= to-unit= unit-separator= zero-terminated help version",
    operands: "text",
  }),
  seq: plain({
    flags: "w0123456789.",
    values: "fst",
    long: "format= separator= equal-width help version",
    numbers: true,
    operands: "text",
  }),
  expr: plain({ long: "help version", numbers: true, operands: "text" }),
  yes: plain({ long: "help version", operands: "text" }),
  look: plain({
    flags: "adfhV",
    values: "t",
    long: "alternative alphanum ignore-case terminate= help version",
    operands: "first-text",
  }),
  sort: {
    flags: "bcCdfghHiMmnRrsuVz",
    values: "kSt",
    writes: "oT",
    long:
      "ignore-leading-blanks dictionary-order ignore-case general-numeric-sort ignore-nonprinting month-sort human-numeric-sort numeric-sort random-sort " +
      "random-source=< reverse sort= version-sort batch-size= check? compress-program=! debug files0-from=@ key= merge output=> stable buffer-size= " +
      "field-separator= temporary-directory=> parallel= unique zero-terminated qsort mergesort heapsort radixsort mmap help version",
    abbreviates: true,
  },
  uniq: {
    flags: "cdDiuz",
    values: "fsw",
    long: "count repeated all-repeated? skip-fields= group? ignore-case skip-chars= unique zero-terminated check-chars= help version",
    operands: "second-written",
    abbreviates: true,
  },
  shuf: {
    flags: "erz",
    values: "in",
    writes: "o",
    long: "echo input-range= head-count= output=> random-source=< repeat zero-terminated help version",
    abbreviates: true,
  },
  iconv: {
    flags: "clsV",
    values: "ft",
    writes: "o",
    refuses: "?",
    long: "from-code= to-code= list silent verbose output=> byte-subst= widechar-subst= unicode-subst= unicode-subst-formats= help usage version",
    abbreviates: true,
  },
};
