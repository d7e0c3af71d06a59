import type { Device } from '@albedo/contract/devices/devices.schema';
import { newTunnel, type OpenedTunnel, type TunnelKind } from '@albedo/contract/tunnels/tunnels.schema';
import {
  Anchor,
  Button,
  CopyButton,
  Group,
  NumberInput,
  SegmentedControl,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { IconCheck, IconCopy, IconExternalLink, IconRoute } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../app/now.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useContractForm } from '../../app/use-contract-form.ts';
import { Failure } from '../../ui/failure.tsx';
import { Section } from '../../ui/section.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { formatDuration } from '../../ui/units/durations.ts';
import { useRemoteAccessEnd } from '../shells/shells.queries.ts';
import { TunnelList } from './tunnel-list.tsx';
import classes from './tunnels.module.css';
import { clientCommand, openTunnel } from './tunnels.queries.ts';

/** Connections to ports in the network of the device, and the pages of machines there. */
export function TunnelsTab({ device }: { device: Device }) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState<OpenedTunnel | null>(null);
  const endedBy = useRemoteAccessEnd(useWorkgroup());
  return (
    <div className={classes.stack}>
      <Section title={t('tunnels.title')}>
        {endedBy !== null ? (
          <EmptyState title={t('shells.off')} text={t('shells.offText', { by: endedBy })} />
        ) : device.facts.online ? (
          <TunnelForm device={device} onOpened={setOpened} />
        ) : (
          <EmptyState title={t('tunnels.offline', { name: device.name })} text={t('tunnels.offlineText')} />
        )}
      </Section>
      {opened && endedBy === null ? <Opened opened={opened} /> : null}
      <TunnelList
        device={device}
        onClosed={(id) => setOpened((shown) => (shown?.tunnel.id === id ? null : shown))}
      />
    </div>
  );
}

const KINDS = ['http', 'https', 'tcp'] as const satisfies readonly TunnelKind[];
const USUAL_PORTS: Readonly<Record<TunnelKind, number>> = { http: 80, https: 443, tcp: 502 };

interface TunnelFormProps {
  device: Device;
  onOpened: (opened: OpenedTunnel) => void;
}

function TunnelForm({ device, onOpened }: TunnelFormProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { field, dialog } = useContractForm({
    schema: newTunnel,
    initial: { kind: 'http' as TunnelKind, host: '127.0.0.1', port: USUAL_PORTS.http },
    send: async (body) => onOpened(await openTunnel(wg, device.id, body)),
  });
  const kind = field('kind');
  const port = field('port');
  return (
    <form className={classes.form} onSubmit={dialog.onSubmit} noValidate>
      <Text size="sm">{t('tunnels.intro')}</Text>
      <SegmentedControl
        aria-label={t('tunnels.kind')}
        value={kind.value as TunnelKind}
        data={KINDS.map((value) => ({ value, label: t(`tunnels.kinds.${value}`) }))}
        onChange={(value) => {
          kind.onChange(value);
          port.onChange(USUAL_PORTS[value as TunnelKind]);
        }}
      />
      <div className={classes.target}>
        <TextInput
          {...field('host')}
          label={t('tunnels.host')}
          description={t('tunnels.hostHelp')}
          spellCheck={false}
        />
        <NumberInput
          {...port}
          label={t('tunnels.port')}
          description={t('tunnels.portHelp')}
          min={1}
          max={65_535}
          allowDecimal={false}
          hideControls
        />
      </div>
      <Failure text={dialog.failure} />
      <Button type="submit" leftSection={<IconRoute size={16} />} loading={dialog.isWorking}>
        {t('tunnels.open')}
      </Button>
    </form>
  );
}

/** What to do with a tunnel that was just opened; its token is not shown again. */
function Opened({ opened: { tunnel, token, url } }: { opened: OpenedTunnel }) {
  const { t } = useTranslation();
  const now = useNow(1000);
  const [isEntered, setEntered] = useState(false);
  const target = `${tunnel.host}:${tunnel.port}`;
  const context = t('tunnels.left', { time: formatDuration(Math.max(0, tunnel.endsAt - now)) });
  if (url !== null) {
    return (
      <Section title={t('tunnels.pageOf', { target })} context={context}>
        <div className={classes.form}>
          <Text size="sm">{t(isEntered ? 'tunnels.entered' : 'tunnels.pageText')}</Text>
          <Anchor
            href={isEntered ? new URL('/', url).href : url}
            target="_blank"
            rel="noopener noreferrer"
            onClick={() => setTimeout(() => setEntered(true), 0)}
          >
            <IconExternalLink size={16} aria-hidden="true" /> {t('tunnels.openPage')}
          </Anchor>
        </div>
      </Section>
    );
  }
  const command = clientCommand(token, tunnel.port < 1024 ? tunnel.port + 10_000 : tunnel.port);
  return (
    <Section title={t('tunnels.programOf', { target })} context={context}>
      <div className={classes.form}>
        <Text size="sm">{t('tunnels.programText')}</Text>
        <Textarea
          readOnly
          autosize
          label={t('tunnels.command')}
          classNames={{ input: classes.command ?? '' }}
          value={command}
        />
        <CopyButton value={command} timeout={2000}>
          {({ copied, copy }) => (
            <Group>
              <Button
                size="xs"
                variant="default"
                leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
                onClick={copy}
              >
                {t(copied ? 'actions.copied' : 'tunnels.copy')}
              </Button>
            </Group>
          )}
        </CopyButton>
      </div>
    </Section>
  );
}
