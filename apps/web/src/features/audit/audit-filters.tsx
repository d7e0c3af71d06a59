import { ActionIcon, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconFilter, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './audit.module.css';
import { auditChoicesQuery } from './audit.queries.ts';
import type { AuditAddress } from './use-audit-address.ts';

interface AuditFiltersProps {
  wg: string | null;
  address: AuditAddress;
  onChange: (change: Partial<AuditAddress>) => void;
  children: React.ReactNode;
}

/** What narrows the log. */
export function AuditFilters({ wg, address, onChange, children }: AuditFiltersProps) {
  const { t } = useTranslation();
  const { data: choices } = useQuery(auditChoicesQuery(wg));
  // On a phone they stand behind a button, unless one of them is set.
  const isFiltered = address.by !== '' || address.controller !== null || address.action !== null;
  const [isOpen, setOpen] = useState(isFiltered);

  return (
    <search className={classes.filters} aria-label={t('audit.filters')}>
      <div className={classes.search}>
        <Typed
          label={t('audit.search')}
          value={address.q}
          icon={<IconSearch size={16} aria-hidden />}
          onChange={(q) => onChange({ q })}
        />
      </div>
      <ActionIcon
        className={classes.unfold ?? ''}
        variant={isFiltered ? 'filled' : 'default'}
        size={36}
        aria-label={t('audit.moreFilters')}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <IconFilter size={17} />
      </ActionIcon>
      <div className={classes.more} data-is-open={isOpen}>
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
      </div>
      {children}
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
