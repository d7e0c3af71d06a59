import type { KpiValue } from '@albedo/contract/kpis/kpis.schema';
import { Failure } from '../../ui/failure.tsx';
import classes from './figures.module.css';
import { blankValue, type Line, ValueFields } from './value-fields.tsx';
import { ValueNameField } from './value-name-field.tsx';

interface ValueLinesProps {
  lines: readonly Line[];
  /** What is wrong, by the name of the value. */
  faults: Readonly<Record<string, string>>;
  onChange: (lines: readonly Line[]) => void;
}

/** The values of a definition, and a field that adds one. */
export function ValueLines({ lines, faults, onChange }: ValueLinesProps) {
  const primary = lines.find(({ value }) => value.isPrimary)?.key ?? lines[0]?.key;
  const add = (name: string) => {
    const key = Math.max(-1, ...lines.map((one) => one.key)) + 1;
    onChange([...lines, { key, name, value: blankValue() }]);
  };
  const setValue = (key: number, value: KpiValue) =>
    onChange(lines.map((one) => (one.key === key ? { ...one, value } : one)));
  const setPrimary = (key: number) =>
    onChange(
      lines.map((one) => ({ ...one, value: { ...one.value, isPrimary: one.key === key } as KpiValue })),
    );
  return (
    <>
      {lines.map((line) => (
        <fieldset key={line.key} className={classes.line}>
          <legend>{line.name}</legend>
          <ValueFields
            line={line}
            isPrimary={line.key === primary}
            onPrimary={() => setPrimary(line.key)}
            onChange={(value) => setValue(line.key, value)}
            onRemove={() => onChange(lines.filter((one) => one.key !== line.key))}
          />
          <Failure text={faults[line.name] ?? null} />
        </fieldset>
      ))}
      <ValueNameField mt={16} taken={lines.map(({ name }) => name)} onAdd={add} />
    </>
  );
}

export const linesOf = (values: Readonly<Record<string, KpiValue>>): Line[] =>
  Object.entries(values).map(([name, value], key) => ({ key, name, value }));

export const valuesOf = (lines: readonly Line[]): Record<string, KpiValue> =>
  Object.fromEntries(lines.map(({ name, value }) => [name, value]));

/** What a schema or the server finds wrong, by the name of the value or of the field. */
export const faultsIn = (
  issues: readonly { path: readonly PropertyKey[]; message: string }[],
): Record<string, string> =>
  Object.fromEntries(
    issues.map(({ path, message }) => [
      String(path[0] === 'values' ? (path[1] ?? 'values') : path[0]),
      message,
    ]),
  );
