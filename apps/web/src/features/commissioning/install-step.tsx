import type { Commissioning } from '@albedo/contract/commissioning/commissioning.schema';
import type { Device } from '@albedo/contract/devices/devices.schema';
import { Button, Loader, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../app/now.ts';
import { useWorkgroup } from '../../app/session.ts';
import { CopyIcon } from '../../ui/copy-id.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { Section } from '../../ui/section.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { LevelIcon } from '../../ui/status/level-icon.tsx';
import { minutesUntil } from '../../ui/units/durations.ts';
import { installOfferQuery } from '../devices/devices.queries.ts';
import classes from './commissioning.module.css';
import { saveCommissioning } from './commissioning.queries.ts';
import { StepButtons } from './step-buttons.tsx';

/** So soon after it was begun, the command shows by itself; later a new one would make that on another screen worthless, ms. */
const FRESH_MS = 60_000;

/** The agent comes onto the machine: the command, the way to another screen, and the wait for the first contact. */
export function InstallStep({ setup, device }: { setup: Commissioning; device: Device }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { online } = device.facts;
  const [isShown, setShown] = useState(() => !online && Date.now() - setup.createdAt < FRESH_MS);
  return (
    <Section title={t('commissioning.install.title')}>
      <div className={classes.form}>
        {online ? null : device.ced ? (
          <p className={classes.lead}>{t('commissioning.install.cloud')}</p>
        ) : (
          <>
            <p className={classes.lead}>{t('commissioning.install.text')}</p>
            {isShown ? (
              <Command device={device} />
            ) : (
              <div>
                <Button variant="default" onClick={() => setShown(true)}>
                  {t('commissioning.install.show')}
                </Button>
              </div>
            )}
            <details className={classes.details}>
              <summary>{t('commissioning.install.elsewhere')}</summary>
              <p className={classes.lead}>{t('commissioning.install.elsewhereText')}</p>
              <QrCode text={window.location.href} label={t('commissioning.install.qr')} />
            </details>
          </>
        )}
        <div className={classes.waiting} role="status" data-online={online}>
          {online ? <LevelIcon mark="ok" size={18} /> : <Loader size={16} color="var(--al-brand-text)" />}
          <span>
            {online
              ? t('commissioning.install.online', { name: device.name })
              : t('commissioning.install.waiting')}
          </span>
        </div>
        {online || device.ced ? null : <p className={classes.hint}>{t('install.stuck')}</p>}
      </div>
      <StepButtons
        setup={setup}
        next={{
          label: t('commissioning.next'),
          isDisabled: !online,
          go: () => saveCommissioning(wg, setup.id, { step: 'find', plan: setup.plan }),
        }}
      />
    </Section>
  );
}

function Command({ device }: { device: Device }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const now = useNow(1000);
  const { data, error, refetch } = useQuery(installOfferQuery(wg, device.id));
  if (error)
    return (
      <ErrorState title={t('commissioning.install.failed')} error={error} onRetry={() => void refetch()} />
    );
  if (!data) return <Skeleton height={88} />;
  if (data.expiresAt <= now)
    return (
      <div>
        <Button variant="default" onClick={() => void refetch()}>
          {t('commissioning.install.renew')}
        </Button>
      </div>
    );
  const count = minutesUntil(data.expiresAt, now);
  return (
    <div>
      <div className={classes.commandBox}>
        <pre className={classes.command}>{data.command}</pre>
        <CopyIcon value={data.command} label={t('commissioning.install.command')} />
      </div>
      <p className={classes.hint}>{t('commissioning.install.once', { count })}</p>
    </div>
  );
}
