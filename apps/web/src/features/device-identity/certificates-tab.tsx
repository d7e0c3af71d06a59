import type { Device } from '@albedo/contract/devices/devices.schema';
import { Button, Text } from '@mantine/core';
import { IconArrowsExchange, IconRefresh, IconReplace, IconTerminal2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useAttempt } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { Section } from '../../ui/section.tsx';
import { EmptyState, ErrorState, TableSkeleton } from '../../ui/states.tsx';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import classes from './device-identity.module.css';
import { certificateQuery, replaceCertificate } from './device-identity.queries.ts';
import { KeysDialog } from './keys-dialog.tsx';
import { MoveDialog } from './move-dialog.tsx';
import { TakeOverDialog } from './take-over-dialog.tsx';

type Dialog = 'keys' | 'move' | 'takeOver';

/** The certificate of the device, and the ways to another one. */
export function CertificatesTab({ device }: { device: Device }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const at = { wg, device: device.id };
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const { attempt, isWorking, failure } = useAttempt();
  const isOffline = !device.facts.online;
  const close = () => setDialog(null);
  const handleReplace = () =>
    attempt(async () => {
      await replaceCertificate(at);
      notifyDone(t('deviceIdentity.replaced', { name: device.name }));
    });
  if (device.ced) {
    return (
      <div className={classes.stack}>
        <Facts device={device} />
        <Text size="sm">{t('deviceIdentity.hosted')}</Text>
      </div>
    );
  }
  return (
    <div className={classes.stack}>
      <Facts device={device} />
      <Section title={t('deviceIdentity.renew')}>
        <div className={classes.ways}>
          <Way text={t(isOffline ? 'deviceIdentity.replaceOffline' : 'deviceIdentity.replaceText')}>
            <Button
              variant="default"
              leftSection={<IconRefresh size={16} />}
              disabled={isOffline}
              loading={isWorking}
              onClick={() => void handleReplace()}
            >
              {t('deviceIdentity.replace')}
            </Button>
            <Failure text={failure} />
          </Way>
          <Way text={t('deviceIdentity.keysText')}>
            <Button
              variant="default"
              leftSection={<IconTerminal2 size={16} />}
              onClick={() => setDialog('keys')}
            >
              {t('deviceIdentity.keys')}
            </Button>
          </Way>
        </div>
      </Section>
      <Section title={t('deviceIdentity.elsewhere')}>
        {isOffline ? (
          <EmptyState
            title={t('deviceIdentity.offline', { name: device.name })}
            text={t('deviceIdentity.offlineText')}
          />
        ) : (
          <div className={classes.ways}>
            <Way text={t('deviceIdentity.takeOverText')}>
              <Button
                variant="default"
                leftSection={<IconReplace size={16} />}
                onClick={() => setDialog('takeOver')}
              >
                {t('deviceIdentity.takeOver')}
              </Button>
            </Way>
            <Way text={t('deviceIdentity.moveText')}>
              <Button
                variant="default"
                leftSection={<IconArrowsExchange size={16} />}
                onClick={() => setDialog('move')}
              >
                {t('deviceIdentity.move')}
              </Button>
            </Way>
          </div>
        )}
      </Section>
      {dialog === 'keys' ? <KeysDialog device={device} onClose={close} /> : null}
      {dialog === 'move' ? <MoveDialog device={device} onClose={close} /> : null}
      {dialog === 'takeOver' ? <TakeOverDialog device={device} onClose={close} /> : null}
    </div>
  );
}

function Way({ text, children }: { text: string; children: ReactNode }) {
  return (
    <div className={classes.way}>
      <Text size="sm">{text}</Text>
      {children}
    </div>
  );
}

function Facts({ device }: { device: Device }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data, error, refetch } = useQuery(certificateQuery({ wg, device: device.id }));
  if (error)
    return <ErrorState title={t('device.certificate.failed')} error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <TableSkeleton rows={4} />;
  if (data === null)
    return (
      <Section title={t('deviceIdentity.title')}>
        <EmptyState title={t('device.certificate.none')} text={t('deviceIdentity.noneText')} />
      </Section>
    );
  const zone = userZone();
  const rows: [string, string][] = [
    ['from', formatInstant(data.notBefore, zone)],
    ['until', formatInstant(data.notAfter, zone)],
    ['subject', data.subject],
    ['serial', data.serial],
    ['fingerprint', data.fingerprintSha256],
  ];
  if (data.revokedAt !== null) rows.unshift(['revoked', formatInstant(data.revokedAt, zone)]);
  return (
    <Section title={t('deviceIdentity.title')}>
      <dl className={classes.facts}>
        {rows.map(([name, value]) => (
          <Fact key={name} name={t(`deviceIdentity.facts.${name}`)} value={value} />
        ))}
      </dl>
    </Section>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}
