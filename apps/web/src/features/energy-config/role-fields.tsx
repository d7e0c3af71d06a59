import { isSensorRole, isSignalRole, type RoleOrigin } from '@albedo/contract/energy/energy-config.schema';
import { ActionIcon, Autocomplete, Select, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { entitiesQuery } from '../../app/entity-query.ts';
import { useWorkgroup } from '../../app/session.ts';
import { Section } from '../../ui/section.tsx';
import { deviceListQuery } from '../devices/devices.queries.ts';
import { type Direction, parseAzimuth, pointOf, rotateAzimuth } from './azimuth.ts';
import classes from './energy-config.module.css';
import { fieldChoices, fieldIn, keyOf, useKnownFields } from './known-fields.ts';

type Roles = Partial<Record<string, RoleOrigin>>;

/** The part of a configuration that says where the values of its roles stand. */
export interface Mapped {
  roles: Roles;
  devices: Record<string, Roles>;
  entities: Record<string, Roles>;
}

interface RoleFieldsProps {
  roles: readonly string[];
  value: Mapped;
  onChange: (part: Partial<Mapped>) => void;
  faultOf: (path: string) => string | undefined;
  /** Where an azimuth of 0 points. */
  zero?: Direction;
}

/** Where the value of each role stands: for all devices, and otherwise for single ones and for entities. */
export function RoleFields({ roles, value, onChange, faultOf, zero }: RoleFieldsProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data: devices = [] } = useQuery(deviceListQuery(wg));
  const { data: entities = [] } = useQuery(entitiesQuery(wg));
  const names = devices.map(({ id, name }) => ({ value: id, label: name }));
  const shared = { roles, zero, faultOf };
  return (
    <Section title={t('energyConfig.mapping')} context={t('energyConfig.mappingText')}>
      <div className={classes.fields}>
        <RoleRows
          {...shared}
          path="roles"
          devices={names}
          value={value.roles}
          onChange={(next) => onChange({ roles: next })}
        />
        <Single
          {...shared}
          kind="devices"
          devices={names}
          names={names}
          value={value.devices}
          onChange={(next) => onChange({ devices: next })}
        />
        <Single
          {...shared}
          kind="entities"
          roles={roles.filter((role) => !isSensorRole(role))}
          devices={names}
          names={entities.map(({ _id, name }) => ({ value: _id, label: name }))}
          value={value.entities}
          onChange={(next) => onChange({ entities: next })}
        />
      </div>
    </Section>
  );
}

interface SharedProps {
  roles: readonly string[];
  /** What may measure for others. */
  devices: readonly { value: string; label: string }[];
  zero: Direction | undefined;
  faultOf: (path: string) => string | undefined;
}

interface SingleProps extends SharedProps {
  kind: 'devices' | 'entities';
  names: { value: string; label: string }[];
  value: Record<string, Roles>;
  onChange: (value: Record<string, Roles>) => void;
}

/** Single devices or entities that have something of their own. */
function Single({ kind, names, value, onChange, ...shared }: SingleProps) {
  const { t } = useTranslation();
  const free = names.filter((one) => !Object.hasOwn(value, one.value));
  return (
    <>
      {Object.entries(value).map(([id, roles]) => {
        const name = names.find((one) => one.value === id)?.label ?? id;
        return (
          <div key={id} className={classes.single}>
            <div className={classes.singleHead}>
              <h3 className={classes.subtitle}>{name}</h3>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('energyConfig.removeOwn', { name })}
                onClick={() => {
                  const { [id]: _, ...rest } = value;
                  onChange(rest);
                }}
              >
                <IconTrash size={16} />
              </ActionIcon>
            </div>
            <RoleRows
              {...shared}
              path={`${kind}.${id}`}
              value={roles}
              onChange={(next) => onChange({ ...value, [id]: next })}
            />
          </div>
        );
      })}
      {names.length > 0 ? (
        <Select
          className={classes.add ?? ''}
          aria-label={t(`energyConfig.addOwn.${kind}`)}
          placeholder={t(`energyConfig.addOwn.${kind}`)}
          searchable
          data={free}
          limit={100}
          value={null}
          onChange={(id) => id !== null && onChange({ ...value, [id]: {} })}
        />
      ) : null}
    </>
  );
}

interface RoleRowsProps extends SharedProps {
  path: string;
  value: Roles;
  onChange: (value: Roles) => void;
}

