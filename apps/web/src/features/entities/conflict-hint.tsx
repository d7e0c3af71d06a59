import type { Entity } from '@albedo/contract/entities/entities.schema';
import type { SignalConflict } from '@albedo/contract/entities/entity-streams';
import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useAttempt } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import classes from './entities.module.css';
import { changeEntity, createEntities } from './entities.queries.ts';

/** Says that sources of an entity have a field in common, which boards cannot tell apart, and offers children. */
export function ConflictHint({
  entity,
  conflicts,
}: {
  entity: Entity;
  conflicts: readonly SignalConflict[];
}) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { attempt, isWorking, failure } = useAttempt();
  const [first] = conflicts;
  if (!first) return null;

  /** The sources that have something in common become children, each with its own. */
  async function split(): Promise<void> {
    const isShared = ({ deviceId, source }: { deviceId: string; source: string }) =>
      conflicts.some(({ sources }) =>
        sources.some((one) => one.deviceId === deviceId && one.source === source),
      );
    const shared = entity.signals.sources.filter(isShared);
    await createEntities(
      wg,
      shared.map((one) => ({
        name: one.source,
        parent: entity._id,
        signals: { ...entity.signals, sources: [one], fields: [], calculationFields: [], fieldConfig: [] },
      })),
    );
    const sources = entity.signals.sources.filter((one) => !isShared(one));
    await changeEntity(wg, entity._id, { signals: { ...entity.signals, sources }, version: entity.version });
    notifyDone(t('entities.childrenMade', { count: shared.length }));
  }

  return (
    <div className={classes.hint} role="note">
      <p>
        {t('entities.conflict', { table: first.table, field: first.field, count: first.sources.length })}
        {conflicts.length > 1 ? ` ${t('entities.conflictMore', { count: conflicts.length - 1 })}` : ''}
      </p>
      <Button size="xs" variant="default" loading={isWorking} onClick={() => void attempt(split)}>
        {t('entities.makeChildren')}
      </Button>
      <Failure text={failure} />
    </div>
  );
}
