import type { Commissioning } from '@albedo/contract/commissioning/commissioning.schema';
import type { Device, LatestSource } from '@albedo/contract/devices/devices.schema';
import { FIELD_ROLE_NAMES, unitOfRole } from '@albedo/contract/field-roles/field-roles';
import type { SourceRoles } from '@albedo/contract/field-roles/field-roles.schema';
import { Button, Loader, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fieldRolesQuery, setFieldRole } from '../../app/field-roles-query.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useAttempt } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { Section } from '../../ui/section.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { formatValue } from '../../ui/units/units.ts';
import { latestQuery } from '../devices/devices.queries.ts';
import classes from './commissioning.module.css';
import { saveCommissioning } from './commissioning.queries.ts';
import { StepButtons } from './step-buttons.tsx';

/** So often it is looked whether the first values are there, and what they are now, ms. */
const AGAIN_MS = 3000;
const NONE = 'none';

type Field = SourceRoles['fields'][number];

/** What the fields mean: as guessed, unless the person knows better. */
export function ConfirmStep({ setup, device }: { setup: Commissioning; device: Device }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const names = setup.plan.machines.map(({ name }) => name);
  const roles = useQuery({ ...fieldRolesQuery(wg, device.id), refetchInterval: AGAIN_MS });
  const latest = useQuery({ ...latestQuery(wg, device.id), refetchInterval: AGAIN_MS });
  const sources = names.flatMap((name) => roles.data?.filter(({ source }) => source === name) ?? []);
  const missing = names.filter((name) => !sources.some(({ source }) => source === name));
  if (roles.error)
    return (
      <ErrorState
        title={t('commissioning.confirm.failed')}
        error={roles.error}
        onRetry={() => void roles.refetch()}
      />
    );
  return (
    <Section title={t('commissioning.confirm.title')}>
      <div className={classes.form}>
        <p className={classes.lead}>{t('commissioning.confirm.text')}</p>
        {missing.length > 0 ? (
          <div className={classes.waiting} role="status">
            <Loader size={16} color="var(--al-brand-text)" />
            <span>{t('commissioning.confirm.waiting', { names: missing.join(', ') })}</span>
          </div>
        ) : null}
        <ul className={classes.cards}>
          {sources.map((source) => (
            <SourceCard
              key={`${source.table} ${source.source}`}
              device={device.id}
              roles={source}
              latest={latest.data?.find((one) => one.table === source.table && one.source === source.source)}
            />
          ))}
        </ul>
      </div>
      <StepButtons
        setup={setup}
        back="read"
        next={{
          label: t('commissioning.confirm.go'),
          isDisabled: sources.length === 0,
          go: () => saveCommissioning(wg, setup.id, { step: 'plant', plan: setup.plan }),
        }}
      />
    </Section>
  );
}

function SourceCard(of: { device: string; roles: SourceRoles; latest: LatestSource | undefined }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { device, roles, latest } = of;
  const [isWhole, setWhole] = useState(false);
  const { attempt, failure } = useAttempt();
  const known = roles.fields.filter(({ role, choice }) => role !== null || choice !== null);
  const shown = isWhole ? roles.fields : known;
  const choose = (field: string, value: string | null) =>
    attempt(async () => {
      const role = value === NONE ? null : (value as Field['role']);
      const { table, source } = roles;
      await setFieldRole(wg, device, { table, source, field, choice: { role } });
    });
  return (
    <li className={classes.card}>
      <h3 className={classes.cardTitle}>{roles.source}</h3>
      <p className={classes.hint}>{t(`commissioning.kinds.${roles.kind}`)}</p>
      <Failure text={failure} />
      <ul className={classes.roles}>
        {shown.map((field) => (
          <li key={field.field}>
            <div>
              <b>{field.field}</b>
              <span>{valueText(latest?.values[field.field], field.units)}</span>
            </div>
            <Select
              size="xs"
              aria-label={t('plants.roles.meaningOf', { field: field.field })}
              data={[
                { value: NONE, label: t('plants.roles.none') },
                ...FIELD_ROLE_NAMES.map((role) => {
                  const unit = unitOfRole(role);
                  return { value: role, label: `${t(`plants.roles.names.${role}`)}${unit && ` (${unit})`}` };
                }),
              ]}
              value={field.role ?? NONE}
              onChange={(value) => void choose(field.field, value)}
              allowDeselect={false}
              searchable
            />
          </li>
        ))}
      </ul>
      {roles.fields.length > known.length ? (
        <Button variant="subtle" size="compact-sm" onClick={() => setWhole(!isWhole)}>
          {isWhole
            ? t('commissioning.confirm.fewer')
            : t('commissioning.confirm.all', { count: roles.fields.length })}
        </Button>
      ) : null}
    </li>
  );
}

const valueText = (value: number | string | null | undefined, units: string | null): string =>
  typeof value === 'string' ? value : formatValue(value, units);
