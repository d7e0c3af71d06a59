import { CSV_DELIMITERS } from '@albedo/contract/csv/csv.names';
import { csvText } from '@albedo/contract/csv/csv-writer';
import { Button, Checkbox, Group, Modal, SegmentedControl, Select, Stack } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CsvAsk, CsvTable } from '../../ui/csv/csv-ask.ts';
import {
  type CsvChoice,
  type CsvPreset,
  changed,
  keepChoice,
  keptChoice,
  presetOf,
  styleOf,
  type ZoneChoice,
} from '../../ui/csv/csv-choice.ts';
import { saveFile } from '../../ui/data-table/csv.ts';
import { Failure } from '../../ui/failure.tsx';
import { messageOf } from '../../ui/message-of.ts';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { fileName } from '../../ui/time-series-chart/chart-export.ts';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';
import classes from './csv-dialog.module.css';

const SIGNS = { ',': 'comma', ';': 'semicolon', '\t': 'tab' } as const;
const SHOWN = 3;

/** How a file of CSV is written: for Excel in the user's language, for programs, or as somebody likes it; and its first lines. */
export function CsvDialog({ ask, onClose }: { ask: CsvAsk; onClose: () => void }) {
  const { t } = useTranslation();
  const isNarrow = useIsNarrow();
  const [choice, setChoice] = useState(keptChoice);
  const [isWorking, setWorking] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [table, setTable] = useState<CsvTable | null>(null);
  const isShown = 'table' in ask;
  const site = isShown ? (ask.zone ?? userZone()) : null;
  useEffect(() => {
    if (!('table' in ask)) return;
    let isGone = false;
    Promise.resolve(ask.table()).then(
      (made) => !isGone && setTable(made),
      (error: unknown) => !isGone && setFailure(messageOf(error)),
    );
    return () => {
      isGone = true;
    };
  }, [ask]);
  const change = (part: Partial<CsvChoice>) => setChoice(changed(choice, part));

  async function handleSubmit(event: FormEvent) {
    event.preventDefault();
    const style = styleOf(choice, site);
    keepChoice(choice);
    setWorking(true);
    setFailure(null);
    try {
      if (!isShown) await ask.send(style);
      else if (table)
        saveFile(fileName(ask.title, 'csv'), csvText(table.columns, table.rows, style, site ?? 'UTC'));
      onClose();
    } catch (error) {
      setFailure(messageOf(error));
    }
    setWorking(false);
  }

  return (
    <Modal
      opened
      size="lg"
      title={t('csvFile.title', { name: ask.title })}
      onClose={onClose}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <form onSubmit={(event) => void handleSubmit(event)}>
        <Stack gap="md">
          <SegmentedControl
            aria-label={t('csvFile.preset')}
            fullWidth
            orientation={isNarrow ? 'vertical' : 'horizontal'}
            value={choice.preset}
            data={(['excel', 'iso', 'own'] as const).map((value) => ({
              value,
              label: t(`csvFile.presets.${value}`),
            }))}
            onChange={(value) => {
              const preset = value as CsvPreset;
              setChoice(
                preset === 'own'
                  ? { ...choice, preset }
                  : { ...presetOf(preset), zone: choice.zone, names: choice.names },
              );
            }}
          />
          <StyleFields choice={choice} site={site} isShown={isShown} onChange={change} />
          {table ? <FirstLines table={table} choice={choice} site={site} /> : null}
          <Failure text={failure} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t('actions.cancel')}
            </Button>
            <Button type="submit" loading={isWorking} disabled={isShown && table === null}>
              {ask.submit ?? t('csvFile.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

interface StyleFieldsProps {
  choice: CsvChoice;
  site: string | null;
  isShown: boolean;
  onChange: (part: Partial<CsvChoice>) => void;
}

function StyleFields({ choice, site, isShown, onChange }: StyleFieldsProps) {
  const { t } = useTranslation();
  const zones: { value: ZoneChoice; label: string }[] = [
    {
      value: 'site',
      label: site === null ? t('csvFile.zones.sites') : t('csvFile.zones.site', { zone: site }),
    },
    { value: 'own', label: t('csvFile.zones.own', { zone: userZone() }) },
    { value: 'utc', label: 'UTC' },
  ];
  return (
    <>
      <div className={classes.fields}>
        <Select
          label={t('csvFile.delimiter')}
          allowDeselect={false}
          data={CSV_DELIMITERS.map((value) => ({ value, label: t(`csvFile.delimiters.${SIGNS[value]}`) }))}
          value={choice.delimiter}
          onChange={(delimiter) => onChange({ delimiter: delimiter as CsvChoice['delimiter'] })}
        />
        <Select
          label={t('csvFile.decimal')}
          allowDeselect={false}
          data={[
            { value: '.', label: '1.5' },
            { value: ',', label: '1,5' },
          ]}
          value={choice.decimal}
          onChange={(decimal) => onChange({ decimal: decimal as CsvChoice['decimal'] })}
        />
        <Select
          label={t('csvFile.times')}
          allowDeselect={false}
          data={[
            { value: 'clock', label: '2026-07-01 12:00:00' },
            { value: 'iso', label: '2026-07-01T12:00:00+02:00' },
          ]}
          value={choice.times}
          onChange={(times) => onChange({ times: times as CsvChoice['times'] })}
        />
        <Select
          label={t('csvFile.zone')}
          allowDeselect={false}
          data={zones}
          value={choice.zone}
          onChange={(zone) => onChange({ preset: choice.preset, zone: zone as ZoneChoice })}
        />
      </div>
      <Checkbox
        label={t('csvFile.bom')}
        checked={choice.bom}
        onChange={(event) => onChange({ bom: event.currentTarget.checked })}
      />
      {isShown ? null : (
        <Checkbox
          label={t('csvFile.names')}
          checked={choice.names}
          onChange={(event) => onChange({ preset: choice.preset, names: event.currentTarget.checked })}
        />
      )}
    </>
  );
}

function FirstLines({ table, choice, site }: { table: CsvTable; choice: CsvChoice; site: string | null }) {
  const { t } = useTranslation();
  const first = [];
  for (const row of table.rows) {
    if (first.length >= SHOWN) break;
    first.push(row);
  }
  const text = csvText(table.columns, first, { ...styleOf(choice, site), bom: false }, site ?? 'UTC');
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls inside itself.
    <section className={classes.lines} aria-label={t('csvFile.firstLines')} tabIndex={0}>
      <pre>{text}</pre>
    </section>
  );
}
