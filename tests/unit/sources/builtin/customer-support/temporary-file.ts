/** A path in a folder that goes when the test ends. */
import { join } from "node:path";
import { temporaryFolder } from "../../temporary-folder.ts";

export const temporaryFile = (name = "support.sqlite"): string => join(temporaryFolder("support"), name);
