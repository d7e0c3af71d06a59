import { Checkbox } from '@mantine/core';
import classes from './choice-grid.module.css';

interface Choice {
  value: string;
  label: string;
  /** What it means. */
  help?: string;
  isDisabled?: boolean;
}

interface ChoiceGridProps {
  label: string;
  help?: string;
  choices: readonly Choice[];
  value: string[];
  onChange: (value: string[]) => void;
}

/** Some of a few, each with what it means; in two columns where there is room. */
export function ChoiceGrid({ label, help, choices, value, onChange }: ChoiceGridProps) {
  return (
    <Checkbox.Group
      label={label}
      description={help}
      inputWrapperOrder={['label', 'description', 'input', 'error']}
      value={value}
      onChange={onChange}
    >
      <div className={classes.grid}>
        {choices.map((choice) => (
          <Checkbox
            key={choice.value}
            value={choice.value}
            label={choice.label}
            description={choice.help}
            disabled={choice.isDisabled ?? false}
          />
        ))}
      </div>
    </Checkbox.Group>
  );
}
