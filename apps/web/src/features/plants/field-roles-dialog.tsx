import type { Device } from '@albedo/contract/devices/devices.schema';
import { FIELD_ROLE_NAMES, unitOfRole } from '@albedo/contract/field-roles/field-roles';
import type { SourceRoles } from '@albedo/contract/field-roles/field-roles.schema';
import { Checkbox, Modal, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { setFieldRole } from '../../app/field-roles-query.ts';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { Failure } from '../../ui/failure.tsx';
import { messageOf } from '../../ui/message-of.ts';
import classes from './field-roles.module.css';

type Field = SourceRoles['fields'][number];
type Choice = NonNullable<Field['choice']>;

interface FieldRolesDialogProps {
  device: Device;
  sources: readonly SourceRoles[];
  onClose: () => void;
}

/** The fields of one source with what each means; every change holds at once. */
export function FieldRolesDialog({ device, sources, onClose }: FieldRolesDialogProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const [chosen, setChosen] = useState(keyOf(sources.find(({ kind }) => kind !== 'computer') ?? sources[0]));
  const [failure, setFailure] = useState<string | null>(null);
  const source = sources.find((one) => keyOf(one) === chosen) ?? sources[0];
  if (!source) return null;
  const save = async (field: string, choice: Choice | null) => {
    setFailure(null);
    try {
      await setFieldRole(wg, device.id, { table: source.table, source: source.source, field, choice });
      notifyDone(t('plants.roles.saved', { field }));
    } catch (error) {
      setFailure(messageOf(error));
    }
  };
  return (
    <Modal opened onClose={onClose} size={760} title={t('plants.roles.of', { name: device.name })}>
      <Select
        label={t('plants.roles.source')}
        data={sources.map((one) => ({ value: keyOf(one), label: `${one.table} ${one.source}` }))}
        value={chosen}
        onChange={(value) => value && setChosen(value)}
        allowDeselect={false}
        searchable
      />
      <Failure text={failure} />
      <ul className={classes.fields}>
        {source.fields.map((field) => (
          <FieldRow
            key={`${chosen} ${field.field}`}
            field={field}
            onSave={(choice) => void save(field.field, choice)}
          />
        ))}
      </ul>
    </Modal>
  );
}

const keyOf = (source: Pick<SourceRoles, 'table' | 'source'> | undefined): string =>
  source ? JSON.stringify([source.table, source.source]) : '';

const GUESSED = '';
const NONE = 'none';

function FieldRow({ field, onSave }: { field: Field; onSave: (choice: Choice | null) => void }) {
  const { t } = useTranslation();
  const { field: name, units, guessed, choice } = field;
  const [unit, setUnit] = useState(choice?.units ?? '');
  const guess = guessed === null ? t('plants.roles.none') : t(`plants.roles.names.${guessed}`);
  const handleRole = (value: string | null) => {
    if (value === null || value === GUESSED) onSave(null);
    else if (value === NONE) onSave({ role: null, isReversed: false, units: null });
    else
      onSave({
        role: value as Choice['role'],
        isReversed: choice?.isReversed ?? false,
        units: unit.trim() || null,
      });
  };
  return (
    <li data-is-chosen={choice !== null}>
      <div className={classes.name}>
        <b>{name}</b>
        <span>{units ?? ''}</span>
      </div>
      <Select
        size="xs"
        aria-label={t('plants.roles.meaningOf', { field: name })}
        data={[
          { value: GUESSED, label: t('plants.roles.asGuessed', { guess }) },
          { value: NONE, label: t('plants.roles.none') },
          ...FIELD_ROLE_NAMES.map((role) => {
            const base = unitOfRole(role);
            return {
              value: role,
              label: `${t(`plants.roles.names.${role}`)}${base === '' ? '' : ` (${base})`}`,
            };
          }),
        ]}
        value={choice === null ? GUESSED : (choice.role ?? NONE)}
        onChange={handleRole}
        allowDeselect={false}
        searchable
      />
      {choice?.role ? (
        <div className={classes.more}>
          <Checkbox
            size="xs"
            label={t('plants.roles.reversed')}
            checked={choice.isReversed}
            onChange={(event) => onSave({ ...choice, isReversed: event.currentTarget.checked })}
          />
          <TextInput
            size="xs"
            aria-label={t('plants.roles.unitOf', { field: name })}
            placeholder={units ?? t('plants.roles.unit')}
            value={unit}
            maxLength={40}
            onChange={(event) => setUnit(event.currentTarget.value)}
            onBlur={() => {
              if (unit.trim() !== (choice.units ?? '')) onSave({ ...choice, units: unit.trim() || null });
            }}
          />
        </div>
      ) : null}
    </li>
  );
}
