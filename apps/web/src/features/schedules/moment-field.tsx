import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { calendarFields, fromCalendarFields } from '../../ui/time-range/time-range.ts';
import classes from './schedules.module.css';

interface MomentFieldProps {
  /** Epoch ms. */
  at: number;
  zone: string;
  /** Told once date and time are complete. */
  onChange: (at: number) => void;
  /** What the fields are of, for people who cannot see where they stand. */
  labels: { date: string; time: string };
  isInTable?: boolean;
  isReadOnly?: boolean;
  fault?: string | null;
}

/** A date and a time by the clocks of a zone. */
export function MomentField(props: MomentFieldProps) {
  const { at, zone, onChange, labels, isInTable = false, isReadOnly = false, fault } = props;
  const shown = calendarFields(at, zone);
  const [typed, setTyped] = useState<{ date: string; time: string } | null>(null);
  const { date, time } = typed ?? shown;
  const take = (next: { date: string; time: string }) => {
    const instant = fromCalendarFields(next.date, next.time, zone);
    setTyped(instant === null ? next : null);
    // Of a time that comes twice the other one stays where only the date is looked at.
    if (instant !== null && (next.date !== shown.date || next.time !== shown.time)) onChange(instant);
  };
  const look = { size: isInTable ? 'xs' : 'sm', readOnly: isReadOnly, error: Boolean(fault) } as const;
  return (
    <div className={classes.moment}>
      <TextInput
        {...look}
        type="date"
        {...(isInTable ? { 'aria-label': labels.date } : { label: labels.date })}
        value={date}
        onChange={({ currentTarget }) => take({ date: currentTarget.value, time })}
        onBlur={() => setTyped(null)}
      />
      <TextInput
        {...look}
        type="time"
        {...(isInTable ? { 'aria-label': labels.time } : { label: labels.time })}
        value={time}
        onChange={({ currentTarget }) => take({ date, time: currentTarget.value })}
        onBlur={() => setTyped(null)}
      />
      {fault ? <div className={classes.fault}>{fault}</div> : null}
    </div>
  );
}
