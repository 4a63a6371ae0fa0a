/** A hook that stays: one process for all calls, a line of JSON for each, answered by its id. */
const { createInterface } = require("node:readline");

let seen = 0;
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id } = JSON.parse(line);
  seen++;
  const answer = seen > 3 ? { cancel: true, errorMessage: "Three commands are enough." } : {};
  console.log(JSON.stringify({ id, ...answer }));
});
