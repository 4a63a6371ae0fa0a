import { describe, expect, it } from "vitest";
import { agentDialect, strictestDialect } from "../../../../src/config/settings/agent-dialect.ts";

describe("the shell of an agent", () => {
  it("is what the configuration says", () => {
    expect(agentDialect("bash", { SHELL: "/bin/zsh" }, "darwin")).toBe("bash");
    expect(agentDialect("zsh", { SHELL: "/bin/bash" }, "linux")).toBe("zsh");
  });

  it("is else what the agent's environment says, its own variable first", () => {
    expect(agentDialect(undefined, { SHELL: "/bin/zsh" }, "linux")).toBe("zsh");
    expect(agentDialect(undefined, { SHELL: "/opt/homebrew/bin/zsh-5.9" }, "darwin")).toBe("zsh");
    expect(agentDialect(undefined, { SHELL: "/opt/homebrew/bin/bash" }, "darwin")).toBe("bash");
    expect(agentDialect(undefined, { SHELL: "/bin/zsh", CLAUDE_CODE_SHELL: "/bin/bash" }, "linux")).toBe(
      "bash",
    );
    expect(agentDialect(undefined, { SHELL: "/bin/bash", CLAUDE_CODE_SHELL: "/bin/zsh" }, "linux")).toBe(
      "zsh",
    );
  });

  it("is else bash, but on macOS zsh", () => {
    for (const env of [{}, { SHELL: "/usr/bin/fish" }, { SHELL: "" }]) {
      expect(agentDialect(undefined, env, "linux")).toBe("bash");
      expect(agentDialect(undefined, env, "darwin")).toBe("zsh");
    }
  });

  it("is the stricter one where files disagree", () => {
    expect(strictestDialect(["bash", "zsh", undefined])).toBe("zsh");
    expect(strictestDialect(["auto", "bash"])).toBe("bash");
    expect(strictestDialect(["auto", undefined])).toBeUndefined();
  });
});
