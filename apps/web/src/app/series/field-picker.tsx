import type { LatestSource } from '@albedo/contract/devices/devices.schema';
import type { TableInfo } from '@albedo/contract/telemetry/telemetry.schema';
import { Text } from '@mantine/core';
import { useDeferredValue, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hasLabel, namesOn, useSourceLabels } from '../source-labels.ts';
import { type ChartLine, lineToText } from './chart-lines.ts';
import { LabelFilter } from './label-filter.tsx';
import { PickerFrame } from './picker-frame.tsx';
import { groupSources, onlyNumbers, searchSources } from './source-groups.ts';
import { SourceList } from './source-list.tsx';
import { useTreeSearch } from './use-opened.ts';

interface FieldPickerProps {
  /** Id of the device that has the sources. */
  device: string;
  sources: readonly LatestSource[];
  tables: ReadonlyMap<string, TableInfo>;
  lines: readonly ChartLine[];
  onChange: (lines: ChartLine[]) => void;
  /** Lines that can be drawn at once. */
  most: number;
}

/** The numeric fields of all sources, to tick; one press ticks the same field of every source of its table. */
export function FieldPicker({ device, sources, tables, lines, onChange, most }: FieldPickerProps) {
  const { t } = useTranslation();
  const { search, opened, onSearch } = useTreeSearch();
  const wanted = useDeferredValue(search);
  const labelling = useSourceLabels();
  const [label, setLabel] = useState<string | null>(null);
  const offered = labelling.offered.filter(({ id }) => labelling.isOn(device, id));
  const groups = useMemo(() => {
    const namesOf = namesOn(labelling, device);
    const left = sources.filter(({ source }) => label === null || hasLabel(labelling, device, source, label));
    return groupSources(searchSources(left.flatMap(onlyNumbers), wanted, namesOf), tables);
  }, [sources, wanted, tables, labelling, device, label]);
  const chosen = useMemo(() => new Set(lines.map(lineToText)), [lines]);
  const isSmall = sources.length <= 3;

  const toggle = (line: ChartLine) => {
    const text = lineToText(line);
    onChange(chosen.has(text) ? lines.filter((one) => lineToText(one) !== text) : [...lines, line]);
  };
  const chooseOfAll = (table: string, field: string) => {
    const all = sources.filter((one) => one.table === table && field in one.values);
    const more = all
      .map((one) => ({ table, source: one.source, field }))
      .filter((line) => !chosen.has(lineToText(line)));
    onChange([...lines, ...more].slice(0, most));
  };
  const isFull = lines.length >= most;

  return (
    <PickerFrame
      label={t('telemetry.picker.search')}
      search={search}
      onSearch={onSearch}
      count={lines.length}
      isFull={isFull}
      onClear={() => onChange([])}
      filter={<LabelFilter labels={offered} value={label} onChange={setLabel} />}
    >
      <SourceList
        groups={groups}
        tables={tables}
        chosen={chosen}
        isFull={isFull}
        areOpen={wanted !== '' || isSmall}
        labelsOf={namesOn(labelling, device)}
        opened={opened}
        onToggle={toggle}
        onChooseAll={chooseOfAll}
      />
      {groups.length === 0 ? (
        <Text size="sm" c="dimmed" p="xs">
          {t('telemetry.picker.none', { wanted })}
        </Text>
      ) : null}
    </PickerFrame>
  );
}
