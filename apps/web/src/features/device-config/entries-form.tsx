import type { ConfigList } from '@albedo/contract/device-config/scenarios.schema';
import { ActionIcon, Button, Menu, Text } from '@mantine/core';
import { IconChevronDown, IconPencil, IconTrash } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../ui/states.tsx';
import { type ConfigEntry, entriesOf, LISTS, putEntry, withoutEntry } from './config-text.ts';
import classes from './device-config.module.css';
import { EntryDialog } from './entry-dialog.tsx';

interface EntriesFormProps {
  text: string;
  onChange: (text: string) => void;
  /** To the place of a fault in the text. */
  onGoTo: (line: number) => void;
}

/** What a configuration captures, entry by entry; each change goes into its text. */
export function EntriesForm({ text, onChange, onGoTo }: EntriesFormProps) {
  const { t } = useTranslation();
  const entries = useMemo(() => entriesOf(text), [text]);
  const [open, setOpen] = useState<{ list: ConfigList; entry: ConfigEntry | null } | null>(null);
  if (!Array.isArray(entries)) {
    const { line } = entries;
    return (
      <EmptyState title={t('deviceConfig.noYaml')} text={t('deviceConfig.noYamlText')}>
        <Button variant="default" onClick={() => onGoTo(line ?? 1)}>
          {t('deviceConfig.line', { line: line ?? 1 })}
        </Button>
      </EmptyState>
    );
  }
  const lists = LISTS.map((list) => ({ list, own: entries.filter((one) => one.list === list) }));
  return (
    <div className={classes.forms}>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button
            size="xs"
            variant="default"
            rightSection={<IconChevronDown size={14} />}
            className={classes.add ?? ''}
          >
            {t('deviceConfig.add')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {LISTS.map((list) => (
            <Menu.Item key={list} onClick={() => setOpen({ list, entry: null })}>
              {t(`deviceConfig.kinds.${list}`)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {entries.length === 0 ? (
        <EmptyState title={t('deviceConfig.noEntries')} text={t('deviceConfig.noEntriesText')} />
      ) : null}
      {lists
        .filter(({ own }) => own.length > 0)
        .map(({ list, own }) => (
          <section key={list}>
            <h3 className={classes.list}>
              {t(`deviceConfig.kinds.${list}`)} <code>{list}</code>
            </h3>
            <ul className={classes.entries}>
              {own.map((entry) => (
                <li key={entry.at}>
                  <div>
                    <Text size="sm" fw={500}>
                      {nameOf(entry)}
                    </Text>
                    <code className={classes.path}>{howOf(entry)}</code>
                  </div>
                  <ActionIcon
                    variant="subtle"
                    aria-label={t('deviceConfig.edit', { name: nameOf(entry) })}
                    onClick={() => setOpen({ list, entry })}
                  >
                    <IconPencil size={16} />
                  </ActionIcon>
                  <ActionIcon
                    variant="subtle"
                    aria-label={t('deviceConfig.remove', { name: nameOf(entry) })}
                    onClick={() => onChange(withoutEntry(text, entry))}
                  >
                    <IconTrash size={16} />
                  </ActionIcon>
                </li>
              ))}
            </ul>
          </section>
        ))}
      {open ? (
        <EntryDialog
          list={open.list}
          entry={open.entry}
          onSave={(values) =>
            onChange(putEntry(text, { list: open.list, at: open.entry?.at ?? null, values }))
          }
          onClose={() => setOpen(null)}
        />
      ) : null}
    </div>
  );
}

const said = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

const nameOf = ({ values }: ConfigEntry): string =>
  [values.table, values.source].map(said).filter(Boolean).join(' / ') || said(values.directory) || '…';

/** What it reads and how often. */
const howOf = ({ values }: ConfigEntry): string =>
  [values.command, values.file, values.socket, values.filename, values.frequency, values.at]
    .map(said)
    .filter(Boolean)
    .join(' · ');
