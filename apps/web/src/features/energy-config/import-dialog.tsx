import { energyIssues } from '@albedo/contract/energy/energy.errors';
import { ENERGY_LIMITS, METER_GRANULARITIES } from '@albedo/contract/energy/energy.names';
import type { EnergyImportPlan, EnergyImportPreview } from '@albedo/contract/energy/energy.schema';
import { filled } from '@albedo/contract/http/issues';
import { SegmentedControl, Select, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { knownFailureText } from '../../app/i18n.ts';
import { notifyDone } from '../../app/notify.ts';
import { useAttempt, useSubmit } from '../../app/use-submit.ts';
import { FileDrop } from '../../ui/file-drop.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Revealed } from '../../ui/revealed.tsx';
import { browserZone } from '../../ui/time-range/time-zone.ts';
import { ZoneSelect } from '../../ui/time-range/zone-select.tsx';
import { formatWhole } from '../../ui/units/numbers.ts';
import { formatValue } from '../../ui/units/units.ts';
import classes from './energy-config.module.css';
import { importFile, previewImport } from './energy-config.queries.ts';

const LIMITS = { count: 1, fileBytes: ENERGY_LIMITS.importBytes, totalBytes: ENERGY_LIMITS.importBytes };
const NO_PLAN: EnergyImportPlan = {
  kind: 'meter',
  granularity: null,
  times: null,
  decimal: null,
  timezone: null,
};

/** Takes a file of readings or budgets: shows what it would store, asks what it does not say, and stores all of it or nothing. */
export function ImportDialog({ wg, onClose }: { wg: string; onClose: () => void }) {
  const { t } = useTranslation();
  const [file, setFile] = useState<File | null>(null);
  const [plan, setPlan] = useState(NO_PLAN);
  const [preview, setPreview] = useState<EnergyImportPreview | null>(null);
  const look = useAttempt();
  const read = (next: File | null, how: EnergyImportPlan) => {
    setFile(next);
    setPlan(how);
    if (!next) return setPreview(null);
    void look.attempt(async () => setPreview(await previewImport(wg, next, how)));
  };
  const store = useSubmit(async () => {
    if (!file || !preview) return;
    const stored = await importFile(wg, file, { ...plan, ...answered(preview.plan, plan) });
    notifyDone(
      t(`energyConfig.stored.${stored.plan.kind}`, {
        count: stored.readings,
        readings: formatWhole(stored.readings),
      }),
    );
    onClose();
  });
  const open = preview?.asks.filter((ask) => plan[ask] === null) ?? [];
  const isReady = preview !== null && open.length === 0 && preview.faultCount === 0 && preview.readings > 0;
  return (
    <FormDialog
      size="lg"
      title={t('energyConfig.importFile')}
      submit={t('energyConfig.storeAll')}
      isWorking={store.isWorking || look.isWorking}
      isDisabled={!isReady}
      failure={store.failure ?? look.failure}
      onSubmit={store.handleSubmit}
      onClose={onClose}
    >
      <SegmentedControl
        aria-label={t('energyConfig.fileKind')}
        value={plan.kind}
        data={(['meter', 'budget'] as const).map((kind) => ({
          value: kind,
          label: t(`energyConfig.fileKinds.${kind}`),
        }))}
        onChange={(kind) => read(file, { ...NO_PLAN, kind: kind as EnergyImportPlan['kind'] })}
      />
      <Text size="sm" c="dimmed">
        {t(`energyConfig.layouts.${plan.kind}`)}
      </Text>
      <FileDrop
        label={t('energyConfig.chooseFile')}
        files={file ? [file] : []}
        limits={LIMITS}
        onChange={(files) => read(files.at(-1) ?? null, { ...NO_PLAN, kind: plan.kind })}
      />
      {preview ? (
        <Revealed of={preview}>
          <div className={classes.fields}>
            <Asks preview={preview} plan={plan} onChange={(part) => read(file, { ...plan, ...part })} />
            <Found preview={preview} kind={plan.kind} />
          </div>
        </Revealed>
      ) : null}
    </FormDialog>
  );
}

/** What the file says by itself where nobody said it. */
const answered = (found: EnergyImportPlan, said: EnergyImportPlan): EnergyImportPlan => ({
  kind: said.kind,
  granularity: said.granularity ?? found.granularity,
  times: said.times ?? found.times,
  decimal: said.decimal ?? found.decimal,
  timezone: said.timezone ?? found.timezone,
});

interface AsksProps {
  preview: EnergyImportPreview;
  plan: EnergyImportPlan;
  onChange: (part: Partial<EnergyImportPlan>) => void;
}

/** What can be read in two ways, and what was said of it. */
function Asks({ preview, plan, onChange }: AsksProps) {
  const { t } = useTranslation();
  const asked = (['granularity', 'times', 'decimal', 'timezone'] as const).filter(
    (ask) => preview.asks.includes(ask) || plan[ask] !== null,
  );
  if (asked.length === 0) return null;
  const shared = { placeholder: t('energyConfig.say') };
  return (
    <div className={classes.pair}>
      {asked.includes('granularity') ? (
        <Select
          {...shared}
          label={t('energyConfig.asks.granularity')}
          data={METER_GRANULARITIES.map((one) => ({ value: one, label: t(`energyConfig.intervals.${one}`) }))}
          value={plan.granularity}
          onChange={(next) => onChange({ granularity: next as EnergyImportPlan['granularity'] })}
        />
      ) : null}
      {asked.includes('times') ? (
        <Select
          {...shared}
          label={t('energyConfig.asks.times')}
          data={(['start', 'end'] as const).map((one) => ({
            value: one,
            label: t(`energyConfig.times.${one}`),
          }))}
          value={plan.times}
          onChange={(next) => onChange({ times: next as EnergyImportPlan['times'] })}
        />
      ) : null}
      {asked.includes('decimal') ? (
        <Select
          {...shared}
          label={t('energyConfig.asks.decimal')}
          data={[
            { value: '.', label: t('energyConfig.decimals.point') },
            { value: ',', label: t('energyConfig.decimals.comma') },
          ]}
          value={plan.decimal}
          onChange={(next) => onChange({ decimal: next as EnergyImportPlan['decimal'] })}
        />
      ) : null}
      {asked.includes('timezone') ? (
        <ZoneSelect
          value={plan.timezone ?? ''}
          select={{ label: t('energyConfig.asks.timezone') }}
          onChange={(zone) =>
            onChange({ timezone: zone === 'utc' ? 'UTC' : zone === 'local' ? browserZone() : zone })
          }
        />
      ) : null}
    </div>
  );
}

function Found({ preview, kind }: { preview: EnergyImportPreview; kind: EnergyImportPlan['kind'] }) {
  const { t } = useTranslation();
  const { readings, replaces, first, last, sample, faults, faultCount } = preview;
  return (
    <>
      <Text size="sm">
        {t(`energyConfig.wouldStore.${kind}`, { count: readings, readings: formatWhole(readings) })}
        {first !== null && last !== null ? ` ${t('energyConfig.span', { first, last })}` : ''}
        {replaces > 0
          ? ` ${t('energyConfig.replaces', { count: replaces, readings: formatWhole(replaces) })}`
          : ''}
      </Text>
      {faultCount > 0 ? (
        <section aria-label={t('energyConfig.faultsTitle')}>
          <h3 className={classes.subtitle}>
            {t('energyConfig.faultCount', { count: faultCount, lines: formatWhole(faultCount) })}
          </h3>
          <ul className={classes.faults}>
            {faults.map(({ line, fault, data }) => (
              <li key={`${line} ${fault} ${JSON.stringify(data)}`}>
                {t('energyConfig.line', { line: formatWhole(line) })} {faultText(fault, data)}
              </li>
            ))}
          </ul>
        </section>
      ) : sample.length > 0 ? (
        <Table verticalSpacing={4} aria-label={t('energyConfig.sample')}>
          <Table.Tbody>
            {sample.map(({ key, energyKWh }) => (
              <Table.Tr key={key}>
                <Table.Td>{key.replace('|', ' · ')}</Table.Td>
                <Table.Td className={classes.number}>{formatValue(energyKWh, 'kWh')}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      ) : null}
    </>
  );
}

/** A fault in the words of the catalogue, in the language of the person. */
function faultText(fault: string, data: Readonly<Record<string, string>>): string {
  const sentence = (energyIssues as Readonly<Record<string, string>>)[fault] ?? fault;
  return knownFailureText(fault, filled(sentence, data), data);
}
