/** Programs that say what the machine is and does, with every option that their manuals name. */

import { eachWord } from "../../../core/text/words.ts";
import type { OptionSpec } from "../../options.ts";

/** Options without files, operands without files. */
const words = (spec: OptionSpec): OptionSpec => ({
  abbreviates: true,
  free: true,
  operands: "text",
  ...spec,
});

const NO_OPTIONS: OptionSpec = words({ flags: "hV", long: "help version" });

export const SYSTEM_READERS: Readonly<Record<string, OptionSpec>> = {
  ...Object.fromEntries(eachWord("sleep whoami logname groups arch", NO_OPTIONS)),
  users: words({ flags: "hV", long: "help version", operands: "paths" }),
  id: words({
    flags: "aAFGgMnPpruzZ",
    long: "context group groups name real user zero help version",
  }),
  uname: words({
    flags: "amnrsvpioU",
    long: "all kernel-name nodename sysname release kernel-release kernel-version machine processor hardware-platform operating-system help version",
  }),
  nproc: words({ long: "all ignore= help version" }),
  tty: words({ flags: "s", long: "silent quiet help version" }),
  who: words({
    flags: "abdHlmpqrstTuw",
    long: "all boot dead count heading ips login lookup mesg message writable process runlevel short time users help version",
    operands: "paths",
  }),
  w: words({
    flags: "husfoipVcnd",
    long: "no-header no-current short from old-style ip-addr container pids terminal help version",
  }),
  last: words({
    flags: "adFiRwxhVTj",
    values: "nstp",
    reads: "f",
    numbers: true,
    long: "hostlast dns file=< fulltimes ip limit= nohostname since= until= present= fullnames system tab-separated time-format= json help version",
  }),
  uptime: words({ flags: "cprshV", long: "container pretty raw since help version" }),
  free: words({
    flags: "bkmghltvwVL",
    values: "cs",
    long: "bytes kilo mega giga tera peta kibi mebi gibi tebi pebi human si lohi line total committed wide count= seconds= help version",
  }),
  ps: words({
    flags: "AadeNTrxfFlyjOovwucmLHZSgtUupqksCGnVMX1234567890",
    long:
      "pid= ppid= quick-pid= sid= tty= user= User= group= Group= context cols= columns= width= rows= lines= format= sort= forest no-headers no-heading headers " +
      "heading deselect info cumulative signames delimiter= date-format= help? version",
    abbreviates: false,
  }),
  pgrep: words({
    flags: "lavwnofxciALhVHQ",
    values: "dgGPstuUrO",
    reads: "F",
    long:
      "list-name list-full delimiter= inverse lightweight count full pgroup= group= ignore-case newest oldest older= parent= session= terminal= euid= uid= " +
      "exact pidfile=< logpidfile runstates= ignore-ancestors cgroup= ns= nslist= env= require-handler quick signal= shell-quote help version",
  }),
  pidof: words({
    flags: "cnqswxzhV",
    values: "doS",
    long: "check-root single-shot with-workers lightweight quiet separator= omit-pid= help version",
  }),
  pstree: words({
    flags: "aAcgGhlnpsStTuUVZ",
    values: "CHN",
    long:
      "arguments ascii compact-not color= age show-pgids vt100 highlight-all highlight-pid= long numeric-sort ns-sort= show-pids show-parents ns-changes " +
      "thread-names hide-threads uid-changes unicode version security-context",
  }),
  // Most values may be attached or the next word; operands are files, shown if somebody has them open.
  lsof: {
    flags: "abhlnNOPRtUvVwCHKQXEWJj?",
    attached: "cdefgiFLorsSTupxzZ",
    refuses: "DkmA",
    long: "help version",
  },
  lscpu: words({
    flags: "abBcJxyhVr",
    values: "s",
    attached: "eCp",
    long: "all online bytes caches? offline json extended? parse? sysroot= hex physical output-all raw hierarchic? list-columns annotate? help version",
  }),
  lsblk: words({
    flags: "AabdDfFghiJlmMnNOpPrsStvyzHV",
    values: "EeIowxQ",
    attached: "T",
    long:
      "noempty all bytes discard dedup= include= json merge output-all pairs scsi tree? nodeps exclude= fs ascii list perms noheadings output= paths raw inverse " +
      "topology width= sort= shell zoned sysroot= virtio nvme filter= highlight= ct= ct-filter= hyperlink? annotate? list-columns properties-by= help version",
  }),
  vmstat: words({
    flags: "afmnsdDwtyhV",
    values: "pS",
    long: "active forks slabs one-header stats disk disk-sum partition= unit= wide timestamp no-first help version",
  }),
  lsmod: NO_OPTIONS,
  netstat: words({
    flags: "rigsMvWnNepoclaFCZtuwxS46hV",
    values: "AI",
    long:
      "route interfaces groups statistics masquerade verbose wide numeric numeric-hosts numeric-ports numeric-users symbolic extend programs timers continuous " +
      "listening all fib cache context tcp udp udplite sctp raw unix ax25 l2cap rfcomm help version",
  }),
  ss: {
    flags: "hVnraloempTisbBEZzN460tMSudwxHOQ",
    values: "fA",
    reads: "F",
    writes: "D",
    // Closes connections.
    refuses: "KN",
    long:
      "help version numeric resolve all listening bound-inactive options extended memory processes threads info tipcinfo summary tos cgroup bpf events context " +
      "contexts net! ipv4 ipv6 packet tcp mptcp sctp udp dccp raw unix tipc vsock xdp family= kill! no-header no-queues oneline inet-sockopt query= socket= " +
      "diag=> filter=< bpf-maps bpf-map-id=",
    operands: "text",
  },
  printenv: words({ flags: "0", long: "null help version" }),
  which: words({
    flags: "aisv",
    long: "all help version read-alias skip-alias read-functions skip-functions skip-dot skip-tilde show-dot show-tilde tty-only",
  }),
  whereis: words({ flags: "abmsuglfqxhV", values: "BMS", long: "help version" }),
  locale: words({
    flags: "ackmvV",
    long: "all-locales charmaps category-name keyword-name verbose help usage version",
  }),
  getconf: words({ flags: "a", values: "v", long: "help version" }),
  cal: words({
    flags: "13jmsyYhwvVbCMSNpceo",
    values: "nABdH",
    attached: "w",
    long: "one three months= sunday monday span iso reform= julian year twelve week? vertical columns= color? help version",
  }),
  ncal: words({ flags: "13bCehjJMopSwyY", values: "ABdHms", free: true }),
  uuidgen: words({
    flags: "rtmshV67x",
    values: "nNC",
    long: "random time namespace= name= md5 count= sha1 hex time-v6 time-v7 help version",
  }),
  // Long names after one dash, none of which does anything but print.
  sw_vers: words({
    flags: "productNameVsinExbul",
    long: "productName productVersion productVersionExtra buildVersion",
    abbreviates: false,
  }),
};
