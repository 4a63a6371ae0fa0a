/** Which keys do what in the inbox, and the switch that turns single keys off. */
import { useKeyChoice } from "../app/key-choice.ts";
import { Dialog } from "../parts/dialog.tsx";

const keys = [
  ["j k", "next, previous"],
  ["a", "approve once"],
  ["s", "approve for this session"],
  ["y", "yes, after a or s, if it is dangerous"],
  ["e", "edit the input"],
  ["d", "deny, with a reason"],
  ["x", "choose for an answer to several"],
  ["u", "take the last answer back"],
  ["g i", "go to the inbox (g and another letter: other views)"],
  ["?", "this list"],
] as const;

export function KeysHelp({ onClose }: { readonly onClose: () => void }) {
  const [isOn, setOn] = useKeyChoice();
  return (
    <Dialog title="Keys of the inbox" onClose={onClose}>
      <p className="quiet">
        They work only while the list has the focus, and not before a card was in sight for a moment.
      </p>
      <dl className="facts">
        {keys.map(([key, what]) => (
          <div key={key} className="key-line">
            <dt>
              {key.split(" ").map((one) => (
                <kbd key={one}>{one}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <label className="check">
        <input type="checkbox" checked={isOn} onChange={(event) => setOn(event.target.checked)} /> Single keys
        do something
      </label>
    </Dialog>
  );
}
