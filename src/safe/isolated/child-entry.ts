/** The inside of an isolated process: loads the module with the work, then does piece after piece. */

export interface WorkModule<In, Out> {
  run(input: In): Out | Promise<Out>;
}

export type FromChild =
  | { readonly kind: "ready" }
  | { readonly kind: "done"; readonly value: unknown }
  | { readonly kind: "failed"; readonly message: string };

// The parent is gone: nobody waits for an answer any more.
process.on("disconnect", () => process.exit(0));

const { run } = (await import(process.argv[2] ?? "")) as WorkModule<unknown, unknown>;

process.on("message", async ({ input }: { readonly input: unknown }) => {
  try {
    tell({ kind: "done", value: await run(input) });
  } catch (error) {
    tell({ kind: "failed", message: String((error as Error | undefined)?.message ?? error).slice(0, 1_000) });
  }
});
tell({ kind: "ready" });

function tell(message: FromChild): void {
  process.send?.(message);
}
