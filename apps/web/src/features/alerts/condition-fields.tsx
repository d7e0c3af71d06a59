import {
  ALERT_FUNCTIONS,
  CONTROL_FINDINGS,
  FINDING_KINDS,
  type NewAlert,
} from '@albedo/contract/alerts/alerts.schema';
import { Button, Input, NumberInput, SegmentedControl, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FilterEditor, type FilterGroup } from '../../app/filters/filter-editor.tsx';
import { useWorkgroup } from '../../app/session.ts';
import { ChoiceGrid } from '../../ui/choice-grid.tsx';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { deviceListQuery } from '../devices/devices.queries.ts';
import { type SearchParams, tablesQuery, valuesQuery } from '../searches/searches.queries.ts';
import { tableQuery } from '../telemetry/telemetry.queries.ts';
import { hasPart } from './alert-draft.ts';
import classes from './alerts.module.css';
import { type AlertForm, numberIn } from './fields.ts';

type Aggregate = NonNullable<NewAlert['aggregate']>;
const SIGNS = ['<', '<=', '>', '>=', '=', '!='] as const satisfies readonly Aggregate['operator'][];
const NUMBERS: readonly string[] = ['decimal', 'integer', 'bool'];

/** What has to hold for the alert to fire: only the fields of its kind. */
export function ConditionFields({ form }: { form: AlertForm }) {
  const { kind } = form.values;
  return (
    <>
      {hasPart(kind, 'table') ? <TableField form={form} /> : null}
      {hasPart(kind, 'field') ? <PeerFields form={form} /> : null}
      {hasPart(kind, 'findings') ? <Findings form={form} /> : null}
      {hasPart(kind, 'conditions') ? <Conditions form={form} /> : null}
    </>
  );
}

function TableField({ form }: { form: AlertForm }) {
  const { t } = useTranslation();
  const { values, set, faultOf } = form;
  const { data = [] } = useQuery(tablesQuery(useWorkgroup()));
  return (
    <Select
      searchable
      label={t('alerts.table')}
      description={t('alerts.tableHelp')}
      placeholder={t('searches.chooseTable')}
      nothingFoundMessage={t('searches.noTable')}
      allowDeselect={false}
      error={faultOf('table')}
      value={values.table}
      data={[...new Set([...data, ...(values.table ? [values.table] : [])])]}
      // Fields of one table mean nothing in another one.
      onChange={(table) =>
        table !== null &&
        table !== values.table &&
        set({ table, field: null, conditions: [], clearConditions: [], aggregate: null })
      }
    />
  );
}

/** The fields of the table; those that can be computed with alone, where `isNumeric`. */
function useFields(table: string | null, isNumeric: boolean) {
  const { data } = useQuery({
    ...tableQuery(useWorkgroup(), table ?? ''),
    enabled: table !== null,
    retry: false,
  });
  return (data?.fields ?? []).filter(
    ({ name, type }) => name !== 'msg_id' && (!isNumeric || NUMBERS.includes(type)),
  );
}

interface FieldSelectProps {
  form: AlertForm;
  value: string | null;
  error?: string | undefined;
  isNumeric: boolean;
  onChange: (field: string) => void;
}

function FieldSelect({ form, value, error, isNumeric, onChange }: FieldSelectProps) {
  const { t } = useTranslation();
  const { table } = form.values;
  const names = useFields(table, isNumeric).map(({ name }) => name);
  return (
    <Select
      searchable
      label={t('alerts.field')}
      placeholder={t('alerts.field')}
      nothingFoundMessage={t('searches.noField')}
      allowDeselect={false}
      disabled={table === null}
      error={error}
      value={value || null}
      data={[...new Set([...names, ...(value ? [value] : [])])]}
      onChange={(field) => field !== null && onChange(field)}
    />
  );
}

function PeerFields({ form }: { form: AlertForm }) {
  const { t } = useTranslation();
  const { values, set, faultOf } = form;
  return (
    <>
      <FieldSelect
        form={form}
        isNumeric={values.kind === 'deviation'}
        value={values.field}
        error={faultOf('field')}
        onChange={(field) => set({ field })}
      />
      {hasPart(values.kind, 'percent') ? (
        <NumberInput
          label={t('alerts.percent')}
          description={t('alerts.percentHelp')}
          min={1}
          max={99}
          suffix=" %"
          value={values.percent ?? ''}
          error={faultOf('percent')}
          onChange={(value) => set({ percent: numberIn(value) })}
        />
      ) : null}
    </>
  );
}

function Findings({ form }: { form: AlertForm }) {
  const { t } = useTranslation();
  const { values, set, faultOf } = form;
  return (
    <Input.Wrapper error={faultOf('findings')}>
      <ChoiceGrid
        label={t('alerts.findings')}
        value={values.findings}
        choices={(values.kind === 'control' ? CONTROL_FINDINGS : FINDING_KINDS).map((value) => ({
          value,
          label: t(`alerts.finding.${value}`),
        }))}
        onChange={(findings) => set({ findings: findings as NewAlert['findings'] })}
      />
    </Input.Wrapper>
  );
}

