import type { BoardItem } from '@albedo/contract/boards/board-items';
import { Alert, Button, Group, TextInput } from '@mantine/core';
import { IconBooks } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyDone } from '../../../../app/notify.ts';
import { useWorkgroup } from '../../../../app/session.ts';
import { useAttempt } from '../../../../app/use-submit.ts';
import { Failure } from '../../../../ui/failure.tsx';
import { keepInLibrary, libraryQuery } from './library.queries.ts';

interface LibraryPartProps {
  item: BoardItem;
  onLink: (library: string | undefined) => void;
}

/** Whether a widget is this board's own or one of the library, and the way from one to the other. */
export function LibraryPart({ item, onLink }: LibraryPartProps) {
  const { t } = useTranslation();
  const { data } = useQuery(libraryQuery(useWorkgroup()));
  if (item.kind === 'group') return null;
  if (item.library === undefined) return <KeepForm item={item} onKept={onLink} />;
  const kept = data?.find(({ _id }) => _id === item.library);
  return (
    <Alert
      color="gray"
      variant="light"
      icon={<IconBooks size={18} />}
      title={t('boards.library.linked', { name: kept?.name ?? '…' })}
    >
      {/* The one that is open shows it, whether it is saved yet or not. */}
      <p style={{ margin: '0 0 8px' }}>
        {t('boards.library.reaches', { count: Math.max(1, kept?.boards ?? 1) })}
      </p>
      <Button size="compact-sm" variant="default" onClick={() => onLink(undefined)}>
        {t('boards.library.unlink')}
      </Button>
    </Alert>
  );
}

function KeepForm({ item, onKept }: { item: BoardItem; onKept: (library: string) => void }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const [name, setName] = useState<string | null>(null);
  const { attempt, failure, isWorking } = useAttempt();
  if (name === null)
    return (
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconBooks size={14} />}
        style={{ alignSelf: 'flex-start' }}
        onClick={() => setName(item.title || t(`boards.widgets.${item.kind}`))}
      >
        {t('boards.library.keep')}
      </Button>
    );
  const keep = () =>
    attempt(async () => {
      const { _id } = await keepInLibrary(wg, name, item);
      notifyDone(t('boards.library.kept', { name }));
      onKept(_id);
    });
  return (
    <div>
      <TextInput
        label={t('boards.library.name')}
        description={t('boards.library.nameHelp')}
        value={name}
        maxLength={120}
        data-autofocus
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <Failure text={failure} />
      <Group gap={6} mt={8}>
        <Button
          size="compact-sm"
          loading={isWorking}
          disabled={name.trim() === ''}
          onClick={() => void keep()}
        >
          {t('boards.library.keep')}
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => setName(null)}>
          {t('actions.cancel')}
        </Button>
      </Group>
    </div>
  );
}
