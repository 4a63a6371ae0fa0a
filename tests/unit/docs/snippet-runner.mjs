/** Imports each file named on the command line, one after another, and writes one line of JSON for each: what it printed, what it threw. */
import { pathToFileURL } from "node:url";
import { format } from "node:util";

for (const file of process.argv.slice(2)) {
  let printed = "";
  console.log = (...words) => {
    printed += `${format(...words)}\n`;
  };
  let error;
  try {
    await import(pathToFileURL(file).href);
  } catch (thrown) {
    error = String(thrown?.stack ?? thrown);
  }
  process.stdout.write(`${JSON.stringify({ file, printed, error })}\n`);
}