/** Conditions on single rows, and of a query a function of the last minutes in their place or over them. */
function Conditions({ form }: { form: AlertForm }) {
  const { t } = useTranslation();
  const { values, set, faultOf } = form;
  const { kind, table, aggregate, clearConditions } = values;
  const [hasClear, setHasClear] = useState(clearConditions.length > 0);
  if (table === null) return null;
  const takesFunction = hasPart(kind, 'aggregate');
  return (
    <>
      {takesFunction ? (
        <div>
          <div className={classes.label}>{t('alerts.judges')}</div>
          <SegmentedControl
            aria-label={t('alerts.judges')}
            value={aggregate ? 'function' : 'rows'}
            data={(['rows', 'function'] as const).map((value) => ({
              value,
              label: t(`alerts.judge.${value}`),
            }))}
            onChange={(next) => set({ aggregate: next === 'function' ? FIRST_FUNCTION : null })}
          />
        </div>
      ) : null}
      {aggregate ? <FunctionFields form={form} aggregate={aggregate} /> : null}
      <Input.Wrapper
        label={t(aggregate ? 'alerts.conditionsOver' : 'alerts.conditions')}
        error={faultOf('conditions')}
        labelElement="div"
      >
        <Filters
          table={table}
          label={t('alerts.conditions')}
          group={{ operator: values.operator, filters: values.conditions }}
          onChange={({ operator, filters }) => set({ operator, conditions: filters })}
        />
      </Input.Wrapper>
      {kind === 'query' && !hasClear ? (
        <div>
          <Button variant="default" size="xs" onClick={() => setHasClear(true)}>
            {t('alerts.addClear')}
          </Button>
        </div>
      ) : null}
      {kind === 'query' && hasClear ? (
        <Input.Wrapper
          label={t('alerts.clearConditions')}
          description={t('alerts.clearHelp')}
          error={faultOf('clearConditions')}
          labelElement="div"
        >
          <Filters
            table={table}
            label={t('alerts.clearConditions')}
            group={{ operator: 'AND', filters: clearConditions }}
            onChange={({ filters }) => set({ clearConditions: filters })}
          />
        </Input.Wrapper>
      ) : null}
    </>
  );
}

const FIRST_FUNCTION: Aggregate = {
  function: 'average',
  field: '',
  overMinutes: 15,
  operator: '<',
  value: 0,
};

interface FiltersProps {
  table: string;
  label: string;
  group: FilterGroup;
  onChange: (group: FilterGroup) => void;
}

const LAST_WEEK = { timeframe: 'last-7-days' } as unknown as SearchParams;

function Filters({ table, label, group, onChange }: FiltersProps) {
  const wg = useWorkgroup();
  const { data: info } = useQuery({ ...tableQuery(wg, table), retry: false });
  const { data: devices } = useQuery(deviceListQuery(wg));
  return (
    <FilterEditor
      label={label}
      group={group}
      info={info}
      devices={devices}
      zone={userZone()}
      valuesOf={(field) => valuesQuery(wg, table, field, LAST_WEEK)}
      onChange={onChange}
    />
  );
}

/** `average of AC Power over 15 min < 10`. */
function FunctionFields({ form, aggregate }: { form: AlertForm; aggregate: Aggregate }) {
  const { t } = useTranslation();
  const change = (part: Partial<Aggregate>) => form.set({ aggregate: { ...aggregate, ...part } });
  const units = useFields(form.values.table, true).find(({ name }) => name === aggregate.field)?.units;
  return (
    <Input.Wrapper error={form.faultOf('aggregate')}>
      <div className={classes.function}>
        <Select
          label={t('alerts.function')}
          allowDeselect={false}
          value={aggregate.function}
          data={ALERT_FUNCTIONS.map((value) => ({ value, label: t(`alerts.functions.${value}`) }))}
          onChange={(next) => next && change({ function: next as Aggregate['function'] })}
        />
        <FieldSelect
          form={form}
          isNumeric={aggregate.function !== 'count'}
          value={aggregate.field}
          onChange={(field) => change({ field })}
        />
        <NumberInput
          label={t('alerts.over')}
          min={1}
          max={1440}
          suffix=" min"
          value={aggregate.overMinutes}
          onChange={(value) => change({ overMinutes: numberIn(value) ?? 1 })}
        />
        <Select
          label={t('searches.operator')}
          allowDeselect={false}
          value={aggregate.operator}
          data={SIGNS.map((value) => ({ value, label: t(`searches.operators.${value}`) }))}
          onChange={(next) => next && change({ operator: next as Aggregate['operator'] })}
        />
        <NumberInput
          label={t('searches.value')}
          value={aggregate.value}
          {...(units ? { suffix: ` ${units}` } : {})}
          onChange={(value) => change({ value: numberIn(value) ?? 0 })}
        />
      </div>
    </Input.Wrapper>
  );
}
