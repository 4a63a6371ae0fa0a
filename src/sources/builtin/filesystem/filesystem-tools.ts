/** The tools that read files and folders. */
import type { AnyTool } from "../../../core/tool.ts";
import { list } from "./list.ts";
import { read } from "./read.ts";
import { stat } from "./stat.ts";
import { viewImage } from "./view-image.ts";

export const filesystemTools: readonly AnyTool[] = [read, list, stat, viewImage];
