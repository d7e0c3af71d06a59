import { historyApi } from '@albedo/contract/history/history.api';
import type { HistoryKind, SavedVersion, VersionChange } from '@albedo/contract/history/history.schema';
import { Accordion, Button, Modal, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Failure } from '../../ui/failure.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import { call } from '../call.ts';
import { notifyDone } from '../notify.ts';
import { useWorkgroup } from '../session.ts';
import { useAttempt } from '../use-submit.ts';
import { type NameChange, useChangeText } from './change-text.ts';
import classes from './versions.module.css';

export interface VersionsDialogProps {
  kind: HistoryKind;
  id: string;
  name: string;
  mayRestore: boolean;
  /** Has whatever shows the thing ask again. */
  onRestored: () => Promise<unknown>;
  onClose: () => void;
  /** Says of what in the thing a change is; null where of all of it. */
  nameChange?: NameChange;
}

/** The saves of a thing: who saved it and when, what changed, and the way back. */
export function VersionsDialog({
  kind,
  id,
  name,
  mayRestore,
  onRestored,
  onClose,
  nameChange,
}: VersionsDialogProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const [opened, setOpened] = useState<string | null>(null);
  const params = { wg, thing: kind, id };
  const { data, error, refetch } = useQuery({
    queryKey: ['history', wg, kind, id],
    queryFn: ({ signal }) => call(historyApi.list, { params }, signal),
    gcTime: 0,
  });
  const newest = data?.[0]?.version;
  const { attempt, isWorking, failure } = useAttempt();
  const restore = ({ version }: SavedVersion) =>
    void attempt(async () => {
      await call(historyApi.restore, { params: { ...params, version: version as never } });
      await onRestored();
      notifyDone(t('history.restored', { version }));
      onClose();
    });
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t('history.titleOf', { name })}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Failure text={failure} />
      {error && !data ? (
        <ErrorState title={t('history.failed')} error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton height={160} />
      ) : data.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('history.none')}
        </Text>
      ) : (
        <Accordion value={opened} onChange={setOpened} variant="default" chevronPosition="left">
          {data.map((one) => (
            <Accordion.Item key={one.version} value={String(one.version)}>
              <div className={classes.row}>
                <Accordion.Control>
                  <span className={classes.version}>
                    {t('history.version', { version: one.version })}
                    {one.version === newest ? ` · ${t('history.newest')}` : ''}
                  </span>
                  <span className={classes.facts}>
                    {formatInstant(one.at, userZone(), false)} · {one.by || t('history.before')}
                  </span>
                </Accordion.Control>
                {one.version !== newest && mayRestore ? (
                  <Button
                    size="xs"
                    variant="default"
                    loading={isWorking}
                    aria-label={t('history.restoreOne', { version: one.version })}
                    onClick={() => restore(one)}
                  >
                    {t('history.restore')}
                  </Button>
                ) : null}
              </div>
              <Accordion.Panel>
                {opened === String(one.version) ? (
                  <Changes params={params} version={one.version} nameChange={nameChange} />
                ) : null}
              </Accordion.Panel>
            </Accordion.Item>
          ))}
        </Accordion>
      )}
    </Modal>
  );
}

interface ChangesProps {
  params: { wg: string; thing: HistoryKind; id: string };
  version: number;
  nameChange: NameChange | undefined;
}

function Changes({ params, version, nameChange }: ChangesProps) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({
    queryKey: ['history', params.wg, params.thing, params.id, 'one', version],
    queryFn: ({ signal }) =>
      call(historyApi.get, { params: { ...params, version: version as never } }, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error && !data)
    return <ErrorState title={t('history.failed')} error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={40} />;
  if (data.changes === null || data.changes.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t(data.changes === null ? 'history.first' : 'history.same')}
      </Text>
    );
  return <ChangeList changes={data.changes} count={data.count} nameChange={nameChange} />;
}

interface ChangeListProps {
  changes: readonly VersionChange[];
  /** How many there are, however many are listed. */
  count: number;
  nameChange?: NameChange | undefined;
}

/** What became different, one line each. */
export function ChangeList({ changes, count, nameChange }: ChangeListProps) {
  const { t } = useTranslation();
  const textOf = useChangeText(nameChange);
  return (
    <ul className={classes.changes}>
      {changes.map((one) => (
        <li key={one.path.join('.')} data-type={one.type}>
          {textOf(one)}
        </li>
      ))}
      {count > changes.length ? <li>{t('history.more', { count: count - changes.length })}</li> : null}
    </ul>
  );
}
