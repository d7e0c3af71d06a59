import type { AuditRow } from '@albedo/contract/audit/audit.schema';
import { Button, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconDownload, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyDone, notifyFailure } from '../../app/notify.ts';
import type { Column } from '../../ui/data-table/column.ts';
import { saveFile, toCsv } from '../../ui/data-table/csv.ts';
import { TimeRangePicker } from '../../ui/time-range/time-range-picker.tsx';
import classes from './audit.module.css';
import { type AuditAsked, allEntries, auditChoicesQuery, MOST_EXPORTED } from './audit.queries.ts';
import type { AuditAddress } from './use-audit-address.ts';

interface AuditFiltersProps {
  wg: string | null;
  address: AuditAddress;
  onChange: (change: Partial<AuditAddress>) => void;
  ask: () => AuditAsked;
  columns: readonly Column<AuditRow>[];
}

/** What narrows the log, and the file of what is found. */
export function AuditFilters({ wg, address, onChange, ask, columns }: AuditFiltersProps) {
  const { t } = useTranslation();
  const { data: choices } = useQuery(auditChoicesQuery(wg));
  const [isExporting, setExporting] = useState(false);

  async function exportCsv() {
    setExporting(true);
    try {
      const { before: _before, ...asked } = ask();
      const entries = await allEntries(wg, asked);
      saveFile('audit.csv', toCsv(columns, entries));
      notifyDone(
        t(entries.length >= MOST_EXPORTED ? 'audit.exportedMost' : 'audit.exported', {
          count: entries.length,
        }),
      );
    } catch (error) {
      notifyFailure(t('audit.exportFailed'), error);
    }
    setExporting(false);
  }

  return (
    <search className={classes.filters} aria-label={t('audit.filters')}>
      <Typed
        label={t('audit.search')}
        value={address.q}
        icon={<IconSearch size={16} aria-hidden />}
        onChange={(q) => onChange({ q })}
      />
      <Typed label={t('audit.by')} value={address.by} onChange={(by) => onChange({ by })} />
      <Select
        aria-label={t('audit.controller')}
        placeholder={t('audit.controller')}
        clearable
        searchable
        value={address.controller}
        data={offered(choices?.controllers, address.controller)}
        onChange={(controller) => onChange({ controller })}
      />
      <Select
        aria-label={t('audit.action')}
        placeholder={t('audit.action')}
        clearable
        searchable
        value={address.action}
        data={offered(choices?.actions, address.action)}
        onChange={(action) => onChange({ action })}
      />
      <TimeRangePicker value={address.time} onChange={(time) => onChange({ time })} />
      <Button
        variant="default"
        leftSection={<IconDownload size={16} />}
        loading={isExporting}
        onClick={() => void exportCsv()}
      >
        {t('audit.export')}
      </Button>
    </search>
  );
}

/** The chosen one is among them, also before the choices are there. */
const offered = (choices: readonly string[] = [], chosen: string | null): string[] => [
  ...new Set([...choices, ...(chosen ? [chosen] : [])]),
];

interface TypedProps {
  label: string;
  value: string;
  icon?: React.ReactNode;
  onChange: (value: string) => void;
}

/** Follows the address when that changes by itself, such as by Back. */
function Typed({ label, value, icon, onChange }: TypedProps) {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  if (known !== value) {
    setKnown(value);
    setTyped(value);
  }
  const tell = useDebouncedCallback(onChange, 300);
  return (
    <TextInput
      aria-label={label}
      placeholder={label}
      leftSection={icon}
      value={typed}
      maxLength={200}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        tell(event.currentTarget.value.trim());
      }}
    />
  );
}
