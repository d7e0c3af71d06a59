import { FIELD_ROLE_NAMES, type FieldRole, unitOfRole } from '@albedo/contract/field-roles/field-roles';
import {
  MACHINE_CLASSES,
  type Machine,
  type NewMachine,
  newMachine,
} from '@albedo/contract/machines/machines.schema';
import {
  ActionIcon,
  Anchor,
  Autocomplete,
  Button,
  Group,
  NumberInput,
  Select,
  TextInput,
} from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { entitiesQuery, entitySourcesQuery } from '../../app/entity-query.ts';
import { faultsOf } from '../../app/faults.ts';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useSubmit } from '../../app/use-submit.ts';
import { lastSavedBy } from '../../app/versions/newest.ts';
import { useOpened } from '../../app/versions/use-opened.ts';
import { useSaveOver } from '../../app/versions/use-save-over.tsx';
import { VersionsButton } from '../../app/versions/versions-button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Page } from '../../ui/page.tsx';
import { Section } from '../../ui/section.tsx';
import { FormSkeleton } from '../../ui/skeletons.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { NumberChart } from '../../ui/time-series-chart/number-chart.tsx';
import classes from './machines.module.css';
import { machinesQuery, newestMachine, saveMachine } from './machines.queries.ts';

/** One machine: what it is, and where the values of its roles stand. */
export function MachinePage() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { id } = useParams({ strict: false }) as { id: string };
  const { data, error, refetch } = useQuery(machinesQuery(wg));
  const machine = data?.find(({ _id }) => _id === id);
  const back = (
    <Anchor component={Link} to="/admin/entities/machines" size="sm">
      {t('machines.title')}
    </Anchor>
  );
  return (
    <Page title={machine?.name ?? t('machines.one')} context={back}>
      {error ? (
        <ErrorState title={t('machines.failed')} error={error} onRetry={() => void refetch()} />
      ) : null}
      {data || error ? null : <FormSkeleton fields={5} />}
      {data && !machine ? <EmptyState title={t('machines.gone')} /> : null}
      {machine ? <Opened key={machine._id} machine={machine} /> : null}
    </Page>
  );
}

function Opened({ machine }: { machine: Machine }) {
  const { opened, round, reopen } = useOpened(machine);
  return <MachineForm key={round} machine={opened} onOpen={reopen} />;
}

const contentOf = ({ _id, version: _version, ...content }: Machine): NewMachine => content;

/** A line of a list that grows: the key is for React alone. */
type Lined<T> = T & { key: number };
let last = 0;
const lined = <T extends object>(all: readonly T[]): Lined<T>[] =>
  all.map((one) => ({ ...one, key: ++last }));
const bare = <T extends object>(all: readonly Lined<T>[]): T[] =>
  all.map(({ key: _key, ...one }) => one as unknown as T);

interface RoleLine {
  role: FieldRole | null;
  table: string;
  field: string;
  units: string;
}

