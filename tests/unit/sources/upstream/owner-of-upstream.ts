/** Connects to a server that ignores SIGTERM and has a child, tells both pids, and waits to be killed. */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { connectUpstream } from "../../../../src/sources/upstream/talk/connect-upstream.ts";

const here = dirname(fileURLToPath(import.meta.url));
const upstream = connectUpstream(
  {
    name: "scripted",
    transport: {
      kind: "stdio",
      command: process.execPath,
      args: [join(here, "scripted-server.mjs"), "--ignore-term"],
      cwd: here,
    },
  },
  { client: { name: "toolgate", version: "0.0.0" } },
);
const pids: string[] = [];
for (const tool of ["pid", "child"]) {
  const { content } = await upstream.callTool(tool, {});
  pids.push((content as unknown as [{ text: string }])[0].text);
}
console.log(pids.join(" "));
// It does not notice on its own that its input has ended: it is busy.
await upstream.callTool("hang", {});
