import type { Commissioning, PlantMachine } from '@albedo/contract/commissioning/commissioning.schema';
import { plantMachine } from '@albedo/contract/commissioning/commissioning.schema';
import type { Device } from '@albedo/contract/devices/devices.schema';
import type { FoundModbus } from '@albedo/contract/link/link.network';
import { isOver } from '@albedo/contract/long-actions/long-actions.state';
import { Button, Checkbox, NumberInput, Progress, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useWorkgroup } from '../../app/session.ts';
import { useAttempt } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { Section } from '../../ui/section.tsx';
import { modbusQuery, networkQuery, scanModbus, scansChanged } from '../discovery/discovery.queries.ts';
import { cancelLongAction, longActionsQuery } from '../long-actions/long-actions.queries.ts';
import classes from './commissioning.module.css';
import { saveCommissioning } from './commissioning.queries.ts';
import { keyOf } from './machine-names.ts';
import { StepButtons } from './step-buttons.tsx';

/** Bus addresses that machines have when nobody has changed them, and those beside. */
const USUAL_UNITS = '1-12,100,110,126,240';
const NETWORK_BITS = 20;

/** What is in the network of the device: looked for, ticked, or written by hand. */
export function FindStep({ setup, device }: { setup: Commissioning; device: Device }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const [machines, setMachines] = useState<readonly PlantMachine[]>(setup.plan.machines);
  const { data: newest } = useQuery(modbusQuery(wg, device.id));
  const found = (newest?.found ?? []).map(machineOf);
  const known = new Set(found.map(keyOf));
  const shown = [...found, ...machines.filter((one) => !known.has(keyOf(one)))];
  const toggle = (one: PlantMachine) =>
    setMachines((all) =>
      all.some((other) => keyOf(other) === keyOf(one))
        ? all.filter((other) => keyOf(other) !== keyOf(one))
        : [...all, { ...one, name: freeName(all, one) }],
    );
  const isChosen = (one: PlantMachine) => machines.some((other) => keyOf(other) === keyOf(one));
  const chosen = shown.filter(isChosen).length;
  const toggleAll = () => {
    const all = [...machines];
    for (const one of shown) if (!isChosen(one)) all.push({ ...one, name: freeName(all, one) });
    setMachines(chosen === shown.length ? [] : all);
  };
  return (
    <Section title={t('commissioning.find.title')}>
      <div className={classes.form}>
        <p className={classes.lead}>{t('commissioning.find.text')}</p>
        <Scan device={device} hasFound={found.length > 0} />
        {newest && found.length === 0 ? <p className={classes.hint}>{t('commissioning.find.none')}</p> : null}
        {shown.length > 0 ? (
          <ul className={classes.machines}>
            {shown.length > 1 ? (
              <li>
                <Checkbox
                  checked={chosen === shown.length}
                  indeterminate={chosen > 0 && chosen < shown.length}
                  onChange={toggleAll}
                  label={t('commissioning.find.all', { count: shown.length })}
                />
              </li>
            ) : null}
            {shown.map((one) => (
              <li key={keyOf(one)}>
                <Checkbox
                  checked={isChosen(one)}
                  onChange={() => toggle(one)}
                  label={one.model || t('commissioning.find.unknown')}
                  description={`${one.host}:${one.port}, ${t('commissioning.find.unit', { unit: one.unit })}, ${READER_NAMES[one.reader]}`}
                />
              </li>
            ))}
          </ul>
        ) : null}
        <ByHand onAdd={(one) => isChosen(one) || toggle(one)} />
      </div>
      <StepButtons
        setup={setup}
        back="install"
        next={{
          label: t('commissioning.next'),
          isDisabled: machines.length === 0,
          go: () =>
            saveCommissioning(wg, setup.id, {
              step: 'read',
              plan: { ...setup.plan, machines: [...machines] },
            }),
        }}
      />
    </Section>
  );
}

const READER_NAMES = { sunspec: 'SunSpec', modbus: 'Modbus' };

const machineOf = (one: FoundModbus): PlantMachine => ({
  reader: one.protocol,
  host: one.ip,
  port: one.port,
  unit: one.unit,
  name: '',
  model: [one.manufacturer, one.model].filter(Boolean).join(' '),
});

/** Until it is known what a machine is, its number names it; the next step proposes better names. */
function freeName(taken: readonly PlantMachine[], { unit }: PlantMachine): string {
  const names = new Set(taken.map(({ name }) => name));
  const own = `machine-${unit}`;
  if (!names.has(own)) return own;
  for (let at = 2; ; at++) if (!names.has(`${own}-${at}`)) return `${own}-${at}`;
}

