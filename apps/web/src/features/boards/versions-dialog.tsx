import type { StoredBoard } from '@albedo/contract/boards/boards.schema';
import { everyItem } from '@albedo/contract/boards/boards.schema';
import { historyApi } from '@albedo/contract/history/history.api';
import type { SavedVersion, VersionChange } from '@albedo/contract/history/history.schema';
import { Accordion, Button, Modal, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../app/call.ts';
import { notifyDone } from '../../app/notify.ts';
import { queryClient } from '../../app/query-client.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useAttempt } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import classes from './versions.module.css';

/** The saves of a board: who saved it and when, what changed, and the way back. */
export function VersionsDialog({ stored, onClose }: { stored: StoredBoard; onClose: () => void }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { _id, version: newest, may } = stored;
  const [opened, setOpened] = useState<string | null>(null);
  const params = { wg, thing: 'dashboard' as const, id: _id };
  const { data, error, refetch } = useQuery({
    queryKey: ['history', wg, _id, newest],
    queryFn: ({ signal }) => call(historyApi.list, { params }, signal),
  });
  const { attempt, isWorking, failure } = useAttempt();
  const restore = ({ version }: SavedVersion) =>
    void attempt(async () => {
      await call(historyApi.restore, { params: { ...params, version: version as never } });
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: ['board', wg, _id] }),
        queryClient.invalidateQueries({ queryKey: ['boards', wg] }),
      ]);
      notifyDone(t('boards.versions.restored', { version }));
      onClose();
    });
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t('boards.versions.title')}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Failure text={failure} />
      {error && !data ? (
        <ErrorState title={t('boards.versions.failed')} error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton height={160} />
      ) : data.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('boards.versions.none')}
        </Text>
      ) : (
        <Accordion value={opened} onChange={setOpened} variant="default" chevronPosition="left">
          {data.map((one) => (
            <Accordion.Item key={one.version} value={String(one.version)}>
              <div className={classes.row}>
                <Accordion.Control>
                  <span className={classes.version}>
                    {t('boards.versions.version', { version: one.version })}
                    {one.version === newest ? ` · ${t('boards.versions.newest')}` : ''}
                  </span>
                  <span className={classes.facts}>
                    {formatInstant(one.at, userZone(), false)} · {one.by}
                  </span>
                </Accordion.Control>
                {one.version !== newest && may.includes('edit') ? (
                  <Button
                    size="xs"
                    variant="default"
                    loading={isWorking}
                    aria-label={t('boards.versions.restoreOne', { version: one.version })}
                    onClick={() => restore(one)}
                  >
                    {t('boards.versions.restore')}
                  </Button>
                ) : null}
              </div>
              <Accordion.Panel>
                {opened === String(one.version) ? <Changes params={params} of={one} stored={stored} /> : null}
              </Accordion.Panel>
            </Accordion.Item>
          ))}
        </Accordion>
      )}
    </Modal>
  );
}

interface ChangesProps {
  params: { wg: string; thing: 'dashboard'; id: string };
  of: SavedVersion;
  stored: StoredBoard;
}

function Changes({ params, of: { version }, stored }: ChangesProps) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({
    queryKey: ['history', params.wg, params.id, 'one', version],
    queryFn: ({ signal }) =>
      call(historyApi.get, { params: { ...params, version: version as never } }, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const titles = useMemo(
    () =>
      new Map(
        everyItem(stored.board.items).map(({ id, title, kind }) => [
          id,
          title || t(`boards.widgets.${kind}`),
        ]),
      ),
    [stored, t],
  );
  if (error && !data)
    return <ErrorState title={t('boards.versions.failed')} error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={40} />;
  if (data.changes === null)
    return (
      <Text size="sm" c="dimmed">
        {t('boards.versions.first')}
      </Text>
    );
  if (data.changes.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('boards.versions.same')}
      </Text>
    );
  return (
    <ul className={classes.changes}>
      {data.changes.map((one) => (
        <li key={one.path.join('.')} data-type={one.type}>
          {wordsOf(t, titles, one)}
        </li>
      ))}
      {data.count > data.changes.length ? (
        <li>{t('boards.versions.more', { count: data.count - data.changes.length })}</li>
      ) : null}
    </ul>
  );
}

/** A change in words: which widget, what of it, from what to what. */
function wordsOf(
  t: TFunction,
  titles: ReadonlyMap<string, string>,
  { type, path, old, now }: VersionChange,
): string {
  const steps = path.map(String);
  const at = steps.lastIndexOf('items');
  const id = at >= 0 ? steps[at + 1] : undefined;
  const rest = id === undefined ? steps : steps.slice(at + 2);
  const given = (type === 'REMOVE' ? old : now) as { title?: string; kind?: string } | undefined;
  const kind = given?.kind ? t(`boards.widgets.${given.kind}`) : undefined;
  const widget = id === undefined ? null : given?.title || titles.get(id) || kind || id;
  if (widget !== null && rest.length === 0)
    return t(type === 'REMOVE' ? 'boards.versions.removed' : 'boards.versions.added', { widget });
  const what = rest.filter((one) => one !== 'settings' && one !== 'board').join(' › ');
  const text = (value: unknown) =>
    value === undefined
      ? '–'
      : typeof value === 'object'
        ? JSON.stringify(value).slice(0, 120)
        : String(value).slice(0, 120);
  const changed = t('boards.versions.changed', { what, old: text(old), now: text(now) });
  return widget === null ? changed : `${widget}: ${changed}`;
}
