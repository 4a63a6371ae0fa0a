/** All built-in tools over the ports of their categories: what a gate is given when it is made. */
import { sessionKey } from "../../core/call/session-key.ts";
import type { AnyTool } from "../../core/tool/tool.ts";
import { createPathLocks } from "../../safe/files/path-locks.ts";
import { createBrowserTools } from "./browser/browser-tools.ts";
import type { BrowserOptions } from "./browser/options.ts";
import { createCodeTools } from "./code/code-tools.ts";
import type { CodeOptions } from "./code/diagnostics/options.ts";
import type { SupportPorts } from "./customer-support/ports.ts";
import { createSupportTools } from "./customer-support/support-tools.ts";
import { createEditingTools, type EditingTools, type GivenEditingPorts } from "./editing/editing-tools.ts";
import { createSeenFiles } from "./editing/seen-files.ts";
import { createFilesystemTools } from "./filesystem/filesystem-tools.ts";
import { type GateParts, portsOfGate } from "./gate-ports.ts";
import type { CommitOptions } from "./git/commit.ts";
import { createGitTools } from "./git/git-tools.ts";
import { createMcpTools } from "./mcp/mcp-tools.ts";
import type { McpPorts } from "./mcp/ports.ts";
import { searchTools } from "./search/search-tools.ts";
import type { ShellOptions } from "./shell/options.ts";
import { createShellTools } from "./shell/shell-tools.ts";
import { leavingPlanModeAsks } from "./task/mode.ts";
import type { TaskPorts } from "./task/ports.ts";
import { createSessionState } from "./task/session-state.ts";
import { createTaskTools } from "./task/task-tools.ts";
import type { WebOptions } from "./web/options.ts";
import { createWebTools } from "./web/web-tools.ts";
import { info } from "./workspace/info.ts";

export interface BuiltinOptions {
  readonly editing: GivenEditingPorts;
  readonly shell?: ShellOptions;
  readonly git?: CommitOptions;
  readonly code?: CodeOptions;
  readonly web?: WebOptions;
  /** What of one's own network the web tools may reach, the browser may reach. */
  readonly browser?: Omit<BrowserOptions, "allowPrivate">;
  readonly task?: Partial<TaskPorts>;
  readonly mcp?: McpPorts;
  readonly support?: SupportPorts;
  /** The gate that will hold the tools. Without it no mode can be changed and no tool can be searched for. */
  readonly gate?: () => GateParts;
}

export interface BuiltinTools extends Pick<EditingTools, "recovered"> {
  readonly tools: readonly AnyTool[];
  /** For the gate's policies: a person ends plan mode, also where another rule approves everything. */
  readonly policies: readonly (typeof leavingPlanModeAsks)[];
  /** For a session that is over: ends its background processes and its browser, forgets its list of things to do. */
  endSession(callerId: string, sessionId: string): Promise<void>;
  /** After `gate.close()`: ends background processes and browsers, closes databases, removes temporary files. */
  close(): Promise<void>;
}

export function createBuiltinTools(options: BuiltinOptions): BuiltinTools {
  const { modes, catalogue, mayFollow, mayLoad } =
    options.gate === undefined ? {} : portsOfGate(options.gate);
  const state = options.task?.state ?? createSessionState();
  const seen = options.editing.seen ?? createSeenFiles();
  const locks = options.editing.locks ?? createPathLocks();
  const editing = createEditingTools({ ...options.editing, seen, locks });
  const shell = createShellTools(options.shell);
  const git = createGitTools({ ...options.git, locks });
  const code = createCodeTools(options.code);
  const web = createWebTools({ ...(mayFollow && { mayFollow }), ...options.web });
  const allowPrivate = options.web?.allowPrivate ?? false;
  const browser = createBrowserTools({ ...(mayLoad && { mayLoad }), ...options.browser, allowPrivate });
  const support = createSupportTools(options.support ?? {});
  const closing = [shell, git, code, web, browser, support];
  return {
    tools: [
      ...createFilesystemTools({ seen }),
      ...searchTools,
      ...editing.tools,
      ...shell.tools,
      ...git.tools,
      info,
      ...code.tools,
      ...web.tools,
      ...browser.tools,
      ...createTaskTools({ ...(modes && { modes }), ...options.task, state }),
      ...createMcpTools({ ...(catalogue && { catalogue }), ...options.mcp }),
      ...support.tools,
    ],
    policies: [leavingPlanModeAsks],
    recovered: editing.recovered,
    endSession: async (callerId, sessionId) => {
      state.forget(sessionKey(callerId, sessionId));
      await Promise.all([shell, browser].map((one) => one.endSession(callerId, sessionId)));
    },
    close: async () => {
      const ends = await Promise.allSettled(closing.map((one) => one.close()));
      const broken = ends.find((end) => end.status === "rejected");
      if (broken !== undefined) throw broken.reason;
    },
  };
}
