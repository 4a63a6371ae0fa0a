/** Processor time: what passes on a busy machine while we hardly run says nothing about the work. */

/** Of this thread alone, where Node can tell: other threads run while this one waits for a processor. */
export const cpuUsed: typeof process.cpuUsage = (process.threadCpuUsage ?? process.cpuUsage).bind(process);

export function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = cpuUsed(before);
  return (user + system) / 1_000;
}
