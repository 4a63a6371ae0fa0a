/** What `npm start` runs: the server. Options after `--` are those of `toolgate serve`. */
import("./surfaces/cli/start.ts").then(({ start }) => start(["serve", ...process.argv.slice(2)]));
