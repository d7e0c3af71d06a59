import { COMMISSIONING_STEPS, type Commissioning } from '@albedo/contract/commissioning/commissioning.schema';
import type { Device } from '@albedo/contract/devices/devices.schema';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../app/confirm-dialog.tsx';
import { useWorkgroup } from '../../app/session.ts';
import { Page } from '../../ui/page.tsx';
import { FormSkeleton } from '../../ui/skeletons.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { deviceListQuery, deviceQuery } from '../devices/devices.queries.ts';
import classes from './commissioning.module.css';
import { commissioningQuery, discardCommissioning } from './commissioning.queries.ts';
import { ConfirmStep } from './confirm-step.tsx';
import { DoneStep } from './done-step.tsx';
import { FindStep } from './find-step.tsx';
import { InstallStep } from './install-step.tsx';
import { PlantStep } from './plant-step.tsx';
import { ReadStep } from './read-step.tsx';

const CONTENTS = {
  install: InstallStep,
  find: FindStep,
  read: ReadStep,
  confirm: ConfirmStep,
  plant: PlantStep,
  done: DoneStep,
} as const;

/** One plant on its way to the screen, at the step where its person left it. */
export function CommissioningPage() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { commissioning: id } = useParams({ strict: false }) as { commissioning: string };
  const setup = useQuery(commissioningQuery(wg, id));
  const device = useQuery({
    ...deviceQuery(wg, setup.data?.device ?? ''),
    enabled: setup.data !== undefined,
  });
  const error = setup.error ?? device.error;
  const retry = () => void Promise.all([setup.refetch(), setup.data ? device.refetch() : null]);
  return (
    <Page
      title={t('commissioning.title')}
      context={device.data?.name ?? '\u00a0'}
      actions={setup.data && setup.data.step !== 'done' ? <Discard setup={setup.data} /> : null}
    >
      <div className={classes.column}>
        {error ? (
          <ErrorState title={t('commissioning.failed')} error={error} onRetry={retry} />
        ) : setup.data && device.data ? (
          <Steps setup={setup.data} device={device.data} />
        ) : (
          <FormSkeleton fields={4} />
        )}
      </div>
    </Page>
  );
}

function Steps({ setup, device: kept }: { setup: Commissioning; device: Device }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  // The list is kept true by the socket: the device shows as online in the moment it is.
  const { data: facts = kept.facts } = useQuery({
    ...deviceListQuery(wg),
    select: (devices) => devices.find(({ id }) => id === kept.id)?.facts ?? kept.facts,
  });
  const Content = CONTENTS[setup.step];
  const at = COMMISSIONING_STEPS.indexOf(setup.step);
  const shown = COMMISSIONING_STEPS.slice(0, -1);
  return (
    <>
      <ol className={classes.steps} aria-label={t('commissioning.progress')}>
        {shown.map((step, index) => (
          <li
            key={step}
            data-state={index < at ? 'done' : index === at ? 'now' : 'next'}
            aria-current={index === at ? 'step' : undefined}
          >
            <span className={classes.number} aria-hidden>
              {index < at ? '✓' : index + 1}
            </span>
            <span className={classes.stepName}>{t(`commissioning.steps.${step}`)}</span>
          </li>
        ))}
      </ol>
      <Content key={setup.step} setup={setup} device={{ ...kept, facts }} />
    </>
  );
}

function Discard({ setup }: { setup: Commissioning }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        {t('commissioning.discard')}
      </Button>
      {isAsking ? (
        <ConfirmDialog
          confirm={t('commissioning.discard')}
          onConfirm={async () => {
            await discardCommissioning(wg, setup.id);
            await navigate({ to: '/commissioning' });
          }}
          onClose={() => setAsking(false)}
        >
          {t('commissioning.discardText')}
        </ConfirmDialog>
      ) : null}
    </>
  );
}
