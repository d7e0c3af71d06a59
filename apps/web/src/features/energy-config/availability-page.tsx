import type { EnergyConfigs } from '@albedo/contract/energy/energy-config.schema';
import { ActionIcon, Button, Radio, Select, Stack, Switch, Table, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useWorkgroup } from '../../app/session.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Section } from '../../ui/section.tsx';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { formatInstant, instantOf } from '../../ui/time-range/zoned-time.ts';
import { WideTable } from '../../ui/wide-table.tsx';
import { deviceListQuery } from '../devices/devices.queries.ts';
import { ConfigPage } from './config-page.tsx';
import classes from './energy-config.module.css';
import { NumberField, PercentField } from './number-field.tsx';
import type { FieldsProps } from './use-config.ts';

export const AvailabilityPage = () => <ConfigPage name="availability-config" Fields={Fields} />;

type Config = EnergyConfigs['availability-config'];
type Exclusion = Config['exclusions'][number];

const VARIANTS = ['inverter', 'plant', 'device', 'energy'] as const;
const CATEGORIES = [
  'plannedOutage',
  'gridOutage',
  'curtailment',
  'forceMajeure',
  'suspended',
  'ownerStop',
  'noInformation',
] as const;

function Fields({ value, set, faultOf }: FieldsProps<'availability-config'>) {
  const { t } = useTranslation();
  return (
    <>
      <Section title={t('energyConfig.variant')} context={t('energyConfig.variantText')}>
        <Radio.Group
          aria-label={t('energyConfig.variant')}
          value={value.variant}
          onChange={(variant) => set({ variant: variant as Config['variant'] })}
        >
          <Stack gap="xs">
            {VARIANTS.map((one) => (
              <Radio
                key={one}
                value={one}
                label={t(`energyConfig.variants.${one}`)}
                description={t(`energyConfig.variantTexts.${one}`)}
              />
            ))}
          </Stack>
        </Radio.Group>
      </Section>
      <Section title={t('energyConfig.thresholds')}>
        <div className={classes.pair}>
          <NumberField
            label={t('energyConfig.irradianceThreshold')}
            value={value.irradianceThresholdWm2}
            min={0}
            max={500}
            step={10}
            unit="W/m²"
            error={faultOf('irradianceThresholdWm2')}
            onChange={(irradianceThresholdWm2) => set({ irradianceThresholdWm2 })}
          />
          <PercentField
            label={t('energyConfig.powerThreshold')}
            help={t('energyConfig.powerThresholdText')}
            value={value.powerThreshold}
            error={faultOf('powerThreshold')}
            onChange={(powerThreshold) => set({ powerThreshold })}
          />
          <Switch
            label={t('energyConfig.weighted')}
            checked={value.isWeightedByIrradiance}
            onChange={(event) => set({ isWeightedByIrradiance: event.currentTarget.checked })}
          />
        </div>
      </Section>
      <Exclusions value={value.exclusions} onChange={(exclusions) => set({ exclusions })} />
    </>
  );
}

interface ExclusionsProps {
  value: readonly Exclusion[];
  onChange: (value: Exclusion[]) => void;
}

/** Times that are left out of the contractual figure; the technical one keeps them. */
function Exclusions({ value, onChange }: ExclusionsProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data: devices = [] } = useQuery(deviceListQuery(wg));
  const [isAdding, setAdding] = useState(false);
  const zone = userZone();
  const nameOf = (id: string | null) =>
    id === null ? t('energyConfig.wholeWorkgroup') : (devices.find((one) => one.id === id)?.name ?? id);
  return (
    <Section
      title={t('energyConfig.exclusions')}
      context={t('energyConfig.exclusionsText')}
      actions={
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} />}
          onClick={() => setAdding(true)}
        >
          {t('energyConfig.addExclusion')}
        </Button>
      }
    >
      {value.length === 0 ? (
        <p className={classes.note}>{t('energyConfig.noExclusions')}</p>
      ) : (
        <WideTable label={t('energyConfig.exclusions')} leastPx={640}>
          <Table.Tbody>
            {value
              .toSorted((a, b) => b.from - a.from)
              .map((one) => (
                <Table.Tr key={one.id}>
                  <Table.Td>
                    {formatInstant(one.from, zone, false)} – {formatInstant(one.to, zone, false)}
                  </Table.Td>
                  <Table.Td>{nameOf(one.deviceId)}</Table.Td>
                  <Table.Td>{t(`energyConfig.categories.${one.category}`)}</Table.Td>
                  <Table.Td>{one.reason}</Table.Td>
                  <Table.Td>
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      aria-label={t('energyConfig.removeExclusion', { reason: one.reason })}
                      onClick={() => onChange(value.filter(({ id }) => id !== one.id))}
                    >
                      <IconTrash size={16} />
                    </ActionIcon>
                  </Table.Td>
                </Table.Tr>
              ))}
          </Table.Tbody>
        </WideTable>
      )}
      {isAdding ? (
        <ExclusionDialog
          devices={devices.map(({ id, name }) => ({ value: id, label: name }))}
          onAdd={(one) => {
            onChange([...value, one]);
            setAdding(false);
          }}
          onClose={() => setAdding(false)}
        />
      ) : null}
    </Section>
  );
}

interface ExclusionDialogProps {
  devices: { value: string; label: string }[];
  onAdd: (exclusion: Exclusion) => void;
  onClose: () => void;
}

function ExclusionDialog({ devices, onAdd, onClose }: ExclusionDialogProps) {
  const { t } = useTranslation();
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [deviceId, setDevice] = useState<string | null>(null);
  const [category, setCategory] = useState<Exclusion['category']>('gridOutage');
  const [reason, setReason] = useState('');
  const [begin, end] = [atOf(from), atOf(to)];
  const isWrong = begin !== null && end !== null && begin >= end;
  return (
    <FormDialog
      title={t('energyConfig.addExclusion')}
      submit={t('energyConfig.add')}
      isWorking={false}
      isDisabled={begin === null || end === null || isWrong || reason.trim() === ''}
      failure={isWrong ? t('energyConfig.badOrder') : null}
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        if (begin === null || end === null) return;
        const place = { deviceId, source: null };
        onAdd({ id: crypto.randomUUID(), from: begin, to: end, ...place, category, reason: reason.trim() });
      }}
      onClose={onClose}
    >
      <TextInput
        type="datetime-local"
        label={t('energyConfig.from')}
        value={from}
        onChange={(event) => setFrom(event.currentTarget.value)}
      />
      <TextInput
        type="datetime-local"
        label={t('energyConfig.to')}
        value={to}
        onChange={(event) => setTo(event.currentTarget.value)}
      />
      <Select
        label={t('energyConfig.device')}
        placeholder={t('energyConfig.wholeWorkgroup')}
        searchable
        clearable
        data={devices}
        limit={100}
        value={deviceId}
        onChange={setDevice}
      />
      <Select
        label={t('energyConfig.category')}
        allowDeselect={false}
        data={CATEGORIES.map((one) => ({ value: one, label: t(`energyConfig.categories.${one}`) }))}
        value={category}
        onChange={(next) => setCategory((next ?? 'gridOutage') as Exclusion['category'])}
      />
      <TextInput
        label={t('energy.reason')}
        maxLength={200}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </FormDialog>
  );
}

/** The instant of a field's text, by the clock of the person; null while it is not complete. */
function atOf(text: string): number | null {
  const [, year, month, day, hour, minute] =
    /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})/.exec(text)?.map(Number) ?? [];
  if (!year || !month || !day) return null;
  return instantOf({ year, month, day, hour: hour ?? 0, minute: minute ?? 0 }, userZone());
}
