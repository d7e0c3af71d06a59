import { Button, Text, TextInput } from '@mantine/core';
import { IconChevronRight, IconSearch } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './picker-frame.module.css';

interface PickerFrameProps {
  /** What the search looks for. */
  label: string;
  search: string;
  onSearch: (text: string) => void;
  /** Lines that are chosen, and whether these are as many as can be. */
  count: number;
  isFull: boolean;
  onClear: () => void;
  /** A further filter below the search. */
  filter?: ReactNode;
  /** The fields to tick; they scroll below their search. */
  children: ReactNode;
}

/** Fields to tick below their search, with how many are chosen. */
export function PickerFrame(props: PickerFrameProps) {
  const { label, search, onSearch, count, isFull, onClear, filter, children } = props;
  const { t } = useTranslation();
  return (
    <div className={classes.frame}>
      <TextInput
        size="sm"
        placeholder={label}
        aria-label={label}
        leftSection={<IconSearch size={14} />}
        value={search}
        onChange={(event) => onSearch(event.currentTarget.value)}
      />
      {filter}
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
      <div className={classes.rows}>{children}</div>
    </div>
  );
}

interface OpenerProps {
  isOpen: boolean;
  onToggle: () => void;
  /** Lines that are ticked below it. */
  count: number;
  /** Set where openers stand below others. */
  isTop?: boolean;
  /** Details beside its name. */
  notes?: readonly string[];
  children: string;
}

/** The row of a picker that opens what is below it. */
export function Opener({ isOpen, onToggle, count, isTop, notes = [], children }: OpenerProps) {
  return (
    <button
      type="button"
      className={classes.opener}
      data-top={isTop}
      aria-expanded={isOpen}
      onClick={onToggle}
    >
      <IconChevronRight size={isTop ? 16 : 14} data-open={isOpen} className={classes.arrow} aria-hidden />
      <span className={classes.name}>
        {children}
        {notes.length > 0 ? ' ' : null}
        {notes.length > 0 ? <span className={classes.notes}>{notes.join(', ')}</span> : null}
      </span>
      {count > 0 ? <span className={classes.count}>{count}</span> : null}
    </button>
  );
}
