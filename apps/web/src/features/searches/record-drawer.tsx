import type { FieldFilter } from '@albedo/contract/telemetry/search.schema';
import type { TableInfo } from '@albedo/contract/telemetry/telemetry.schema';
import { ActionIcon, Anchor, Button, Drawer, Group, Tooltip } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconFilter, IconFilterOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { CopyIcon } from '../../ui/copy-id.tsx';
import { offsetLabel } from '../../ui/time-range/zoned-time.ts';
import type { CellText } from './cell-text.ts';
import type { Found } from './found.ts';
import classes from './searches.module.css';

interface RecordDrawerProps {
  row: Found;
  info: TableInfo | undefined;
  text: CellText;
  zone: string;
  onFilter: (filter: FieldFilter) => void;
  /** To the record above and below it in the table; null at the ends. */
  onBefore: (() => void) | null;
  onAfter: (() => void) | null;
  onClose: () => void;
}

/** Everything that one record has; each value can be filtered by. */
export function RecordDrawer(props: RecordDrawerProps) {
  const { row, info, text, zone, onFilter, onBefore, onAfter, onClose } = props;
  const { t } = useTranslation();
  const names = [...new Set([...(info?.fields ?? []).map(({ name }) => name), ...Object.keys(row)])];
  const has = (name: string) => row[name] !== null && row[name] !== undefined;
  const missing = names.filter((name) => !has(name));
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="min(96vw, 520px)"
      title={t('searches.record')}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Group gap="xs" mb="sm">
        <ActionIcon
          variant="default"
          aria-label={t('searches.before')}
          disabled={onBefore === null}
          onClick={() => onBefore?.()}
        >
          <IconChevronUp size={16} />
        </ActionIcon>
        <ActionIcon
          variant="default"
          aria-label={t('searches.after')}
          disabled={onAfter === null}
          onClick={() => onAfter?.()}
        >
          <IconChevronDown size={16} />
        </ActionIcon>
        <span className={classes.dim}>{offsetLabel(Date.parse(String(row.event_time)), zone)}</span>
        <CopyIcon value={JSON.stringify(row, null, 2)} label={t('searches.asJson')} />
      </Group>
      <dl className={classes.facts}>
        {names.filter(has).map((name) => (
          <div key={name} className={classes.fact}>
            <dt>{name}</dt>
            <dd>
              {name === 'device' ? (
                <Anchor
                  renderRoot={(rest) => (
                    <Link
                      {...rest}
                      to="/devices/$deviceId/$tab"
                      params={{ deviceId: String(row.device), tab: 'general' }}
                    />
                  )}
                >
                  {text(name, row)}
                </Anchor>
              ) : (
                text(name, row)
              )}
            </dd>
            <span className={classes.factTools}>
              <Tooltip label={t('searches.only', { field: name })}>
                <ActionIcon
                  size="sm"
                  variant="subtle"
                  color="gray"
                  aria-label={t('searches.only', { field: name })}
                  onClick={() => onFilter({ field: name, operator: '=', value: givenValue(row, name) })}
                >
                  <IconFilter size={14} />
                </ActionIcon>
              </Tooltip>
              <Tooltip label={t('searches.without', { field: name })}>
                <ActionIcon
                  size="sm"
                  variant="subtle"
                  color="gray"
                  aria-label={t('searches.without', { field: name })}
                  onClick={() => onFilter({ field: name, operator: '!=', value: givenValue(row, name) })}
                >
                  <IconFilterOff size={14} />
                </ActionIcon>
              </Tooltip>
            </span>
          </div>
        ))}
      </dl>
      {missing.length > 0 ? (
        <p className={classes.dim}>{t('searches.hasNot', { fields: missing.join(', ') })}</p>
      ) : null}
      <Button variant="default" size="xs" mt="sm" onClick={onClose}>
        {t('actions.close')}
      </Button>
    </Drawer>
  );
}

const givenValue = (row: Found, name: string): string | number => row[name] ?? '';
