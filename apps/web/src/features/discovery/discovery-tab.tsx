import type { Device } from '@albedo/contract/devices/devices.schema';
import { isOver } from '@albedo/contract/long-actions/long-actions.state';
import { Button, NumberInput, Progress, Table, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../app/now.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useSubmit } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { Section } from '../../ui/section.tsx';
import { agoText } from '../../ui/units/durations.ts';
import { cancelLongAction, longActionsQuery } from '../long-actions/long-actions.queries.ts';
import classes from './discovery.module.css';
import {
  modbusQuery,
  neighboursQuery,
  networkQuery,
  portsQuery,
  scanModbus,
  scanNeighbours,
  scanPorts,
  scansChanged,
} from './discovery.queries.ts';
import { PlainTable } from './plain-table.tsx';
import { ReadButtons } from './read-buttons.tsx';

const PORTS = '21,22,23,80,102,443,502,1502,1883,2404,4840,8080,8443,20000,44818,47808';

/** What the device finds when it looks around in its network; it needs no tool for it. */
export function DiscoveryTab({ device }: { device: Device }) {
  const wg = useWorkgroup();
  const { data: network } = useQuery({ ...networkQuery(wg, device.id), enabled: device.facts.online });
  const own = network?.interfaces
    .filter(({ isInternal }) => !isInternal)
    .flatMap(({ addresses }) => addresses)
    .find(({ address, prefix }) => address.includes('.') && prefix >= 20);
  const targets = own ? `${own.address}/${own.prefix}` : '';
  return (
    <div className={classes.stack}>
      <Modbus device={device} targets={targets} />
      <Ports device={device} targets={targets} />
      <Neighbours device={device} targets={targets} />
    </div>
  );
}

interface ScanProps {
  device: Device;
  /** The device's own network, to begin with. */
  targets: string;
}

function Modbus({ device, targets }: ScanProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data } = useQuery(modbusQuery(wg, device.id));
  const [wanted, setWanted] = useWanted(data, { targets, port: 502, units: '1-10' });
  return (
    <Scan
      kind="modbus"
      device={device}
      newest={data}
      begin={() => scanModbus(wg, device.id, wanted)}
      fields={
        <>
          <Field
            name="targets"
            value={wanted.targets}
            onChange={(value) => setWanted({ ...wanted, targets: value })}
          />
          <Port value={wanted.port} onChange={(port) => setWanted({ ...wanted, port })} />
          <Field name="units" value={wanted.units} onChange={(units) => setWanted({ ...wanted, units })} />
        </>
      }
    >
      {data ? <ReadButtons device={device} found={data.found} /> : null}
      <PlainTable heads={['address', 'unit', 'protocol', 'answer', 'device', 'serial']}>
        {data?.found.map((one) => (
          <Table.Tr key={`${one.ip} ${one.port} ${one.unit}`}>
            <Table.Td fw={600}>{`${one.ip}:${one.port}`}</Table.Td>
            <Table.Td>{one.unit}</Table.Td>
            <Table.Td>{PROTOCOLS[one.protocol]}</Table.Td>
            <Table.Td>{one.answer ? t(`discovery.answers.${one.answer}`) : ''}</Table.Td>
            <Table.Td>{[one.manufacturer, one.model].filter(Boolean).join(' ')}</Table.Td>
            <Table.Td>{one.serial ?? ''}</Table.Td>
          </Table.Tr>
        ))}
      </PlainTable>
    </Scan>
  );
}

const PROTOCOLS = { sunspec: 'SunSpec', modbus: 'Modbus' };

function Ports({ device, targets }: ScanProps) {
  const wg = useWorkgroup();
  const { data } = useQuery(portsQuery(wg, device.id));
  const [wanted, setWanted] = useWanted(data, { targets, ports: PORTS });
  return (
    <Scan
      kind="ports"
      device={device}
      newest={data}
      begin={() => scanPorts(wg, device.id, wanted)}
      fields={
        <>
          <Field
            name="targets"
            value={wanted.targets}
            onChange={(value) => setWanted({ ...wanted, targets: value })}
          />
          <Field name="ports" value={wanted.ports} onChange={(ports) => setWanted({ ...wanted, ports })} />
        </>
      }
    >
      <PlainTable heads={['address', 'port', 'service']}>
        {data?.found.map((one) => (
          <Table.Tr key={`${one.ip} ${one.port}`}>
            <Table.Td fw={600}>{one.ip}</Table.Td>
            <Table.Td>{one.port}</Table.Td>
            <Table.Td>{one.service ?? ''}</Table.Td>
          </Table.Tr>
        ))}
      </PlainTable>
    </Scan>
  );
}

