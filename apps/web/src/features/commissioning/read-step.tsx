import type {
  Commissioning,
  CommissioningPlan,
  PlantMachine,
  PlantPreview,
} from '@albedo/contract/commissioning/commissioning.schema';
import { commissioningPlan } from '@albedo/contract/commissioning/commissioning.schema';
import type { Device } from '@albedo/contract/devices/devices.schema';
import { Button, Select, Skeleton, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { faultsOf } from '../../app/faults.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useAttempt } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { messageOf } from '../../ui/message-of.ts';
import { Section } from '../../ui/section.tsx';
import { LevelIcon } from '../../ui/status/level-icon.tsx';
import { formatValue } from '../../ui/units/units.ts';
import classes from './commissioning.module.css';
import { previewQuery, readMachines, saveCommissioning } from './commissioning.queries.ts';
import { keyOf, namedByKind } from './machine-names.ts';
import { StepButtons } from './step-buttons.tsx';

/** So often the values on the screen are read anew, ms. */
const AGAIN_MS = 15_000;
const INTERVALS_S = [5, 10, 30, 60, 300];
/** Reading takes at most so much of the time between two rounds. */
const SHARE = 0.5;
const FIRST_VALUES = 6;

/** What the machines give now, before the device is told to go on reading them. */
export function ReadStep({ setup, device }: { setup: Commissioning; device: Device }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const [plan, setPlan] = useState<CommissioningPlan>(setup.plan);
  const hasModbus = plan.machines.some(({ reader }) => reader === 'modbus');
  const lacksMap = hasModbus && setup.plan.registerMap.trim() === '';
  const preview = useQuery({
    ...previewQuery(wg, setup.id, JSON.stringify([setup.plan.registerMap, setup.plan.machines.map(keyOf)])),
    enabled: device.facts.online && !lacksMap,
    refetchInterval: AGAIN_MS,
  });
  const read = preview.data?.machines;
  useEffect(() => {
    if (read) setPlan((kept) => ({ ...kept, machines: namedByKind(kept.machines, read) }));
  }, [read]);
  const rename = (key: string, name: string) =>
    setPlan({
      ...plan,
      machines: plan.machines.map((one) => (keyOf(one) === key ? { ...one, name } : one)),
    });
  const drop = (key: string) =>
    setPlan({ ...plan, machines: plan.machines.filter((one) => keyOf(one) !== key) });
  const leastS = Math.ceil((preview.data?.tookMs ?? 0) / 1000 / SHARE);
  const intervals = INTERVALS_S.filter((seconds) => seconds >= leastS || seconds === plan.intervalS);
  const faults = faultsOf(commissioningPlan.safeParse(plan).error, ['machines']);
  return (
    <Section title={t('commissioning.read.title')}>
      <div className={classes.form}>
        <p className={classes.lead}>{t('commissioning.read.text')}</p>
        {hasModbus ? (
          <RegisterMap
            value={plan.registerMap}
            onChange={(registerMap) => setPlan({ ...plan, registerMap })}
            onLook={async () => {
              await saveCommissioning(wg, setup.id, { step: 'read', plan });
              await preview.refetch();
            }}
          />
        ) : null}
        {device.facts.online ? null : <p className={classes.hint}>{t('commissioning.offline')}</p>}
        <Failure text={preview.error ? messageOf(preview.error) : null} />
        {preview.error ? (
          <div>
            <Button variant="default" onClick={() => void preview.refetch()}>
              {t('actions.tryAgain')}
            </Button>
          </div>
        ) : null}
        <ul className={classes.cards}>
          {plan.machines.map((one) => (
            <MachineCard
              key={keyOf(one)}
              machine={one}
              read={read?.find((other) => keyOf(other) === keyOf(one))}
              isReading={preview.isFetching}
              onRename={(name) => rename(keyOf(one), name)}
              onDrop={() => drop(keyOf(one))}
            />
          ))}
        </ul>
        {preview.data && preview.data.problems.length > 0 ? (
          <details className={classes.details}>
            <summary>{t('commissioning.read.problems', { count: preview.data.problems.length })}</summary>
            <ul className={classes.problems}>
              {preview.data.problems.map((problem) => (
                <li key={problem}>{problem}</li>
              ))}
            </ul>
          </details>
        ) : null}
        <Select
          className={classes.narrow}
          label={t('commissioning.read.interval')}
          allowDeselect={false}
          data={intervals.map((seconds) => ({
            value: String(seconds),
            label: t('commissioning.read.every', { count: seconds }),
          }))}
          value={String(plan.intervalS)}
          onChange={(value) => setPlan({ ...plan, intervalS: Number(value) })}
        />
        <Failure text={faults.machines ?? null} />
      </div>
      <StepButtons
        setup={{ ...setup, plan: faults.machines ? setup.plan : plan }}
        back="find"
        next={{
          label: t('commissioning.read.go'),
          isDisabled:
            faults.machines !== undefined ||
            !device.facts.online ||
            !plan.machines.some((one) => read?.find((other) => keyOf(other) === keyOf(one))?.reading),
          go: async () => {
            await saveCommissioning(wg, setup.id, { step: 'read', plan });
            await readMachines(wg, setup.id);
          },
        }}
      />
    </Section>
  );
}

interface MachineCardProps {
  machine: PlantMachine;
  read: PlantPreview['machines'][number] | undefined;
  isReading: boolean;
  onRename: (name: string) => void;
  onDrop: () => void;
}

function MachineCard({ machine, read, isReading, onRename, onDrop }: MachineCardProps) {
  const { t } = useTranslation();
  const [isWhole, setWhole] = useState(false);
  const reading = read?.reading ?? null;
  const told = reading?.values ?? [];
  const shown = isWhole ? told : told.slice(0, FIRST_VALUES);
  return (
    <li className={classes.card}>
      <TextInput
        label={t('commissioning.read.name')}
        aria-label={t('commissioning.read.nameOf', { machine: machine.model || machine.host })}
        value={machine.name}
        maxLength={60}
        onChange={(event) => onRename(event.currentTarget.value)}
      />
      <p className={classes.hint}>
        {machine.model ? `${machine.model}, ` : ''}
        {`${machine.host}:${machine.port}, ${t('commissioning.find.unit', { unit: machine.unit })}`}
      </p>
      {reading ? (
        <>
          <dl className={classes.values}>
            {shown.map(({ name, units, text }) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{text === '' ? t('commissioning.read.notMeasured') : readText(text, units)}</dd>
              </div>
            ))}
          </dl>
          {told.length > FIRST_VALUES ? (
            <Button variant="subtle" size="compact-sm" onClick={() => setWhole(!isWhole)}>
              {isWhole ? t('commissioning.read.fewer') : t('commissioning.read.all', { count: told.length })}
            </Button>
          ) : null}
        </>
      ) : read ? (
        <p className={classes.silent}>
          <LevelIcon mark="warning" size={16} />
          <span>{t('commissioning.read.silent')}</span>
          <Button variant="subtle" size="compact-sm" onClick={onDrop}>
            {t('commissioning.read.drop')}
          </Button>
        </p>
      ) : isReading ? (
        <Skeleton height={120} aria-label={t('states.loading')} />
      ) : null}
    </li>
  );
}

