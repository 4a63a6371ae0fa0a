/** Wrappers that are options, perhaps one word, then the command: what each of their options takes. */

import { EXECUTE, WRITE } from "../walk.ts";
import type { SimpleWrapper } from "./unwrap.ts";

const AS_OTHER = { risk: EXECUTE, beyond: "runs as another user" } as const;

const MACHINE: SimpleWrapper = {
  flags: "BFILRSTXZ3v",
  refuses: "p",
  long:
    "32bit fdpic-funcptrs short-inode addr-compat-layout addr-no-randomize whole-seconds sticky-timeouts read-implies-exec " +
    "mmap-page-zero 3gb 4gb uname-2 verbose list! show! pid=!",
};

export const SIMPLE_WRAPPERS: Readonly<Record<string, SimpleWrapper>> = {
  builtin: {},
  noglob: {},
  nocorrect: {},
  sudo: {
    ...AS_OTHER,
    flags: "nEHkSbP",
    values: "ugpCrt",
    refuses: "AaBDehiKlRsTUvV",
    long:
      "user= group= non-interactive preserve-env? set-home stdin askpass! auth-type=! bell! background chdir=! close-from= edit! host=! login! list! " +
      "reset-timestamp remove-timestamp! preserve-groups prompt= chroot=! role= shell! type= command-timeout= other-user=! validate!",
  },
  doas: { ...AS_OTHER, flags: "n", values: "u", refuses: "aCLs" },
  pkexec: { ...AS_OTHER, long: "user= disable-internal-agent keep-cwd" },
  timeout: {
    flags: "vfp",
    values: "ks",
    long: "foreground preserve-status kill-after= signal= verbose",
    operandBefore: /^\d*\.?\d+[smhd]?$/,
  },
  nohup: { risk: WRITE },
  nice: { values: "n", long: "adjustment=", numbers: true },
  ionice: { values: "cn", flags: "t", refuses: "pPu", long: "class= classdata= ignore pid=! pgid=! uid=!" },
  chrt: {
    flags: "abfiorRve",
    values: "TPD",
    refuses: "dmp",
    long:
      "all-tasks batch fifo idle other rr ext reset-on-fork verbose deadline! max! pid! sched-runtime= sched-period= " +
      "sched-deadline=",
    // Newer versions need no priority where a policy has none.
    operandBefore: /^\d+$/,
  },
  taskset: {
    flags: "ac",
    refuses: "p",
    long: "all-tasks cpu-list pid!",
    operandBefore: /^(?:0x)?[\da-f]+(?:[-,:\da-f])*$/i,
  },
  stdbuf: { values: "ioe", long: "input= output= error=" },
  setsid: { flags: "cfw", long: "ctty fork wait" },
  time: {
    flags: "pqv",
    values: "f",
    refuses: "oalh",
    long: "portability verbose quiet format= output=! append!",
  },
  caffeinate: { flags: "dimsu", refuses: "tw" },
  // Without a name of a machine the first word is the program.
  setarch: { ...MACHINE, operandBefore: /^(?:linux(?:32|64)|i[3-6]86|x86_64|aarch64|armv[78]l)$/ },
  linux32: MACHINE,
  linux64: MACHINE,
  i386: MACHINE,
  x86_64: MACHINE,
};
