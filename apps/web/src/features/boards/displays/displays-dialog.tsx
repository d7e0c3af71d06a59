import type { StoredBoard } from '@albedo/contract/boards/boards.schema';
import type { Display } from '@albedo/contract/displays/displays.schema';
import { Button, Group, Modal, Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { boardsQuery } from '../../../app/boards-query.ts';
import { useNow } from '../../../app/now.ts';
import { useWorkgroup } from '../../../app/session.ts';
import { useAttempt } from '../../../app/use-submit.ts';
import { Failure } from '../../../ui/failure.tsx';
import { EmptyState, ErrorState, TableSkeleton } from '../../../ui/states.tsx';
import { userZone } from '../../../ui/time-range/time-zone.ts';
import { formatInstant } from '../../../ui/time-range/zoned-time.ts';
import { agoText } from '../../../ui/units/durations.ts';
import { DisplayAddress } from './display-address.tsx';
import { DisplayForm } from './display-form.tsx';
import classes from './displays.module.css';
import { displaysQuery, revokeDisplay } from './displays.queries.ts';

interface DisplaysDialogProps {
  stored: StoredBoard;
  entityId: string | null;
  onClose: () => void;
}

/** The display links of the workgroup: made from the board that is open, shown and revoked here. */
export function DisplaysDialog({ stored, entityId, onClose }: DisplaysDialogProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const [isMaking, setMaking] = useState(false);
  const [address, setAddress] = useState<string | null>(null);
  const { data, error, refetch } = useQuery(displaysQuery(wg));
  if (address !== null) return <DisplayAddress address={address} onClose={() => setAddress(null)} />;
  if (isMaking)
    return (
      <DisplayForm
        stored={stored}
        entityId={entityId}
        onMade={(made) => {
          setAddress(made);
          setMaking(false);
        }}
        onClose={() => setMaking(false)}
      />
    );
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t('boards.display.links')}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Stack gap="sm">
        {error && !data ? (
          <ErrorState title={t('boards.display.failed')} error={error} onRetry={() => void refetch()} />
        ) : !data ? (
          <TableSkeleton rows={3} />
        ) : data.length === 0 ? (
          <EmptyState title={t('boards.display.none')} text={t('boards.display.noneText')} />
        ) : (
          <ul className={classes.list}>
            {data.map((one) => (
              <Row key={one._id} wg={wg} display={one} />
            ))}
          </ul>
        )}
        <Group justify="flex-end">
          <Button leftSection={<IconPlus size={16} />} onClick={() => setMaking(true)}>
            {t('boards.display.make')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function Row({ wg, display }: { wg: string; display: Display }) {
  const { t } = useTranslation();
  const now = useNow(30_000);
  const { data: boards } = useQuery(boardsQuery(wg));
  const { attempt, isWorking, failure } = useAttempt();
  const { _id, name, pages, networks, madeBy, expiresAt, seenAt, seenFrom, ended } = display;
  const shows = pages.map(({ board }) => boards?.find((one) => one._id === board)?.name ?? '…');
  const facts = [
    [...new Set(shows)].join(', '),
    ended === null
      ? t('boards.display.until', { at: formatInstant(expiresAt, userZone(), false) })
      : t(`boards.display.ended.${ended}`),
    networks.length > 0 ? networks.join(', ') : null,
    seenAt === null
      ? t('boards.display.unseen')
      : t('boards.display.seen', { ago: agoText(seenAt, Math.max(now, seenAt)), from: seenFrom }),
    t('boards.display.by', { name: madeBy }),
  ];
  return (
    <li data-ended={ended !== null}>
      <div>
        <strong>{name}</strong>
        <p>{facts.filter(Boolean).join(' · ')}</p>
        <Failure text={failure} />
      </div>
      {ended === 'revoked' ? null : (
        <Button
          variant="default"
          size="xs"
          loading={isWorking}
          aria-label={t('boards.display.revokeOne', { name })}
          onClick={() => void attempt(() => revokeDisplay(wg, _id))}
        >
          {t('boards.display.revoke')}
        </Button>
      )}
    </li>
  );
}