/** `onOpen` begins anew with what stands now. */
function MachineForm({ machine, onOpen }: { machine: Machine; onOpen: (machine: Machine) => void }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data: sources } = useQuery(entitySourcesQuery(wg));
  const { data: entities } = useQuery(entitiesQuery(wg));
  const [facts, setFacts] = useState({
    name: machine.name,
    class: machine.class,
    maker: machine.maker,
    model: machine.model,
  });
  const [roles, setRoles] = useState(() =>
    lined<RoleLine>(
      Object.entries(machine.roles).flatMap(([role, place]) =>
        place ? [{ role: role as FieldRole, ...place, units: place.units ?? '' }] : [],
      ),
    ),
  );
  const [ratings, setRatings] = useState(() => lined(machine.ratings));
  const [states, setStates] = useState(() => lined(machine.states));
  const [curve, setCurve] = useState(() => lined(machine.powerCurve));
  const [faults, setFaults] = useState<Record<string, string>>({});
  const used = (entities ?? []).filter((one) => one.machine === machine._id);
  const choices = useMemo(() => {
    const tables = new Map<string, Set<string>>();
    for (const { table, fields } of sources ?? []) {
      const known = tables.get(table) ?? new Set();
      for (const { name } of fields) known.add(name);
      tables.set(table, known);
    }
    return tables;
  }, [sources]);

  const over = useSaveOver<NewMachine, Machine>({
    opened: machine,
    contentOf,
    send: (content, version) => saveMachine(wg, { id: machine._id, version }, content),
    newest: () => newestMachine(wg, machine._id),
    savedBy: () => lastSavedBy(wg, 'machine', machine._id),
    onTheirs: onOpen,
  });
  const { isWorking, failure, handleSubmit } = useSubmit(async () => {
    setFaults({});
    const wanted = {
      ...facts,
      ratings: bare(ratings),
      states: bare(states),
      powerCurve: bare(curve),
      roles: Object.fromEntries(
        roles.flatMap(({ role, table, field, units }) =>
          role ? [[role, { table, field, units: units.trim() || null }]] : [],
        ),
      ),
    };
    const { data, error } = newMachine.safeParse(wanted);
    if (error) {
      setFaults(faultsOf(error, Object.keys(wanted)));
      return;
    }
    const saved = await over.save(data);
    if (!saved) return;
    notifyDone(t('machines.saved', { name: saved.name }));
    onOpen(saved);
  });

  return (
    <form className={classes.form} noValidate onSubmit={handleSubmit}>
      {over.dialog}
      <Section
        title={t('machines.about')}
        context={t('machines.usedBy', { count: used.length })}
        actions={
          <Group gap="xs">
            <VersionsButton
              kind="machine"
              id={machine._id}
              name={machine.name}
              mayRestore
              onRestored={async () => onOpen(await newestMachine(wg, machine._id))}
            />
            <Button type="submit" size="xs" loading={isWorking}>
              {t('actions.save')}
            </Button>
          </Group>
        }
      >
        <div className={classes.facts}>
          <TextInput
            label={t('machines.name')}
            value={facts.name}
            error={faults.name}
            onChange={(event) => setFacts({ ...facts, name: event.currentTarget.value })}
          />
          <Select
            label={t('machines.class')}
            data={MACHINE_CLASSES.map((value) => ({ value, label: t(`machines.classes.${value}`) }))}
            value={facts.class}
            allowDeselect={false}
            onChange={(value) => setFacts({ ...facts, class: (value ?? 'other') as Machine['class'] })}
          />
          <TextInput
            label={t('machines.maker')}
            value={facts.maker}
            error={faults.maker}
            onChange={(event) => setFacts({ ...facts, maker: event.currentTarget.value })}
          />
          <TextInput
            label={t('machines.model')}
            value={facts.model}
            error={faults.model}
            onChange={(event) => setFacts({ ...facts, model: event.currentTarget.value })}
          />
        </div>
        <Failure text={failure} />
      </Section>
      <Lines
        title={t('machines.roles')}
        help={t('machines.rolesHelp')}
        fault={faults.roles}
        add={t('machines.roleAdd')}
        lines={roles}
        onAdd={() => setRoles([...roles, ...lined([{ role: null, table: '', field: '', units: '' }])])}
        onRemove={(key) => setRoles(roles.filter((one) => one.key !== key))}
        draw={(line) => {
          const set = (part: Partial<RoleLine>) =>
            setRoles(roles.map((one) => (one.key === line.key ? { ...one, ...part } : one)));
          return (
            <>
              <Select
                searchable
                aria-label={t('machines.role')}
                placeholder={t('machines.role')}
                data={FIELD_ROLE_NAMES.filter(
                  (role) => role === line.role || !roles.some((one) => one.role === role),
                ).map((role) => ({ value: role, label: t(`plants.roles.names.${role}`) }))}
                value={line.role}
                onChange={(role) => set({ role: role as FieldRole | null })}
              />
              <Autocomplete
                aria-label={t('machines.table')}
                placeholder={t('machines.table')}
                data={[...choices.keys()]}
                limit={50}
                value={line.table}
                onChange={(table) => set({ table })}
              />
              <Autocomplete
                aria-label={t('machines.field')}
                placeholder={t('machines.field')}
                data={[...(choices.get(line.table) ?? [])]}
                limit={50}
                value={line.field}
                onChange={(field) => set({ field })}
              />
              <TextInput
                aria-label={t('machines.units')}
                placeholder={line.role ? unitOfRole(line.role) || t('machines.units') : t('machines.units')}
                value={line.units}
                onChange={(event) => set({ units: event.currentTarget.value })}
              />
            </>
          );
        }}
      />
      <Lines
        title={t('machines.ratings')}
        help={t('machines.ratingsHelp')}
        fault={faults.ratings}
        add={t('machines.ratingAdd')}
        lines={ratings}
        onAdd={() => setRatings([...ratings, ...lined([{ name: '', value: 0, units: '' }])])}
        onRemove={(key) => setRatings(ratings.filter((one) => one.key !== key))}
        draw={(line) => {
          const set = (part: Partial<typeof line>) =>
            setRatings(ratings.map((one) => (one.key === line.key ? { ...one, ...part } : one)));
          return (
            <>
              <TextInput
                aria-label={t('machines.rating')}
                placeholder={t('machines.rating')}
                value={line.name}
                onChange={(event) => set({ name: event.currentTarget.value })}
              />
              <NumberInput
                aria-label={t('machines.value')}
                value={line.value}
                onChange={(value) => set({ value: Number(value) })}
              />
              <TextInput
                aria-label={t('machines.units')}
                placeholder={t('machines.units')}
                value={line.units}
                onChange={(event) => set({ units: event.currentTarget.value })}
              />
            </>
          );
        }}
      />
      <Lines
        title={t('machines.states')}
        help={t('machines.statesHelp')}
        fault={faults.states}
        add={t('machines.stateAdd')}
        lines={states}
        onAdd={() => setStates([...states, ...lined([{ code: '', word: '', level: 'ok' as const }])])}
        onRemove={(key) => setStates(states.filter((one) => one.key !== key))}
        draw={(line) => {
          const set = (part: Partial<typeof line>) =>
            setStates(states.map((one) => (one.key === line.key ? { ...one, ...part } : one)));
          return (
            <>
              <TextInput
                aria-label={t('machines.code')}
                placeholder={t('machines.code')}
                value={line.code}
                onChange={(event) => set({ code: event.currentTarget.value })}
              />
              <TextInput
                aria-label={t('machines.word')}
                placeholder={t('machines.word')}
                value={line.word}
                onChange={(event) => set({ word: event.currentTarget.value })}
              />
              <Select
                aria-label={t('machines.level')}
                data={(['ok', 'idle', 'warning', 'danger'] as const).map((value) => ({
                  value,
                  label: t(`machines.levels.${value}`),
                }))}
                value={line.level}
                allowDeselect={false}
                onChange={(level) => set({ level: (level ?? 'ok') as typeof line.level })}
              />
            </>
          );
        }}
      />
      <Lines
        title={t('machines.curve')}
        help={t('machines.curveHelp')}
        fault={faults.powerCurve}
        add={t('machines.pointAdd')}
        lines={curve}
        onAdd={() => setCurve([...curve, ...lined([{ x: (curve.at(-1)?.x ?? 0) + 100, powerW: 0 }])])}
        onRemove={(key) => setCurve(curve.filter((one) => one.key !== key))}
        below={curve.length > 1 ? <Curve points={curve} isWind={facts.class === 'wind-turbine'} /> : null}
        draw={(line) => {
          const set = (part: Partial<typeof line>) =>
            setCurve(curve.map((one) => (one.key === line.key ? { ...one, ...part } : one)));
          return (
            <>
              <NumberInput
                aria-label={t('machines.curveX')}
                suffix={facts.class === 'wind-turbine' ? ' m/s' : ' W/m²'}
                value={line.x}
                onChange={(value) => set({ x: Number(value) })}
              />
              <NumberInput
                aria-label={t('machines.curveY')}
                suffix=" W"
                value={line.powerW}
                onChange={(value) => set({ powerW: Number(value) })}
              />
            </>
          );
        }}
      />
    </form>
  );
}

