import { kindOfPath, providerOfPath } from '@albedo/contract/schedules/schedules.names';
import type { Schedule } from '@albedo/contract/schedules/schedules.schema';
import { MultiSelect, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useWorkgroup } from '../../app/session.ts';
import { useSubmit } from '../../app/use-submit.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { deviceListQuery } from '../devices/devices.queries.ts';
import { kindText } from './holding-text.ts';
import classes from './schedules.module.css';
import { handOut, setpointsQuery } from './schedules.queries.ts';

/** Makes a draft of a shared schedule for each chosen device, and names paths that one lacks. */
export function HandOutDialog({ schedule, onClose }: { schedule: Schedule; onClose: () => void }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data: devices = [] } = useQuery(deviceListQuery(wg));
  const { data: setpoints = [] } = useQuery(setpointsQuery(wg));
  const [chosen, setChosen] = useState<string[]>([]);
  const [out, setOut] = useState<Awaited<ReturnType<typeof handOut>> | null>(null);
  const { isWorking, failure, handleSubmit } = useSubmit(async () => {
    if (out) onClose();
    else setOut(await handOut(wg, schedule._id, chosen));
  });
  const paths = new Set(schedule.entries.map(({ path }) => path));
  const nameOf = (id: string) => devices.find((one) => one.id === id)?.name ?? id;
  // Those that take it come first.
  const fits = (id: string) => setpoints.some(({ deviceId, path }) => deviceId === id && paths.has(path));
  const choices = [
    { group: t('schedules.handOut.fit'), items: devices.filter(({ id }) => fits(id)) },
    { group: t('schedules.handOut.others'), items: devices.filter(({ id }) => !fits(id)) },
  ]
    .filter(({ items }) => items.length > 0)
    .map(({ group, items }) => ({ group, items: items.map(({ id, name }) => ({ value: id, label: name })) }));
  return (
    <FormDialog
      title={t('schedules.handOut.title', { name: schedule.name })}
      submit={t(out ? 'actions.close' : 'schedules.handOut.make')}
      isWorking={isWorking}
      isDisabled={!out && chosen.length === 0}
      failure={failure}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      {out ? (
        <div role="status" className={classes.out}>
          <Text size="sm" fw={600}>
            {t('schedules.handOut.made', { count: out.drafts.length })}
          </Text>
          {out.drafts.length > 0 ? (
            <ul className={classes.plainList}>
              {out.drafts.map((draft) => (
                <li key={draft._id}>
                  <Link
                    to="/control/devices/$deviceId/$schedule"
                    params={{ deviceId: draft.deviceId, schedule: draft._id }}
                  >
                    {`${nameOf(draft.deviceId)} · ${kindText(t, kindOfPath(draft.setpoint))} (${providerOfPath(draft.setpoint)})`}
                  </Link>
                </li>
              ))}
            </ul>
          ) : null}
          {out.absent.map(({ deviceId, paths: absent }) => (
            <Text key={deviceId} size="sm" className={classes.lacks}>
              {t('schedules.handOut.absent', { device: nameOf(deviceId), paths: absent.join(', ') })}
            </Text>
          ))}
        </div>
      ) : (
        <>
          <Text size="sm">{t('schedules.handOut.text')}</Text>
          <MultiSelect
            data-autofocus
            searchable
            label={t('schedules.handOut.devices')}
            value={chosen}
            data={choices}
            maxValues={200}
            nothingFoundMessage={t('schedules.handOut.noDevice')}
            onChange={setChosen}
          />
        </>
      )}
    </FormDialog>
  );
}
