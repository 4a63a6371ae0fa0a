/** The tools that read files and folders. */
import type { AnyTool } from "../../../core/tool/tool.ts";
import type { SeenFiles } from "../editing/seen-files.ts";
import { list } from "./list.ts";
import { createRead } from "./read.ts";
import { stat } from "./stat.ts";
import { viewImage } from "./view-image.ts";

export interface FilesystemPorts {
  /** Told what a session has read, so that it does not write over what somebody else changes meanwhile. */
  readonly seen?: SeenFiles;
}

export function createFilesystemTools(ports: FilesystemPorts = {}): readonly AnyTool[] {
  return [createRead(ports), list, stat, viewImage];
}
