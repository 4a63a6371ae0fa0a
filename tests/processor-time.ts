/** For bounds on work that computes: on a busy machine others take the time, not the processor time of this thread. */
export function processorMs(): number {
  const used = process.threadCpuUsage?.() ?? process.cpuUsage();
  return (used.user + used.system) / 1_000;
}
