import type { LibraryWidget } from '@albedo/contract/boards/widget-library.schema';
import { ActionIcon, Button, Modal, Stack, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useWorkgroup } from '../../../../app/session.ts';
import { useAttempt } from '../../../../app/use-submit.ts';
import { Failure } from '../../../../ui/failure.tsx';
import { LinesSkeleton } from '../../../../ui/skeletons.tsx';
import { EmptyState, ErrorState } from '../../../../ui/states.tsx';
import { widgetOf } from '../../widgets/widgets.ts';
import classes from './library.module.css';
import { libraryQuery, removeFromLibrary } from './library.queries.ts';

/** From so many on a search stands above them. */
const MANY = 8;

/** The widgets that dashboards share: one is added from here, and those that no dashboard shows can be deleted. */
export function LibraryDialog({
  onAdd,
  onClose,
}: {
  onAdd: (one: LibraryWidget) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const [search, setSearch] = useState('');
  const { data, error, refetch } = useQuery(libraryQuery(wg));
  const { attempt, failure } = useAttempt();
  const found = data?.filter(({ name }) => name.toLowerCase().includes(search.trim().toLowerCase()));
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t('boards.library.title')}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Stack gap="sm">
        <Failure text={failure} />
        {data && data.length >= MANY ? (
          <TextInput
            aria-label={t('boards.library.search')}
            placeholder={t('boards.library.search')}
            value={search}
            onChange={({ currentTarget }) => setSearch(currentTarget.value)}
          />
        ) : null}
        {error && !data ? (
          <ErrorState title={t('boards.library.failed')} error={error} onRetry={() => void refetch()} />
        ) : !found ? (
          <LinesSkeleton lines={5} />
        ) : found.length === 0 ? (
          <EmptyState
            title={t(data?.length ? 'boards.noEntity' : 'boards.library.none')}
            {...(data?.length ? {} : { text: t('boards.library.noneText') })}
          />
        ) : (
          <ul className={classes.list}>
            {found.map((one) => (
              <Row
                key={one._id}
                one={one}
                onAdd={() => onAdd(one)}
                onRemove={() => void attempt(() => removeFromLibrary(wg, one._id))}
              />
            ))}
          </ul>
        )}
      </Stack>
    </Modal>
  );
}

function Row({ one, onAdd, onRemove }: { one: LibraryWidget; onAdd: () => void; onRemove: () => void }) {
  const { t } = useTranslation();
  const widget = widgetOf(one.item.kind);
  return (
    <li>
      {widget ? <widget.Icon size={18} stroke={1.6} aria-hidden /> : null}
      <div>
        <b>{one.name}</b>
        <small>
          {t(`boards.widgets.${one.item.kind}`)} · {t('boards.library.on', { count: one.boards })}
        </small>
      </div>
      <Button
        size="compact-sm"
        variant="default"
        onClick={onAdd}
        aria-label={t('boards.library.addOne', one)}
      >
        {t('boards.library.add')}
      </Button>
      <ActionIcon
        variant="subtle"
        color="gray"
        disabled={one.boards > 0}
        title={one.boards > 0 ? t('boards.library.used') : undefined}
        aria-label={t('boards.library.remove', one)}
        onClick={onRemove}
      >
        <IconTrash size={16} />
      </ActionIcon>
    </li>
  );
}
