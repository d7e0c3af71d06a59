import type { LatestSource } from '@albedo/contract/devices/devices.schema';
import type { TableInfo } from '@albedo/contract/telemetry/telemetry.schema';
import { Text } from '@mantine/core';
import { useDeferredValue, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type ChartLine, lineToText } from './chart-lines.ts';
import { PickerFrame } from './picker-frame.tsx';
import { groupSources, onlyNumbers, searchSources } from './source-groups.ts';
import { SourceList } from './source-list.tsx';
import { useTreeSearch } from './use-opened.ts';

interface FieldPickerProps {
  sources: readonly LatestSource[];
  tables: ReadonlyMap<string, TableInfo>;
  lines: readonly ChartLine[];
  onChange: (lines: ChartLine[]) => void;
  /** Lines that can be drawn at once. */
  most: number;
}

/** The numeric fields of all sources, to tick; one press ticks the same field of every source of its table. */
export function FieldPicker({ sources, tables, lines, onChange, most }: FieldPickerProps) {
  const { t } = useTranslation();
  const { search, opened, onSearch } = useTreeSearch();
  const wanted = useDeferredValue(search);
  const groups = useMemo(
    () => groupSources(searchSources(sources.flatMap(onlyNumbers), wanted), tables),
    [sources, wanted, tables],
  );
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
    >
      <SourceList
        groups={groups}
        tables={tables}
        chosen={chosen}
        isFull={isFull}
        areOpen={wanted !== '' || isSmall}
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
