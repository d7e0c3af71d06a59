import type { Commissioning } from '@albedo/contract/commissioning/commissioning.schema';
import { newDevice } from '@albedo/contract/devices/devices.schema';
import { arch } from '@albedo/contract/workgroups/archs';
import { Button, Select, Skeleton, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../app/now.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useContractForm } from '../../app/use-contract-form.ts';
import { Failure } from '../../ui/failure.tsx';
import { Page } from '../../ui/page.tsx';
import { Section } from '../../ui/section.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { agoText } from '../../ui/units/durations.ts';
import { createDevice, deviceListQuery } from '../devices/devices.queries.ts';
import classes from './commissioning.module.css';
import { beginCommissioning, commissioningListQuery } from './commissioning.queries.ts';

/** Begins to set up a plant, or goes on with one. */
export function StartPage() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data, error, refetch } = useQuery(commissioningListQuery(wg));
  const open = data?.filter(({ step }) => step !== 'done') ?? [];
  return (
    <Page title={t('commissioning.title')} context={t('commissioning.context')}>
      <div className={classes.column}>
        {error ? (
          <ErrorState title={t('commissioning.failed')} error={error} onRetry={() => void refetch()} />
        ) : null}
        {data === undefined && !error ? <Skeleton height={64} /> : null}
        {open.length > 0 ? (
          <Section title={t('commissioning.goOn')} isFlush>
            <ul className={classes.open}>
              {open.map((one) => (
                <OpenOne key={one.id} setup={one} />
              ))}
            </ul>
          </Section>
        ) : null}
        <Section title={t('commissioning.begin')}>
          <DeviceForm />
        </Section>
      </div>
    </Page>
  );
}

function OpenOne({ setup }: { setup: Commissioning }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const now = useNow(10_000);
  const { data: devices = [] } = useQuery(deviceListQuery(wg));
  const name = setup.plan.plantName || (devices.find(({ id }) => id === setup.device)?.name ?? '');
  return (
    <li>
      <Link to="/commissioning/$commissioning" params={{ commissioning: setup.id }}>
        {name || t('commissioning.unnamed')}
      </Link>
      <span>
        {t(`commissioning.steps.${setup.step}`)}, {agoText(setup.changedAt, now)}
      </span>
    </li>
  );
}

function DeviceForm() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const navigate = useNavigate();
  const { field, dialog } = useContractForm({
    schema: newDevice.pick({ name: true, arch: true }).required(),
    initial: { name: '', arch: 'amd64' },
    onlyField: 'name',
    send: async ({ name, arch: processor }) => {
      const device = await createDevice(wg, name, processor);
      const { id } = await beginCommissioning(wg, device.id);
      await navigate({ to: '/commissioning/$commissioning', params: { commissioning: id } });
    },
  });
  return (
    <form noValidate onSubmit={dialog.onSubmit} className={classes.form}>
      <p className={classes.lead}>{t('commissioning.beginText')}</p>
      <TextInput
        {...field('name')}
        label={t('commissioning.deviceName')}
        description={t('commissioning.deviceNameHelp')}
        placeholder={t('devices.nameExample')}
        maxLength={80}
      />
      <Select
        {...field('arch')}
        label={t('devices.processor')}
        description={t('commissioning.processorHelp')}
        allowDeselect={false}
        data={arch.options.map((value) => ({ value, label: t(`devices.processors.${value}`) }))}
      />
      <Failure text={dialog.failure} />
      <div className={classes.buttons}>
        <Button type="submit" loading={dialog.isWorking}>
          {t('commissioning.start')}
        </Button>
      </div>
    </form>
  );
}
