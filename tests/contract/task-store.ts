/** What every memory of ended tasks must do: by caller, by session, and by turn. */
import { describe, expect, it } from "vitest";
import type { TaskEnd, TaskStore } from "../../src/core/ports/tasks.ts";

export interface TaskWorld {
  readonly tasks: TaskStore;
  /** As another process has them. Undefined: they cannot be shared. */
  readonly other: TaskStore | undefined;
}

const cancelled: TaskEnd = {
  kind: "cancelled",
  by: "scan",
  message: "A secret: \u{1F511}",
  at: 1_700_000_000_000,
};
const rejected: TaskEnd = { kind: "rejected", by: "ann", message: "Not today.", at: 1_700_000_000_001 };

export function taskStoreContract(name: string, get: () => TaskWorld): void {
  let last = 0;
  const next = () => `${name} session ${++last}`;

  describe(`ended tasks in ${name}`, () => {
    it("are none where nobody ended one", () => {
      expect(get().tasks.endOf("agent", next())).toBeUndefined();
      expect(get().tasks.endOf("agent", next(), "turn")).toBeUndefined();
    });

    it.for(["plain-session_1", "UPPER", "../../etc/passwd", "a.b", "", "x".repeat(300), "é\n\u0000"])(
      "are known at once, by caller and session: %j",
      async (session) => {
        const { tasks, other = tasks } = get();
        await tasks.end({ callerId: "agent", sessionId: session }, cancelled);
        expect([tasks.endOf("agent", session), other.endOf("agent", session)]).toEqual([
          cancelled,
          cancelled,
        ]);
        expect([other.endOf("other", session), other.endOf("agent", `${session}x`)]).toEqual([
          undefined,
          undefined,
        ]);
        await other.start("agent", session);
        expect([tasks.endOf("agent", session), other.endOf("agent", session)]).toEqual([
          undefined,
          undefined,
        ]);
      },
    );

    it("can be started where none was ended, and ended twice", async () => {
      const { tasks } = get();
      const session = next();
      await tasks.start("agent", session);
      await tasks.end({ callerId: "agent", sessionId: session }, cancelled);
      await tasks.end({ callerId: "agent", sessionId: session }, { ...cancelled, by: "second" });
      expect(tasks.endOf("agent", session)).toMatchObject({ by: "second" });
    });

    it("of a turn concern that turn alone", async () => {
      const { tasks, other = tasks } = get();
      const session = next();
      await tasks.end({ callerId: "agent", sessionId: session, turnId: "one" }, rejected);
      expect(other.endOf("agent", session, "one")).toEqual(rejected);
      expect([other.endOf("agent", session), other.endOf("agent", session, "two")]).toEqual([
        undefined,
        undefined,
      ]);
      // No two names look like another pair.
      expect(other.endOf("agent", `${session}.one`)).toBeUndefined();
    });
  });
}
