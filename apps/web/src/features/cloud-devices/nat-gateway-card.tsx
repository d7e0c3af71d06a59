import {
  type CedCloud,
  type NatGateway,
  natAccess,
} from '@albedo/contract/cloud-devices/cloud-devices.schema';
import type { Device } from '@albedo/contract/devices/devices.schema';
import { Button, Group, Skeleton, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../app/call.ts';
import { ConfirmDialog } from '../../app/confirm-dialog.tsx';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useAttempt } from '../../app/use-submit.ts';
import { messageOf } from '../../ui/message-of.ts';
import { Section } from '../../ui/section.tsx';
import { severalNames } from '../../ui/several-names.ts';
import { ErrorState } from '../../ui/states.tsx';
import { LevelIcon } from '../../ui/status/level-icon.tsx';
import classes from './cloud-devices.module.css';
import {
  createNatGateway,
  grantNatAccess,
  natGatewayQuery,
  removeNatGateway,
} from './cloud-devices.queries.ts';

/** By which machines in the internet the cloud devices of the workgroup are let out. */
export function NatGatewayCard({ device, cloud }: { device: Device; cloud: CedCloud }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data, error, refetch } = useQuery(natGatewayQuery(wg));
  return (
    <Section title={t('cloudDevices.nat.title')}>
      <p className={classes.hint}>{t('cloudDevices.nat.text')}</p>
      {error ? (
        <ErrorState title={t('cloudDevices.nat.failed')} error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height={96} />
      ) : (
        <>
          <p className={classes.state}>
            <LevelIcon mark={device.facts.gnat ? 'ok' : 'unused'} size={16} />
            <span>{t(device.facts.gnat ? 'cloudDevices.nat.on' : 'cloudDevices.nat.off')}</span>
          </p>
          <GatewayForm key={data?.createdAt ?? 0} gateway={data} cloud={cloud} />
        </>
      )}
    </Section>
  );
}

/** What the server says of it, else the sentence that says what was tried. */
const wordsOr = (text: string) => (error: unknown) =>
  error instanceof ApiError && !(error.isOfServer && error.message !== '') ? text : messageOf(error);

function GatewayForm({ gateway, cloud }: { gateway: NatGateway | null; cloud: CedCloud }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const [text, setText] = useState(gateway?.allow.join('\n') ?? '');
  const [isAsked, setAsked] = useState(false);
  const words = wordsOr(t(gateway ? 'cloudDevices.nat.grantFailed' : 'cloudDevices.nat.createFailed'));
  const { attempt, isWorking, failure } = useAttempt(words);
  const send = (event: FormEvent) => {
    event.preventDefault();
    const allow = text.split(/[\s,]+/).filter(Boolean);
    void attempt(async () => {
      const wrong = allow.filter((one) => !natAccess.safeParse({ allow: [one] }).success);
      if (wrong.length > 0) throw new Error(t('cloudDevices.nat.wrong', { what: severalNames(t, wrong) }));
      if (gateway) await grantNatAccess(wg, allow);
      else await createNatGateway(wg, cloud.id, allow);
      notifyDone(t('cloudDevices.nat.done'));
    });
  };
  return (
    <form noValidate onSubmit={send}>
      <Textarea
        label={t('cloudDevices.nat.allow')}
        description={t('cloudDevices.nat.allowHelp')}
        autosize
        minRows={2}
        maxRows={8}
        spellCheck={false}
        value={text}
        error={failure}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Group mt="sm" gap="xs">
        <Button type="submit" variant="default" loading={isWorking}>
          {t(gateway ? 'cloudDevices.nat.grant' : 'cloudDevices.nat.create')}
        </Button>
        {gateway ? (
          <Button variant="default" color="red" onClick={() => setAsked(true)}>
            {t('cloudDevices.nat.remove')}
          </Button>
        ) : null}
      </Group>
      {isAsked ? (
        <ConfirmDialog
          confirm={t('cloudDevices.nat.remove')}
          onConfirm={() => removeNatGateway(wg)}
          onClose={() => setAsked(false)}
        >
          {t('cloudDevices.nat.removeAsk')}
        </ConfirmDialog>
      ) : null}
    </form>
  );
}
