import { FIELD_ROLE_NAMES, type FieldRole } from '@albedo/contract/field-roles/field-roles';
import {
  KPI_AGGREGATORS,
  KPI_OPERATORS,
  type KpiAggregate,
  type KpiFormula,
  type KpiMetadata,
  type KpiPeers,
  type KpiValue,
  kpiValue,
} from '@albedo/contract/kpis/kpis.schema';
import { ActionIcon, Checkbox, Group, NumberInput, Radio, Select, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './figures.module.css';

/** A value with its name; the key is for React alone. */
export interface Line {
  key: number;
  name: string;
  value: KpiValue;
}

/** A value that somebody has only named so far: the energy of a counter, which is the most common one. */
export const blankValue = (): KpiValue =>
  kpiValue.parse({
    kind: 'aggregate',
    streams: { role: 'energyTotal' },
    operator: 'difference',
    units: 'kWh',
  });

interface ValueFieldsProps {
  line: Line;
  isPrimary: boolean;
  onPrimary: () => void;
  onChange: (value: KpiValue) => void;
  onRemove: () => void;
}

/** What one value is: readings, a fact or a formula. */
export function ValueFields({ line, isPrimary, onPrimary, onChange, onRemove }: ValueFieldsProps) {
  const { t } = useTranslation();
  const { value } = line;
  const { displayName, description, units } = value;
  const shared = { isPrimary: value.isPrimary, displayName, description, units };
  return (
    <div className={classes.fields}>
      <TextInput
        label={t('kpis.displayName')}
        value={displayName}
        onChange={(event) => onChange({ ...value, displayName: event.currentTarget.value })}
      />
      <TextInput
        label={t('kpis.units')}
        value={units}
        onChange={(event) => onChange({ ...value, units: event.currentTarget.value })}
      />
      <Select
        label={t('kpis.kind')}
        data={(['aggregate', 'metadata', 'formula', 'peers'] as const).map((kind) => ({
          value: kind,
          label: t(`kpis.kinds.${kind}`),
        }))}
        value={value.kind}
        allowDeselect={false}
        onChange={(kind) => kind && kind !== value.kind && onChange(ofKind(kind as KpiValue['kind'], shared))}
      />
      <Group gap="xs" align="end" justify="space-between" wrap="nowrap">
        <Radio mb={10} label={t('kpis.primary')} checked={isPrimary} onChange={onPrimary} />
        <ActionIcon
          mb={4}
          variant="subtle"
          color="gray"
          aria-label={t('kpis.valueRemove', { name: line.name })}
          onClick={onRemove}
        >
          <IconX size={16} />
        </ActionIcon>
      </Group>
      {value.kind === 'aggregate' ? <AggregateFields value={value} onChange={onChange} /> : null}
      {value.kind === 'metadata' ? <MetadataFields value={value} onChange={onChange} /> : null}
      {value.kind === 'formula' ? <FormulaFields value={value} onChange={onChange} /> : null}
      {value.kind === 'peers' ? <PeersFields value={value} onChange={onChange} /> : null}
    </div>
  );
}

/** What the value is when its kind has just been chosen. */
function ofKind(
  kind: KpiValue['kind'],
  shared: Pick<KpiValue, 'isPrimary' | 'displayName' | 'description' | 'units'>,
): KpiValue {
  if (kind === 'aggregate') return { ...blankValue(), ...shared } as KpiValue;
  // What is still empty is not valid yet, and is said to be so when it is saved.
  const own = { metadata: { key: 'kWp' }, formula: { formula: '0' }, peers: { of: 'value' } }[kind];
  return kpiValue.parse({ kind, ...shared, ...own });
}

function AggregateFields({
  value,
  onChange,
}: {
  value: KpiAggregate;
  onChange: (value: KpiAggregate) => void;
}) {
  const { t } = useTranslation();
  const { streams, operator } = value;
  const number = (given: string | number) => (given === '' ? null : Number(given));
  return (
    <>
      <StreamFields
        label={t('kpis.role')}
        value={streams}
        onChange={(next) => onChange({ ...value, streams: next })}
      />
      <TextInput
        label={t('kpis.dateField')}
        value={value.dateField}
        onChange={(event) => onChange({ ...value, dateField: event.currentTarget.value })}
      />
      <Select
        label={t('kpis.operator')}
        data={KPI_OPERATORS.map((one) => ({ value: one, label: t(`kpis.operators.${one}`) }))}
        value={operator}
        allowDeselect={false}
        onChange={(chosen) => {
          if (!chosen) return;
          const weightedBy = chosen === 'weightedAverage' ? (value.weightedBy ?? BY_SUN) : null;
          const during = chosen === 'timeInState' ? value.during : null;
          onChange({ ...value, operator: chosen as KpiAggregate['operator'], weightedBy, during });
        }}
      />
      <Select
        label={t('kpis.aggregator')}
        data={KPI_AGGREGATORS.map((one) => ({ value: one, label: t(`kpis.aggregators.${one}`) }))}
        value={value.aggregator}
        allowDeselect={false}
        onChange={(chosen) =>
          chosen && onChange({ ...value, aggregator: chosen as KpiAggregate['aggregator'] })
        }
      />
      {operator === 'weightedAverage' ? (
        <StreamFields
          label={t('kpis.weightedBy')}
          value={value.weightedBy ?? BY_SUN}
          onChange={(next) => onChange({ ...value, weightedBy: next })}
        />
      ) : null}
      {operator === 'percentile' ? (
        <NumberInput
          label={t('kpis.percent')}
          min={0}
          max={100}
          value={value.percent}
          onChange={(given) => onChange({ ...value, percent: Number(given) })}
        />
      ) : null}
      {operator === 'difference' ? (
        <NumberInput
          label={t('kpis.rollsOverAt')}
          value={value.rollsOverAt ?? ''}
          onChange={(given) => onChange({ ...value, rollsOverAt: number(given) })}
        />
      ) : null}
      {operator === 'timeInState' ? (
        <>
          <TextInput
            label={t('kpis.states')}
            value={value.states.join(', ')}
            onChange={(event) => onChange({ ...value, states: statesIn(event.currentTarget.value) })}
          />
          <NumberInput
            label={t('kpis.above')}
            value={value.above ?? ''}
            onChange={(given) => onChange({ ...value, above: number(given) })}
          />
          <NumberInput
            label={t('kpis.below')}
            value={value.below ?? ''}
            onChange={(given) => onChange({ ...value, below: number(given) })}
          />
          <DuringFields value={value.during} onChange={(during) => onChange({ ...value, during })} />
        </>
      ) : null}
      <NumberInput
        label={t('kpis.slice')}
        min={1}
        max={1440}
        value={value.sliceMinutes ?? ''}
        onChange={(given) => onChange({ ...value, sliceMinutes: number(given) })}
      />
    </>
  );
}

interface StreamFieldsProps {
  label: string;
  value: KpiAggregate['streams'];
  onChange: (value: KpiAggregate['streams']) => void;
}

/** Streams by their role, or without one by table and field. */
function StreamFields({ label: title, value, onChange }: StreamFieldsProps) {
  const { t } = useTranslation();
  const { over, path, label } = value;
  const rest = { over, ...(path ? { path } : {}), ...(label ? { label } : {}) };
  const place = 'field' in value ? placeOf(value) : { table: '', field: '' };
  return (
    <>
      <Select
        searchable
        clearable
        label={title}
        placeholder={t('kpis.byField')}
        data={FIELD_ROLE_NAMES.map((one) => ({ value: one, label: t(`plants.roles.names.${one}`) }))}
        value={'role' in value ? value.role : null}
        onChange={(role) => onChange(role ? { ...rest, role: role as FieldRole } : { ...rest, ...place })}
      />
      {'role' in value ? null : (
        <>
          <TextInput
            label={t('kpis.table')}
            value={place.table}
            onChange={(event) => onChange({ ...rest, ...place, table: event.currentTarget.value })}
          />
          <TextInput
            label={t('kpis.field')}
            value={place.field}
            onChange={(event) => onChange({ ...rest, ...place, field: event.currentTarget.value })}
          />
        </>
      )}
    </>
  );
}

interface DuringFieldsProps {
  value: KpiAggregate['during'];
  onChange: (value: KpiAggregate['during']) => void;
}

/** Which times count at all: all of them, or those in which other streams reach a value. */
function DuringFields({ value, onChange }: DuringFieldsProps) {
  const { t } = useTranslation();
  return (
    <>
      <Checkbox
        className={classes.wide}
        label={t('kpis.during')}
        description={t('kpis.duringHelp')}
        checked={value !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? { streams: BY_SUN, above: 50 } : null)}
      />
      {value ? (
        <>
          <StreamFields
            label={t('kpis.duringOf')}
            value={value.streams}
            onChange={(streams) => onChange({ ...value, streams })}
          />
          <NumberInput
            label={t('kpis.duringAbove')}
            value={value.above}
            onChange={(given) => onChange({ ...value, above: Number(given) })}
          />
        </>
      ) : null}
    </>
  );
}

