// Processor time and memory of a gateway: the process that was started and all it started, without the upstream server.

import { readdirSync, readFileSync } from "node:fs";

const tickMs = 10;

/** In milliseconds since the processes began. */
export function cpuMsOf(pid) {
  let ticks = 0;
  for (const { fields } of gatewayProcesses(pid)) ticks += Number(fields[11]) + Number(fields[12]);
  return ticks * tickMs;
}

export function memoryMbOf(pid) {
  let kb = 0;
  for (const { pid: one } of gatewayProcesses(pid))
    kb += Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${one}/status`))?.[1] ?? 0);
  return kb / 1_024;
}

export function gatewayPidsOf(root) {
  return gatewayProcesses(root).map(({ pid }) => pid);
}

/** What it has started as its upstream server. */
export function upstreamPidsOf(root) {
  return processesBelow(root)
    .filter(({ pid }) => pid !== root && isUpstream(pid))
    .map(({ pid }) => pid);
}

function gatewayProcesses(root) {
  return processesBelow(root).filter(({ pid }) => pid === root || !isUpstream(pid));
}

function isUpstream(pid) {
  return read(`/proc/${pid}/cmdline`).includes("upstream.mjs");
}

function processesBelow(root) {
  const all = readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .map((entry) => {
      const stat = read(`/proc/${entry}/stat`);
      // The name of the program may hold anything, so the fields are counted from its closing bracket.
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return { pid: Number(entry), parent: Number(fields[1]), fields };
    });
  const found = [];
  const visit = (pid) => {
    const one = all.find((process) => process.pid === pid);
    if (one === undefined) return;
    found.push(one);
    for (const child of all) if (child.parent === pid) visit(child.pid);
  };
  visit(root);
  return found;
}

function read(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
