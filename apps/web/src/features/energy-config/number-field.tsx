import { NumberInput } from '@mantine/core';

interface NumberFieldProps {
  label: string;
  help?: string;
  value: number;
  min?: number;
  max?: number;
  step?: number;
  /** Stands behind the number. */
  unit?: string;
  error?: string | undefined;
  onChange: (value: number) => void;
}

/** A number that is never empty. */
export function NumberField({ label, help, value, min, max, step, unit, error, onChange }: NumberFieldProps) {
  return (
    <NumberInput
      label={label}
      description={help}
      value={value}
      error={error}
      {...(min === undefined ? {} : { min })}
      {...(max === undefined ? {} : { max })}
      {...(step === undefined ? {} : { step })}
      {...(unit === undefined ? {} : { suffix: ` ${unit}` })}
      onChange={(next) => typeof next === 'number' && onChange(next)}
    />
  );
}

/** A part of 1 that people write in percent. */
export function PercentField({ value, min = 0, max = 1, onChange, ...rest }: NumberFieldProps) {
  return (
    <NumberField
      {...rest}
      value={rounded(value * 100)}
      min={rounded(min * 100)}
      max={rounded(max * 100)}
      unit="%"
      onChange={(next) => onChange(rounded(next / 100))}
    />
  );
}

/** Without what floating point adds to a hundredth. */
const rounded = (value: number): number => Number(value.toPrecision(10));
