import type { Entity } from '@albedo/contract/entities/entities.schema';
import { MultiSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { entitySourcesQuery } from '../../app/entity-query.ts';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useSubmit } from '../../app/use-submit.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { deviceListQuery } from '../devices/devices.queries.ts';
import { useMachines } from '../machines/machines.queries.ts';
import classes from './entities.module.css';
import { createEntities } from './entities.queries.ts';
import { entitiesOf, keyOf, type PlannedChild, planSites } from './wizard-plan.ts';
import { WizardPreview } from './wizard-preview.tsx';

/** So many devices without entities are chosen from the start; of more, somebody says which. */
const MOST_GUESSED = 100;

interface WizardDialogProps {
  /** Below which the sites stand; null at the top. */
  parent: Entity | null;
  entities: readonly Entity[];
  onClose: () => void;
}

/** Makes a site for each device and a child for each of its sources; shows first what it would make. */
export function WizardDialog({ parent, entities, onClose }: WizardDialogProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const machines = useMachines(wg);
  const { data: devices = [] } = useQuery(deviceListQuery(wg));
  const { data: sources = [] } = useQuery(entitySourcesQuery(wg));
  const used = useMemo(
    () => new Set(entities.flatMap(({ signals }) => signals.sources.map(({ deviceId }) => deviceId))),
    [entities],
  );
  const [picked, setPicked] = useState<string[] | null>(null);
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set());
  const chosen = useMemo(() => {
    if (picked) return picked;
    const unused = devices.filter(({ id }) => !used.has(id)).map(({ id }) => id);
    return unused.length <= MOST_GUESSED ? unused : [];
  }, [picked, devices, used]);
  const sites = useMemo(() => {
    const ids = new Set(chosen);
    const planned = devices.filter(({ id }) => ids.has(id));
    return planSites(planned, sources, machines, entities);
  }, [devices, chosen, sources, machines, entities]);
  /** Ids of machines that somebody chose in place of the guess, null for none, by source. */
  const [machineOf, setMachineOf] = useState<ReadonlyMap<string, string | null>>(new Map());
  const idOfMachine = (deviceId: string, { source, machine }: PlannedChild): string | null => {
    const own = machineOf.get(keyOf(deviceId, source));
    return own === undefined ? (machine?._id ?? null) : own;
  };
  /** Computers are left out until somebody ticks them. */
  const isTicked = (deviceId: string, { source, isComputer }: PlannedChild) =>
    turned.has(keyOf(deviceId, source)) === isComputer;
  const wanted = sites.map((site) => ({
    ...site,
    children: site.children
      .filter((child) => isTicked(site.deviceId, child))
      .map((child) => {
        const id = idOfMachine(site.deviceId, child);
        return { ...child, machine: machines.find(({ _id }) => _id === id) ?? null };
      }),
  }));
  const count = wanted.reduce((sum, { children }) => sum + 1 + children.length, 0);

  const { isWorking, failure, handleSubmit } = useSubmit(async () => {
    await createEntities(wg, entitiesOf(wanted, parent?._id ?? null) as never);
    notifyDone(t('entities.made', { count }));
    onClose();
  });

  function toggle(key: string): void {
    const next = new Set(turned);
    if (!next.delete(key)) next.add(key);
    setTurned(next);
  }

  return (
    <FormDialog
      size="lg"
      title={t('entities.addWizard')}
      submit={t('entities.makeAll', { count })}
      isWorking={isWorking}
      isDisabled={sites.length === 0}
      failure={failure}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <p className={classes.note}>
        {t('entities.wizardHelp')}{' '}
        {parent ? t('entities.belowOf', { name: parent.name }) : t('entities.atTop')}
      </p>
      <MultiSelect
        label={t('entities.wizardDevices')}
        data={devices.map(({ id, name }) => ({ value: id, label: name }))}
        value={chosen}
        onChange={setPicked}
        searchable
        limit={100}
      />
      <div>
        <p className={classes.note}>{t('entities.preview')}</p>
        <WizardPreview
          sites={sites}
          machines={machines}
          isTicked={isTicked}
          onTick={(deviceId, { source }) => toggle(keyOf(deviceId, source))}
          machineOf={idOfMachine}
          onMachine={(deviceId, { source }, id) =>
            setMachineOf(new Map(machineOf).set(keyOf(deviceId, source), id))
          }
        />
      </div>
    </FormDialog>
  );
}
