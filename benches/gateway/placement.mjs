// Where client, gateway and upstream server run. Left to the kernel, it changes from minute to minute and the time of one call with it, by a
// factor of two; so calls one after the other are also measured where each process is on another processor than those it speaks to.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { gatewayPidsOf, upstreamPidsOf } from "./process-tree.mjs";

/** Undefined where the processors cannot be chosen: only one of them, or no `taskset`. */
export function findPlacement() {
  const allowed = /Cpus_allowed_list:\s+(\S+)/.exec(readOwnStatus())?.[1];
  const [first, second] = allowed === undefined ? [] : processorsIn(allowed);
  if (second === undefined || !pin(process.pid, allowed)) return undefined;
  return {
    /** While `work` runs, the client and the upstream servers are on one processor, and the gateway is on the other. A direct server has the gateway's place. */
    async apart({ pid }, direct, work) {
      const placed = [
        [process.pid, first],
        [direct.pid, second],
        ...gatewayPidsOf(pid).map((one) => [one, second]),
        ...upstreamPidsOf(pid).map((one) => [one, first]),
      ];
      return during(placed, allowed, work);
    },
    /** All of them on one. */
    async together({ pid }, direct, work) {
      const all = [process.pid, direct.pid, ...gatewayPidsOf(pid), ...upstreamPidsOf(pid)];
      return during(
        all.map((one) => [one, first]),
        allowed,
        work,
      );
    },
  };
}

async function during(placed, allowed, work) {
  try {
    for (const [pid, processor] of placed) pin(pid, String(processor));
    return await work();
  } finally {
    for (const [pid] of placed) pin(pid, allowed);
  }
}

/** With all its threads. False: it cannot be done here. */
function pin(pid, processors) {
  const { status } = spawnSync("taskset", ["-a", "-c", "-p", processors, String(pid)], { stdio: "ignore" });
  return status === 0;
}

/** "0-3,8" -> 0, 1, 2, 3, 8 */
function processorsIn(list) {
  return list.split(",").flatMap((range) => {
    const [from, to = from] = range.split("-").map(Number);
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  });
}

function readOwnStatus() {
  try {
    return readFileSync("/proc/self/status", "utf8");
  } catch {
    return "";
  }
}