/** Looks for machines in the device's own network, or where somebody says. */
function Scan({ device, hasFound }: { device: Device; hasFound: boolean }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data: network } = useQuery({ ...networkQuery(wg, device.id), enabled: device.facts.online });
  const own = network?.interfaces
    .filter(({ isInternal }) => !isInternal)
    .flatMap(({ addresses }) => addresses)
    .find(({ address, prefix }) => address.includes('.') && prefix >= NETWORK_BITS);
  const [wanted, setWanted] = useState({ targets: '', port: 502, units: USUAL_UNITS });
  const targets = wanted.targets || (own ? `${own.address}/${own.prefix}` : '');
  const [action, setAction] = useState<string | null>(null);
  const { data: actions } = useQuery(longActionsQuery({ wg }));
  const mine = actions?.find(({ id }) => id === action);
  const isRunning = action !== null && (!mine || !isOver(mine.state));
  const { attempt, isWorking, failure } = useAttempt();
  const ended = mine && isOver(mine.state) ? mine.id : null;
  useEffect(() => {
    if (ended) void scansChanged(wg, device.id);
  }, [ended, wg, device.id]);
  const look = () => attempt(async () => setAction(await scanModbus(wg, device.id, { ...wanted, targets })));
  return (
    <>
      <div className={classes.buttons} data-is-start>
        {isRunning && action ? (
          <Button variant="default" onClick={() => void cancelLongAction({ wg }, action)}>
            {t('actions.cancel')}
          </Button>
        ) : (
          <Button
            variant={hasFound ? 'default' : 'filled'}
            loading={isWorking}
            disabled={!device.facts.online || targets === ''}
            onClick={() => void look()}
          >
            {t(hasFound ? 'commissioning.find.again' : 'commissioning.find.look')}
          </Button>
        )}
      </div>
      {device.facts.online ? null : <p className={classes.hint}>{t('commissioning.offline')}</p>}
      <Failure text={failure ?? (mine?.state === 'failed' ? mine.error : null)} />
      {isRunning ? (
        <Progress
          value={100 * (mine?.progress ?? 0)}
          size="sm"
          animated
          aria-label={t('commissioning.find.progress')}
        />
      ) : null}
      <details className={classes.details}>
        <summary>{t('commissioning.find.where')}</summary>
        <div className={classes.fields}>
          <TextInput
            label={t('commissioning.find.addresses')}
            value={targets}
            placeholder="192.168.1.0/24"
            spellCheck={false}
            onChange={(event) => setWanted({ ...wanted, targets: event.currentTarget.value })}
          />
          <NumberInput
            label={t('commissioning.find.port')}
            value={wanted.port}
            min={1}
            max={65_535}
            hideControls
            onChange={(port) => setWanted({ ...wanted, port: Number(port) || 502 })}
          />
          <TextInput
            label={t('commissioning.find.units')}
            value={wanted.units}
            spellCheck={false}
            onChange={(event) => setWanted({ ...wanted, units: event.currentTarget.value })}
          />
        </div>
      </details>
    </>
  );
}

/** A machine that does not answer now, or stands where nobody looked. */
function ByHand({ onAdd }: { onAdd: (one: PlantMachine) => void }) {
  const { t } = useTranslation();
  const [one, setOne] = useState({
    reader: 'modbus' as PlantMachine['reader'],
    host: '',
    port: 502,
    unit: 1,
  });
  const parsed = plantMachine.safeParse({ ...one, name: 'machine' });
  return (
    <details className={classes.details}>
      <summary>{t('commissioning.find.byHand')}</summary>
      <div className={classes.fields}>
        <TextInput
          label={t('commissioning.find.host')}
          value={one.host}
          placeholder="192.168.1.20"
          spellCheck={false}
          onChange={(event) => setOne({ ...one, host: event.currentTarget.value.trim() })}
        />
        <NumberInput
          label={t('commissioning.find.port')}
          value={one.port}
          min={1}
          max={65_535}
          hideControls
          onChange={(port) => setOne({ ...one, port: Number(port) || 502 })}
        />
        <NumberInput
          label={t('commissioning.find.busAddress')}
          value={one.unit}
          min={0}
          max={255}
          hideControls
          onChange={(unit) => setOne({ ...one, unit: Number(unit) || 0 })}
        />
        <Select
          label={t('commissioning.find.protocol')}
          allowDeselect={false}
          data={Object.entries(READER_NAMES).map(([value, label]) => ({ value, label }))}
          value={one.reader}
          onChange={(reader) => setOne({ ...one, reader: reader as PlantMachine['reader'] })}
        />
        <Button
          variant="default"
          disabled={!parsed.success}
          onClick={() => parsed.success && onAdd({ ...parsed.data, name: '' })}
        >
          {t('commissioning.find.add')}
        </Button>
      </div>
    </details>
  );
}
