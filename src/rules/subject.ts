/** A part of a call that policies judge, and what is needed to find the parts. */
import type { RoleIndex } from "../core/input/input-roles.ts";
import type { CommandContext, CommandJudge, CommandRisk, JudgedCommand } from "../core/ports/command.ts";
import type { ExpandGlob, FindBelow, LocatePath, Location } from "../core/ports/location.ts";
import type { LookAtRepository } from "../core/ports/repository.ts";
import type { Permission } from "../core/tool/permission.ts";
import type { DerivedValues } from "../core/tool/tool.ts";
import type { PersonsCommand } from "./own/persons-commands.ts";

export interface Subject {
  readonly risk: CommandRisk;
  readonly network: boolean;
  /** Set for a part of a shell line. */
  readonly command?: JudgedCommand;
  /** Why this part is not understood. */
  readonly opaque?: string;
  /** Of a command that is not understood: why, as a person reads it. It decides nothing. */
  readonly unclear?: string;
  /** `unknown`: touches a path that is not known before it runs. */
  readonly path?: Location | "unknown";
  readonly url?: string;
  /** A command of toolgate itself that only people run. */
  readonly persons?: PersonsCommand;
  /** Opens what another command of the line finds, and that one looks in this folder of ours. */
  readonly handsOn?: string;
  /** The text is the tool author's: who approves the tool by name approves what nobody can read in it. */
  readonly fixed?: true;
  /** Stands for parts that nobody looked at because there are too many. No policy approves them. */
  readonly unseen?: true;
  /** No word names it: it lies below a folder that the command takes as a whole. */
  readonly reached?: true;
  /** For messages: `rm -rf /`, `/etc/passwd`. */
  readonly label: string;
}

export const riskOrder: Readonly<Record<CommandRisk, number>> = { read: 0, write: 1, execute: 2, opaque: 3 };

export interface JudgedTool {
  readonly permission: Permission;
  readonly capabilities: readonly string[];
  readonly roles: RoleIndex;
  /** A shell does what its commands do. Any other tool keeps its own risk, whatever its input holds. */
  readonly isShell: boolean;
  /** What its commands are written in, where that is not what the judge reads. */
  readonly language?: CommandContext["shell"];
  /** What a call does that its fields do not say by themselves. */
  readonly derive?: ((args: unknown) => DerivedValues | undefined) | undefined;
  /** See `Tool`. */
  readonly hidesSecrets?: (() => boolean) | undefined;
}

export interface Judges {
  readonly judgeCommand: CommandJudge | undefined;
  readonly locatePath: LocatePath;
  /** Without it a glob counts as the folder it starts in and as a path that is not known. */
  readonly expandGlob?: ExpandGlob;
  /** Without it a folder that a command reads as a whole counts as a path that is not known. */
  readonly findBelow?: FindBelow;
  /** Without it every git command may run what a repository says. */
  readonly lookAtRepository?: LookAtRepository;
}

export interface Place {
  readonly cwd: string;
  readonly roots: readonly string[];
}

/** What a call is looked at with. */
export interface Surroundings extends Judges {
  readonly place: Place;
  /** Whether some rule speaks of a path that lies below a folder. By default none does. */
  readonly concerns?: (absolute: string) => boolean;
}

/** A call with more parts is opaque. Finding where a path leads takes time in which nobody else is served. */
export const maxSubjects = 256;

/** One more than is judged, so that the rest is known to be there. Nothing more is looked at. */
export function isFull(subjects: readonly Subject[]): boolean {
  return subjects.length > maxSubjects;
}

export function opaqueSubject(reason: string, text: string): Subject {
  return { risk: "opaque", network: true, opaque: reason, label: text };
}

export function locator({ place, locatePath }: Surroundings) {
  return (path: string, access: "read" | "write") =>
    locatePath(path, { cwd: place.cwd, roots: place.roots, access });
}

/** For messages: not longer than a person reads. */
export function partOf(subject: Subject): string {
  return subject.label.length > 200 ? `${subject.label.slice(0, 200)}…` : subject.label;
}
