/** The MCP Inspector that the checks run. */
import { npmProgram } from "./npm-package.ts";

export const inspector = npmProgram({
  package: { name: "@modelcontextprotocol/inspector", version: "2.12.0" },
  file: "@modelcontextprotocol/inspector/clients/launcher/build/index.js",
});
