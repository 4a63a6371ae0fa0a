import { describe, expect, it } from "vitest";
import { agentShell } from "../../../../src/agents/all-agents.ts";
import { agentDialect, strictestDialect } from "../../../../src/config/settings/agent-dialect.ts";

const dialectIn = (env: Record<string, string>, platform: "linux" | "darwin" = "linux") =>
  agentDialect(undefined, agentShell(env), platform);

describe("the shell of an agent", () => {
  it("is what the configuration says", () => {
    expect(agentDialect("bash", "/bin/zsh", "darwin")).toBe("bash");
    expect(agentDialect("zsh", "/bin/bash", "linux")).toBe("zsh");
  });

  it("is else what the agent's environment says, its own variable first", () => {
    expect(dialectIn({ SHELL: "/bin/zsh" })).toBe("zsh");
    expect(dialectIn({ SHELL: "/opt/homebrew/bin/zsh-5.9" }, "darwin")).toBe("zsh");
    expect(dialectIn({ SHELL: "/opt/homebrew/bin/bash" }, "darwin")).toBe("bash");
    expect(dialectIn({ SHELL: "/bin/zsh", CLAUDE_CODE_SHELL: "/bin/bash" })).toBe("bash");
    expect(dialectIn({ SHELL: "/bin/bash", CLAUDE_CODE_SHELL: "/bin/zsh" })).toBe("zsh");
  });

  it("is else bash, but on macOS zsh", () => {
    for (const env of [{}, { SHELL: "/usr/bin/fish" }, { SHELL: "" }]) {
      expect(dialectIn(env)).toBe("bash");
      expect(dialectIn(env, "darwin")).toBe("zsh");
    }
  });

  it("is the stricter one where files disagree", () => {
    expect(strictestDialect(["bash", "zsh", undefined])).toBe("zsh");
    expect(strictestDialect(["auto", "bash"])).toBe("bash");
    expect(strictestDialect(["auto", undefined])).toBeUndefined();
  });
});
