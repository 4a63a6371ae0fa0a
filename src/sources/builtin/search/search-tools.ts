/** The tools that search the workspace. */
import type { AnyTool } from "../../../core/tool/tool.ts";
import { codebase } from "./codebase.ts";
import { glob } from "./glob.ts";
import { grep } from "./grep.ts";

export const searchTools: readonly AnyTool[] = [grep, glob, codebase];