/** A device says its values as text; numbers are shown as everywhere else. */
function readText(text: string, units: string | null | undefined): string {
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number)) return units ? `${text} ${units}` : text;
  return formatValue(number, units);
}

const EXAMPLE_MAP = `_cmd, mbpoll -m {TCP_RTU} -t 4 -r 40071 -c 42 {ENDPOINT}
solar, , AC Power,     40085, 1, dec,  W,  ,   RO
solar, , Total Energy, 40095, 2, udec, Wh, 10, RO`;

/** What the registers of machines mean that do not say it themselves. */
function RegisterMap(of: {
  value: string;
  onChange: (text: string) => void;
  onLook: () => Promise<unknown>;
}) {
  const { t } = useTranslation();
  const { attempt, isWorking, failure } = useAttempt();
  return (
    <>
      <Textarea
        label={t('commissioning.read.map')}
        description={t('commissioning.read.mapHelp')}
        value={of.value}
        placeholder={EXAMPLE_MAP}
        minRows={6}
        maxRows={20}
        autosize
        spellCheck={false}
        classNames={{ input: classes.code ?? '' }}
        onChange={(event) => of.onChange(event.currentTarget.value)}
      />
      <Failure text={failure} />
      <div>
        <Button
          variant="default"
          loading={isWorking}
          disabled={of.value.trim() === ''}
          onClick={() =>
            void attempt(async () => {
              await of.onLook();
            })
          }
        >
          {t('commissioning.read.look')}
        </Button>
      </div>
    </>
  );
}
