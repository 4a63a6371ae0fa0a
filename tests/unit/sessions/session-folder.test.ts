import { mkdirSync, mkdtempSync, realpathSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createGate } from "../../../src/gate/create-gate.ts";
import { createSessions } from "../../../src/sessions/create-sessions.ts";
import { scriptedRunner } from "./scripted-runner.ts";

const ann = { id: "ann", capabilities: ["*"] };

describe("the folder of a session", () => {
  it.for([".git", ".git/hooks", "sub/.git/modules/x", "link"])(
    "is never inside of git's own: %s",
    async (place) => {
      const folder = realpathSync(mkdtempSync(join(tmpdir(), "sessions-")));
      mkdirSync(join(folder, ".git/hooks"), { recursive: true });
      mkdirSync(join(folder, "sub/.git/modules/x"), { recursive: true });
      symlinkSync(join(folder, ".git"), join(folder, "link"));
      await using gate = await createGate({ roots: [folder] });
      await using sessions = await createSessions(gate, {
        runners: [scriptedRunner(async () => "never")],
        roots: [folder],
      });
      const wanted = { prompt: "go", runner: "scripted", cwd: join(folder, place) };
      for (const mode of ["act", "plan"] as const)
        expect(await sessions.start({ ...wanted, mode }, ann)).toMatchObject({
          ok: false,
          code: "bad_request",
          message: expect.stringMatching(/is git's own folder\. Name the folder of the repository: /),
        });
    },
  );
});
