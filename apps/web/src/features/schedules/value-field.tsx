import type { SetpointKind } from '@albedo/contract/schedules/setpoints';
import { NumberInput, Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './schedules.module.css';
import { faultOf, type Parts, UNITS } from './values.ts';

interface ValueFieldProps {
  kind: SetpointKind;
  parts: Parts;
  onChange: (parts: Parts) => void;
  label: string;
  /** Of several in a table: the label is read out and not shown. */
  isInTable?: boolean;
  /** It can also end what holds. */
  mayEnd?: boolean;
  isReadOnly?: boolean;
  /** What the server or a bound says of it. */
  fault?: string | null;
}

/** A value with its unit, the word of a cos phi, or the base of reactive power. */
export function ValueField(props: ValueFieldProps) {
  const { kind, parts, onChange, label, isInTable = false, mayEnd = false, isReadOnly = false } = props;
  const { t } = useTranslation();
  const isEnd = parts.unit === 'end';
  const units: string[] = [...UNITS[kind], ...(mayEnd || isEnd ? ['end'] : [])];
  const unitLabel = t(`schedules.unitOf.${kind}`);
  const fault = props.fault ?? (parts.number === null && !isEnd ? null : faultOf(kind, parts));
  return (
    <div className={classes.value} data-is-end={isEnd}>
      {isEnd ? null : (
        <NumberInput
          {...(isInTable ? { 'aria-label': label, size: 'xs' } : { label })}
          className={classes.number ?? ''}
          value={parts.number ?? ''}
          error={fault}
          readOnly={isReadOnly}
          step={kind === 'setpoint_cosphi' ? 0.01 : 1}
          decimalScale={kind === 'setpoint_cosphi' ? 3 : 6}
          hideControls={isInTable}
          onChange={(number) => onChange({ ...parts, number: number === '' ? null : Number(number) })}
        />
      )}
      <Select
        {...(isInTable ? { size: 'xs' } : {})}
        aria-label={isInTable ? `${label}, ${unitLabel}` : unitLabel}
        className={classes.unit ?? ''}
        value={parts.unit}
        allowDeselect={false}
        readOnly={isReadOnly}
        comboboxProps={{ width: 'max-content', position: 'bottom-end' }}
        data={units.map((unit) => ({ value: unit, label: t(`schedules.units.${unit}`) }))}
        onChange={(unit) => unit && onChange(withUnit(kind, parts, unit))}
      />
    </div>
  );
}

/** Between units of the same thing the value stays what it is; else the number stays. */
function withUnit(kind: SetpointKind, { number, unit: old }: Parts, unit: string): Parts {
  if (old === 'end') return { number: kind === 'setpoint_cosphi' ? 1 : 0, unit };
  const [from, to] = [FACTORS[old], FACTORS[unit]];
  return { number: number !== null && from && to ? Number(((number * from) / to).toFixed(9)) : number, unit };
}

const FACTORS: Readonly<Record<string, number>> = { W: 1, kW: 1e3, MW: 1e6, var: 1, kvar: 1e3, Mvar: 1e6 };