/** The curve as it is written, in the order of its points. */
function Curve({ points, isWind }: { points: readonly { x: number; powerW: number }[]; isWind: boolean }) {
  const { t } = useTranslation();
  const sorted = points.toSorted((a, b) => a.x - b.x);
  return (
    <NumberChart
      title={t('machines.curve')}
      xLabel={t(isWind ? 'machines.wind' : 'machines.irradiance')}
      xUnits={isWind ? 'm/s' : 'W/m²'}
      kind="line"
      height={240}
      series={[
        {
          id: 'curve',
          label: t('machines.curveY'),
          units: 'W',
          style: 0,
          x: sorted.map(({ x }) => x),
          y: sorted.map(({ powerW }) => powerW),
        },
      ]}
    />
  );
}

interface LinesProps<T> {
  title: string;
  help: string;
  fault: string | undefined;
  add: string;
  lines: readonly Lined<T>[];
  onAdd: () => void;
  onRemove: (key: number) => void;
  draw: (line: Lined<T>) => ReactNode;
  below?: ReactNode;
}

/** A list of lines that grows, each with the button that takes it away. */
function Lines<T>({ title, help, fault, add, lines, onAdd, onRemove, draw, below }: LinesProps<T>) {
  const { t } = useTranslation();
  return (
    <Section title={title} context={help}>
      <div className={classes.lines}>
        {lines.map((line) => (
          <div key={line.key} className={classes.line}>
            {draw(line)}
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('machines.lineRemove')}
              onClick={() => onRemove(line.key)}
            >
              <IconX size={16} />
            </ActionIcon>
          </div>
        ))}
        <Failure text={fault ?? null} />
        <div>
          <Button size="xs" variant="default" leftSection={<IconPlus size={14} />} onClick={onAdd}>
            {add}
          </Button>
        </div>
        {below}
      </div>
    </Section>
  );
}