/** What most averages are weighted by. */
const BY_SUN = { role: 'irradiancePoa', over: 'descendants' } as const;

const placeOf = ({ table, field }: { table: string; field: string }) => ({ table, field });

const statesIn = (text: string): string[] =>
  text
    .split(',')
    .map((one) => one.trimStart())
    .filter((one, i, all) => one !== '' || i === all.length - 1)
    .filter((one, i) => one !== '' || i > 0);

function MetadataFields({ value, onChange }: { value: KpiMetadata; onChange: (value: KpiMetadata) => void }) {
  const { t } = useTranslation();
  return (
    <>
      <TextInput
        label={t('kpis.key')}
        value={value.key}
        onChange={(event) => onChange({ ...value, key: event.currentTarget.value })}
      />
      <Select
        label={t('kpis.lookup')}
        data={(['below', 'above'] as const).map((one) => ({ value: one, label: t(`kpis.lookups.${one}`) }))}
        value={value.lookup}
        allowDeselect={false}
        onChange={(lookup) => lookup && onChange({ ...value, lookup: lookup as KpiMetadata['lookup'] })}
      />
      <NumberInput
        label={t('kpis.fallback')}
        value={value.fallback ?? ''}
        onChange={(given) => onChange({ ...value, fallback: given === '' ? null : Number(given) })}
      />
    </>
  );
}

