/** What the process does that reads strangers' rule files. */
import { type ReadStranger, readStrangers, type StrangerFile } from "./strangers.ts";

export function run(files: readonly StrangerFile[]): readonly ReadStranger[] {
  return readStrangers(files);
}
