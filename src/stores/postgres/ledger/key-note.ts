/** The note in the chain about a key that signs checkpoints: whoever adds a key to the table alone is found out. */

export const keyNoteCode = "checkpoint_key";

export function keyNote(pem: string, host: string, at: number) {
  return {
    at,
    code: keyNoteCode,
    caller: host,
    surface: "store",
    message: `Checkpoints of ${host} are signed with this key.`,
    about: { publicKey: pem },
  };
}
