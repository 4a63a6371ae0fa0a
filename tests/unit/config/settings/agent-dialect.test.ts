import { describe, expect, it } from "vitest";
import { agentShell } from "../../../../src/agents/all-agents.ts";
import { agentDialect, strictestDialect } from "../../../../src/config/settings/agent-dialect.ts";

describe("the shell of an agent", () => {
  it("is what the configuration says", () => {
    expect(agentDialect("bash", "/bin/zsh", "darwin")).toBe("bash");
    expect(agentDialect("zsh", "/bin/bash", "linux")).toBe("zsh");
  });

  it("is else what the agent's environment says, its own variable first", () => {
    expect(agentDialect(undefined, agentShell({ SHELL: "/bin/zsh" }), "linux")).toBe("zsh");
    expect(agentDialect(undefined, agentShell({ SHELL: "/opt/homebrew/bin/zsh-5.9" }), "darwin")).toBe("zsh");
    expect(agentDialect(undefined, agentShell({ SHELL: "/opt/homebrew/bin/bash" }), "darwin")).toBe("bash");
    expect(
      agentDialect(undefined, agentShell({ SHELL: "/bin/zsh", CLAUDE_CODE_SHELL: "/bin/bash" }), "linux"),
    ).toBe("bash");
    expect(
      agentDialect(undefined, agentShell({ SHELL: "/bin/bash", CLAUDE_CODE_SHELL: "/bin/zsh" }), "linux"),
    ).toBe("zsh");
  });

  it("is else bash, but on macOS zsh", () => {
    for (const env of [{}, { SHELL: "/usr/bin/fish" }, { SHELL: "" }]) {
      expect(agentDialect(undefined, agentShell(env), "linux")).toBe("bash");
      expect(agentDialect(undefined, agentShell(env), "darwin")).toBe("zsh");
    }
  });

  it("is the stricter one where files disagree", () => {
    expect(strictestDialect(["bash", "zsh", undefined])).toBe("zsh");
    expect(strictestDialect(["auto", "bash"])).toBe("bash");
    expect(strictestDialect(["auto", undefined])).toBeUndefined();
  });
});