function RoleRows({ roles, devices, path, value, onChange, zero, faultOf }: RoleRowsProps) {
  return (
    <div className={classes.roles}>
      {roles.map((role) => (
        <RoleRow
          key={role}
          role={role}
          origin={value[role]}
          zero={zero}
          devices={devices}
          fault={faultOf(`${path}.${role}`)}
          onChange={(origin) => {
            const { [role]: _, ...rest } = value;
            onChange(origin ? { ...rest, [role]: origin } : rest);
          }}
        />
      ))}
    </div>
  );
}

interface RoleRowProps extends Pick<SharedProps, 'devices'> {
  role: string;
  origin: RoleOrigin | undefined;
  zero: Direction | undefined;
  fault: string | undefined;
  onChange: (origin: RoleOrigin | undefined) => void;
}

const LEVELS = ['source', 'device', 'entity'] as const;

/** One role: a field, what people wrote of a thing, a value, or what is found by itself. */
function RoleRow({ role, origin, devices, zero, fault, onChange }: RoleRowProps) {
  const { t } = useTranslation();
  const known = useKnownFields();
  const name = t(`energyConfig.roleNames.${role}`);
  const kinds = isSignalRole(role)
    ? (['auto', 'field'] as const)
    : (['auto', 'field', 'metadata', 'value'] as const);
  const first = known.find((one) => one.role === role) ?? known[0];
  const start = (kind: string | null): RoleOrigin | undefined => {
    if (kind === 'field') return { from: 'field', table: first?.table ?? '', field: first?.field ?? '' };
    if (kind === 'metadata') return { from: 'metadata', level: 'source', key: role };
    return kind === 'value' ? { from: 'value', value: 0 } : undefined;
  };
  return (
    <div className={classes.role}>
      <span className={classes.roleName}>
        {name}
        <small>{t(`energyConfig.roleHelp.${role}`)}</small>
      </span>
      <Select
        aria-label={t('energyConfig.origin', { role: name })}
        allowDeselect={false}
        data={kinds.map((kind) => ({ value: kind, label: t(`energyConfig.origins.${kind}`) }))}
        value={origin?.from ?? 'auto'}
        onChange={(kind) => onChange(start(kind))}
      />
      {origin?.from === 'field' ? (
        <div className={classes.origin}>
          <Select
            aria-label={t('energyConfig.fieldOf', { role: name })}
            searchable
            allowDeselect={false}
            data={fieldChoices(known, origin)}
            limit={200}
            value={keyOf(origin)}
            error={fault}
            onChange={(key) => key !== null && onChange({ ...origin, ...fieldIn(key) })}
          />
          {isSensorRole(role) ? (
            <Select
              aria-label={t('energyConfig.measuredBy', { role: name })}
              placeholder={t('energyConfig.ownDevice')}
              searchable
              clearable
              data={devices}
              limit={100}
              value={origin.device ?? null}
              onChange={(device) => {
                const { device: _, ...rest } = origin;
                onChange(device === null ? rest : { ...rest, device });
              }}
            />
          ) : null}
        </div>
      ) : null}
      {origin?.from === 'metadata' ? (
        <div className={classes.pair}>
          <Select
            aria-label={t('energyConfig.levelOf', { role: name })}
            allowDeselect={false}
            data={LEVELS.map((level) => ({ value: level, label: t(`energyConfig.levels.${level}`) }))}
            value={origin.level}
            onChange={(level) =>
              onChange({ ...origin, level: (level ?? 'source') as (typeof LEVELS)[number] })
            }
          />
          <Autocomplete
            aria-label={t('energyConfig.keyOf', { role: name })}
            data={[role]}
            value={origin.key}
            error={fault}
            onChange={(key) => onChange({ ...origin, key })}
          />
        </div>
      ) : null}
      {origin?.from === 'value' ? (
        <TextInput
          aria-label={t('energyConfig.valueOf', { role: name })}
          value={String(origin.value)}
          error={fault}
          description={role === 'azimuth' ? <Compass text={String(origin.value)} zero={zero} /> : undefined}
          onChange={(event) => onChange({ from: 'value', value: numberOr(event.currentTarget.value) })}
        />
      ) : null}
    </div>
  );
}

/** A number where the text is one; lists of orientations stay as they are written. */
const numberOr = (text: string): number | string =>
  text.trim() !== '' && String(Number(text)) === text.trim() ? Number(text) : text;

/** Where an azimuth points, in words. */
function Compass({ text, zero = 'north' }: { text: string; zero: Direction | undefined }) {
  const { t } = useTranslation();
  const parsed = parseAzimuth(text);
  if (!parsed) return t('energyConfig.azimuthList');
  const degrees = rotateAzimuth(parsed.azimuth, zero);
  return t('energyConfig.points', { point: t(`energyConfig.compass.${pointOf(degrees)}`), degrees });
}