function PeersFields({ value, onChange }: { value: KpiPeers; onChange: (value: KpiPeers) => void }) {
  const { t } = useTranslation();
  return (
    <>
      <TextInput
        label={t('kpis.peersOf')}
        value={value.of}
        spellCheck={false}
        onChange={(event) => onChange({ ...value, of: event.currentTarget.value })}
      />
      <Select
        label={t('kpis.aggregator')}
        data={KPI_AGGREGATORS.map((one) => ({ value: one, label: t(`kpis.aggregators.${one}`) }))}
        value={value.aggregator}
        allowDeselect={false}
        onChange={(chosen) => chosen && onChange({ ...value, aggregator: chosen as KpiPeers['aggregator'] })}
      />
      <TextInput
        label={t('kpis.peersLabel')}
        placeholder={t('kpis.peersLabelHelp')}
        value={value.label ?? ''}
        onChange={(event) => onChange({ ...value, label: event.currentTarget.value || null })}
      />
    </>
  );
}

function FormulaFields({ value, onChange }: { value: KpiFormula; onChange: (value: KpiFormula) => void }) {
  const { t } = useTranslation();
  return (
    <>
      <TextInput
        className={classes.wide}
        label={t('kpis.formula')}
        value={value.formula}
        spellCheck={false}
        onChange={(event) => onChange({ ...value, formula: event.currentTarget.value })}
      />
      <TextInput
        label={t('kpis.each')}
        value={value.each ?? ''}
        onChange={(event) => onChange({ ...value, each: event.currentTarget.value || null })}
      />
    </>
  );
}
