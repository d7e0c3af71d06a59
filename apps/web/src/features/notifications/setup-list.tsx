import { Button } from '@mantine/core';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RowAction } from '../../app/list/actions.ts';
import { useRowActions } from '../../app/list/use-row-actions.tsx';
import { notifyDone } from '../../app/notify.ts';
import rows from '../../ui/row-list.module.css';
import { Section } from '../../ui/section.tsx';
import { EmptyState, ErrorState, TableSkeleton } from '../../ui/states.tsx';
import classes from './notifications.module.css';

interface Named {
  _id: string;
  name: string;
}

interface SetupListProps<T extends Named, K extends readonly string[]> {
  kind: 'rotas' | 'escalations' | 'channels';
  query: UseQueryOptions<T[], Error, T[], K>;
  /** What stands in a row beside the actions. */
  row: (one: T) => ReactNode;
  dialog: (one: T | null, close: () => void) => ReactNode;
  remove: (one: T) => Promise<void>;
  /** Further actions of a row. */
  actions?: (one: T) => RowAction<T>[];
}

/** A list of what a workgroup set up for its messages, with what can be done with each of them. */
export function SetupList<T extends Named, K extends readonly string[]>({
  kind,
  query,
  row,
  dialog,
  remove,
  actions,
}: SetupListProps<T, K>) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(query);
  const [isCreating, setCreating] = useState(false);
  const menu = useMemo(
    () => ({
      label: ({ name }: T) => t('notifications.menu', { name }),
      actions: (one: T): RowAction<T>[] => [
        {
          id: 'change',
          title: t('notifications.edit'),
          icon: <IconPencil size={16} />,
          dialog: (of, { close }) => dialog(of, close),
        },
        ...(actions?.(one) ?? []),
        {
          id: 'remove',
          title: t('actions.delete'),
          icon: <IconTrash size={16} />,
          isDangerous: true,
          ask: { text: t('notifications.removeText', { name: one.name }) },
          run: async () => {
            await remove(one);
            notifyDone(t('notifications.removed', { name: one.name }));
          },
        },
      ],
    }),
    [t, dialog, remove, actions],
  );
  const { menuOf, dialogs } = useRowActions({ menu, rows: data, rowId: idOf });
  const create = (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconPlus size={16} />}
      onClick={() => setCreating(true)}
    >
      {t(`notifications.${kind}.new`)}
    </Button>
  );
  return (
    <Section
      isFlush
      title={t(`notifications.${kind}.title`)}
      context={t(`notifications.${kind}.context`)}
      actions={create}
    >
      {error ? (
        <ErrorState title={t(`notifications.${kind}.failed`)} error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <TableSkeleton rows={2} />
      ) : data.length === 0 ? (
        <EmptyState title={t(`notifications.${kind}.none`)} text={t(`notifications.${kind}.noneText`)} />
      ) : (
        <ul className={rows.list}>
          {data.map((one) => (
            <li key={one._id} className={rows.row}>
              <div className={classes.what}>{row(one)}</div>
              {menuOf(one)}
            </li>
          ))}
        </ul>
      )}
      {isCreating ? dialog(null, () => setCreating(false)) : null}
      {dialogs}
    </Section>
  );
}

const idOf = ({ _id }: Named): string => _id;
