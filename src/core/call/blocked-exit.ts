/** The exit code by which a hook blocks a call: ours towards agents, and a hook program's towards us. */

/** Agents let a call pass on every other code, also on those of a crash. */
export const blockedExit = 2;
