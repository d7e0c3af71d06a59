import type { Entity } from '@albedo/contract/entities/entities.schema';
import { conflictsOf, EntityWorld } from '@albedo/contract/entities/entity-streams';
import { Button } from '@mantine/core';
import { IconPencil, IconPlus, IconTags, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { entitiesQuery, entitySourcesQuery } from '../../app/entity-query.ts';
import { UnknownZones } from '../../app/info/unknown-zones.tsx';
import { announced } from '../../app/inside.ts';
import { notifyDone } from '../../app/notify.ts';
import { useIsUnbound } from '../../app/permissions.ts';
import { queryClient } from '../../app/query-client.ts';
import { useWorkgroup } from '../../app/session.ts';
import { VersionsButton } from '../../app/versions/versions-button.tsx';
import { CopyId } from '../../ui/copy-id.tsx';
import { Section } from '../../ui/section.tsx';
import { deviceListQuery } from '../devices/devices.queries.ts';
import { useMachines } from '../machines/machines.queries.ts';
import { ConflictHint } from './conflict-hint.tsx';
import classes from './entities.module.css';
import { changeEntities } from './entities.queries.ts';
import { EntityDialog } from './entity-dialog.tsx';
import type { LabelChanges } from './label-changes.ts';
import { LabelChip } from './label-chip.tsx';
import { LabelsDialog } from './labels-dialog.tsx';
import { rowsOfMeta } from './meta-rows.ts';
import { RemoveEntityDialog } from './remove-entity-dialog.tsx';
import type { TreeIndex } from './tree-rows.ts';

interface EntityPanelProps {
  entity: Entity;
  index: TreeIndex;
  /** Otherwise several are chosen or moved beside it: what is done is done with those. */
  isLookedAt: boolean;
  onGone: () => void;
}

/** What one entity is, and what can be done with it. */
export function EntityPanel({ entity, index, isLookedAt, onGone }: EntityPanelProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const mayChange = useIsUnbound();
  const machines = useMachines(wg);
  const { data: devices } = useQuery(deviceListQuery(wg));
  const { data: sources } = useQuery(entitySourcesQuery(wg));
  const [open, setOpen] = useState<'edit' | 'add' | 'labels' | 'remove' | null>(null);
  const { _id, name, labels, machine, meta, signals } = entity;
  const close = () => setOpen(null);
  const setLabels = async (changes: LabelChanges) => {
    if (changes.size === 0) return;
    await changeEntities(
      wg,
      [...changes].map(([_id, labels]) => ({ _id, labels: [...labels] })),
    );
    notifyDone(t('entities.saved', { count: changes.size }));
  };
  const nameOf = (id: string) => devices?.find((one) => one.id === id)?.name ?? t('entities.deviceGone');
  const conflicts = useMemo(
    () => (sources ? conflictsOf(new EntityWorld({ entities: [], sources }), { signals }) : []),
    [sources, signals],
  );
  const facts = rowsOfMeta(meta);
  const own = [
    ...signals.sources.map(({ deviceId, source }) => `${nameOf(deviceId)} › ${source}`),
    ...signals.fields.map(
      ({ deviceId, source, table, field }) => `${nameOf(deviceId)} › ${source} › ${table}.${field}`,
    ),
    ...signals.calculationFields.map(
      ({ table, source, fields }) => `${source} › ${table}.${fields.join(', ')}`,
    ),
  ];
  return (
    <div className={classes.panelBody}>
      <Section title={name}>
        <div className={classes.panelBody}>
          {index.above(_id).length > 0 ? <p className={classes.path}>{index.pathOf(_id)}</p> : null}
          {isLookedAt ? (
            <div className={classes.buttons}>
              {announced('entityActions').map(({ at, Content }) => (
                <Content key={at} entity={entity} />
              ))}
              <VersionsButton
                kind="entity"
                id={_id}
                name={name}
                mayRestore={mayChange}
                onRestored={() => queryClient.invalidateQueries({ queryKey: entitiesQuery(wg).queryKey })}
              />
              {mayChange ? (
                <>
                  <Button
                    variant="default"
                    size="xs"
                    leftSection={<IconPencil size={14} />}
                    onClick={() => setOpen('edit')}
                  >
                    {t('entities.edit')}
                  </Button>
                  <Button
                    variant="default"
                    size="xs"
                    leftSection={<IconPlus size={14} />}
                    onClick={() => setOpen('add')}
                  >
                    {t('entities.add')}
                  </Button>
                  <Button
                    variant="default"
                    size="xs"
                    leftSection={<IconTags size={14} />}
                    onClick={() => setOpen('labels')}
                  >
                    {t('entities.editLabels')}
                  </Button>
                  <Button
                    variant="default"
                    size="xs"
                    c="var(--al-danger)"
                    leftSection={<IconTrash size={14} />}
                    onClick={() => setOpen('remove')}
                  >
                    {t('entities.remove')}
                  </Button>
                </>
              ) : null}
            </div>
          ) : null}
          <dl className={classes.facts}>
            <dt>{t('entities.id')}</dt>
            <dd>
              <CopyId value={_id} label={t('entities.entityId')} />
            </dd>
            {labels.length > 0 ? (
              <>
                <dt>{t('entities.labels')}</dt>
                <dd>
                  {labels.map((label) => (
                    <LabelChip key={label} id={label} />
                  ))}
                </dd>
              </>
            ) : null}
            {machine ? (
              <>
                <dt>{t('entities.machine')}</dt>
                <dd>{machines.find((one) => one._id === machine)?.name ?? machine}</dd>
              </>
            ) : null}
          </dl>
        </div>
      </Section>
      <Section title={t('entities.streams')}>
        {own.length === 0 ? <p className={classes.note}>{t('entities.noStreams')}</p> : null}
        <ul className={classes.streams}>
          {own.map((one) => (
            <li key={one}>{one}</li>
          ))}
        </ul>
        {isLookedAt && mayChange ? <ConflictHint entity={entity} conflicts={conflicts} /> : null}
      </Section>
      {facts.length > 0 ? (
        <Section title={t('entities.meta')}>
          <UnknownZones facts={meta} />
          <dl className={classes.facts}>
            {facts.map(({ id, name: fact, value, from }) => (
              <div key={id} style={{ display: 'contents' }}>
                <dt>{from === '' ? fact : t('entities.factFrom', { fact, from })}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </Section>
      ) : null}
      {announced('entityAside').map(({ at, Content }) => (
        <Content key={at} entity={entity} />
      ))}
      {open === 'edit' ? <EntityDialog entity={entity} parent={null} onClose={close} /> : null}
      {open === 'add' ? <EntityDialog entity={null} parent={entity} onClose={close} /> : null}
      {open === 'labels' ? <LabelsDialog entities={[entity]} onSet={setLabels} onClose={close} /> : null}
      {open === 'remove' ? <RemoveEntityDialog entity={entity} onGone={onGone} onClose={close} /> : null}
    </div>
  );
}
