import { Button, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './picker-head.module.css';

interface PickerHeadProps {
  /** What the search looks for. */
  label: string;
  search: string;
  onSearch: (text: string) => void;
  /** Lines that are chosen, and whether these are as many as can be. */
  count: number;
  isFull: boolean;
  onClear: () => void;
}

/** Above fields to tick: their search, and how many are chosen. */
export function PickerHead({ label, search, onSearch, count, isFull, onClear }: PickerHeadProps) {
  const { t } = useTranslation();
  return (
    <>
      <TextInput
        size="sm"
        placeholder={label}
        aria-label={label}
        leftSection={<IconSearch size={14} />}
        value={search}
        onChange={(event) => onSearch(event.currentTarget.value)}
      />
      <div className={classes.chosen}>
        <Text size="xs" c="dimmed">
          {t(isFull ? 'telemetry.picker.full' : 'telemetry.picker.chosen', { count })}
        </Text>
        {count > 0 ? (
          <Button size="compact-xs" variant="subtle" onClick={onClear}>
            {t('telemetry.picker.clear')}
          </Button>
        ) : null}
      </div>
    </>
  );
}
