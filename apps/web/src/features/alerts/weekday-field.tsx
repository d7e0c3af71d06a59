import { Checkbox, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { weekdayName } from './weekdays.ts';

const DAYS = [1, 2, 3, 4, 5, 6, 7] as const;

interface WeekdayFieldProps {
  /** 1 is Monday. */
  days: readonly number[];
  error?: string | undefined;
  onChange: (days: number[]) => void;
}

/** Days of the week. */
export function WeekdayField({ days, error, onChange }: WeekdayFieldProps) {
  const { t } = useTranslation();
  return (
    <Checkbox.Group
      label={t('alerts.days')}
      error={error}
      value={days.map(String)}
      onChange={(next) => onChange(next.map(Number).toSorted((a, b) => a - b))}
    >
      <Group gap="md" mt={6}>
        {DAYS.map((day) => (
          <Checkbox key={day} value={String(day)} label={weekdayName(day)} />
        ))}
      </Group>
    </Checkbox.Group>
  );
}
