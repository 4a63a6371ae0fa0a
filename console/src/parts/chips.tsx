/** One of a few, or none: a filter that shows whether it is on. */

export interface ChipsProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly onChange: (value: string) => void;
}

export function Chips({ label, value, options, onChange }: ChipsProps) {
  if (options.length === 0) return null;
  return (
    <fieldset className="chips">
      <legend className="unseen-word">{label}</legend>
      {options.map(([one, name]) => (
        <button
          key={one}
          type="button"
          className="chip"
          aria-pressed={value === one}
          onClick={() => onChange(value === one ? "" : one)}
        >
          {name}
        </button>
      ))}
    </fieldset>
  );
}