function Neighbours({ device, targets }: ScanProps) {
  const wg = useWorkgroup();
  const { data } = useQuery(neighboursQuery(wg, device.id));
  const [wanted, setWanted] = useWanted(data, { targets });
  return (
    <Scan
      kind="arp"
      device={device}
      newest={data}
      begin={() => scanNeighbours(wg, device.id, wanted)}
      fields={
        <Field
          name="targets"
          value={wanted.targets}
          onChange={(value) => setWanted({ ...wanted, targets: value })}
        />
      }
    >
      <PlainTable heads={['address', 'mac', 'interface']}>
        {data?.found.map((one) => (
          <Table.Tr key={`${one.ip} ${one.interface}`}>
            <Table.Td fw={600}>{one.ip}</Table.Td>
            <Table.Td className={classes.code}>{one.mac}</Table.Td>
            <Table.Td>{one.interface}</Table.Td>
          </Table.Tr>
        ))}
      </PlainTable>
    </Scan>
  );
}

/** What to look at: as it was typed, or what the newest scan looked at, or `usual` before the first one. */
function useWanted<T>(newest: { input: T } | null | undefined, usual: T) {
  const [typed, setTyped] = useState<T | null>(null);
  return [typed ?? newest?.input ?? usual, setTyped] as const;
}

interface ScanFormProps {
  kind: 'modbus' | 'ports' | 'arp';
  device: Device;
  newest: { at: number; by: string; found: readonly unknown[] } | null | undefined;
  /** Answers the id of the long action. */
  begin: () => Promise<string>;
  fields: ReactNode;
  children: ReactNode;
}

/** One kind of scan: what to look at, how far it is, and what the newest one found. */
function Scan({ kind, device, newest, begin, fields, children }: ScanFormProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const now = useNow(10_000);
  const [action, setAction] = useState<string | null>(null);
  const { data: actions } = useQuery(longActionsQuery({ wg }));
  const mine = actions?.find(({ id }) => id === action);
  const isRunning = action !== null && (!mine || !isOver(mine.state));
  const { isWorking, failure, handleSubmit } = useSubmit(async () => setAction(await begin()));
  const ended = mine && isOver(mine.state) ? mine.id : null;
  useEffect(() => {
    if (ended) void scansChanged(wg, device.id);
  }, [ended, wg, device.id]);
  return (
    <Section
      title={t(`discovery.scans.${kind}`)}
      context={
        newest
          ? t('discovery.newest', { count: newest.found.length, ago: agoText(newest.at, now), by: newest.by })
          : t(`discovery.scanTexts.${kind}`)
      }
      isFlush
    >
      <form onSubmit={handleSubmit} className={classes.form} noValidate>
        {fields}
        {isRunning && action ? (
          <Button variant="default" onClick={() => void cancelLongAction({ wg }, action)}>
            {t('actions.cancel')}
          </Button>
        ) : (
          <Button type="submit" loading={isWorking} disabled={!device.facts.online}>
            {t('discovery.scan')}
          </Button>
        )}
      </form>
      <div className={classes.told}>
        <Failure text={failure ?? (mine?.state === 'failed' ? mine.error : null)} />
      </div>
      {isRunning ? (
        <Progress
          value={100 * (mine?.progress ?? 0)}
          size="sm"
          radius={0}
          animated
          aria-label={t('discovery.progress')}
        />
      ) : null}
      {newest && newest.found.length > 0 ? children : null}
    </Section>
  );
}

interface FieldProps {
  name: 'targets' | 'ports' | 'units';
  value: string;
  onChange: (value: string) => void;
}

function Field({ name, value, onChange }: FieldProps) {
  const { t } = useTranslation();
  return (
    <TextInput
      className={name === 'units' ? classes.short : classes.wide}
      label={t(`discovery.fields.${name}`)}
      value={value}
      placeholder={t(`discovery.examples.${name}`)}
      spellCheck={false}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function Port({ value, onChange }: { value: number; onChange: (port: number) => void }) {
  const { t } = useTranslation();
  return (
    <NumberInput
      className={classes.short}
      label={t('discovery.columns.port')}
      value={value}
      min={1}
      max={65_535}
      hideControls
      onChange={(port) => onChange(Number(port) || 502)}
    />
  );
}
