import type { LatestSource } from '@albedo/contract/devices/devices.schema';
import { Button, Checkbox, Text, TextInput } from '@mantine/core';
import { IconChevronRight, IconSearch } from '@tabler/icons-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ChartLine, lineToText } from './chart-lines.ts';
import { inMeaningfulOrder } from './field-order.ts';
import classes from './field-picker.module.css';
import { groupSources, searchSources, unitsOf } from './source-groups.ts';
import type { Tables } from './telemetry.queries.ts';

interface FieldPickerProps {
  sources: readonly LatestSource[];
  tables: Tables['byName'];
  lines: readonly ChartLine[];
  onChange: (lines: ChartLine[]) => void;
  /** Lines that can be drawn at once. */
  most: number;
}

/** The numeric fields of all sources, to tick; one press ticks the same field of every source of its table. */
export function FieldPicker({ sources, tables, lines, onChange, most }: FieldPickerProps) {
  const { t } = useTranslation();
  const [search, setSearch] = useState('');
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set());
  const wanted = useDeferredValue(search);
  const groups = useMemo(
    () => groupSources(searchSources(sources.flatMap(onlyNumbers), wanted), tables),
    [sources, wanted, tables],
  );
  const chosen = useMemo(() => new Set(lines.map(lineToText)), [lines]);
  const isSmall = sources.length <= 3;

  const turn = (key: string) => {
    const next = new Set(turned);
    if (!next.delete(key)) next.add(key);
    setTurned(next);
  };
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
    <div className={classes.picker}>
      <TextInput
        size="sm"
        placeholder={t('telemetry.picker.search')}
        aria-label={t('telemetry.picker.search')}
        leftSection={<IconSearch size={14} />}
        value={search}
        onChange={(event) => {
          setSearch(event.currentTarget.value);
          setTurned(new Set());
        }}
      />
      <div className={classes.chosen}>
        <Text size="xs" c="dimmed">
          {t(isFull ? 'telemetry.picker.full' : 'telemetry.picker.chosen', { count: lines.length })}
        </Text>
        {lines.length > 0 ? (
          <Button size="compact-xs" variant="subtle" onClick={() => onChange([])}>
            {t('telemetry.picker.clear')}
          </Button>
        ) : null}
      </div>
      <div className={classes.groups}>
        {groups.map((group) => (
          <section key={group.table} aria-label={group.table}>
            <h2 className={classes.table}>{group.table}</h2>
            {group.sources.map((source) => {
              const key = `${source.table}\n${source.source}`;
              const ticked = Object.keys(source.values).filter((field) =>
                chosen.has(lineToText({ ...source, field })),
              ).length;
              const isOpen = (wanted !== '' || isSmall) !== turned.has(key);
              return (
                <div key={key}>
                  <button
                    type="button"
                    className={classes.source}
                    aria-expanded={isOpen}
                    onClick={() => turn(key)}
                  >
                    <IconChevronRight size={14} data-open={isOpen} className={classes.arrow} aria-hidden />
                    <span className={classes.name}>{source.source}</span>
                    {ticked > 0 ? <span className={classes.count}>{ticked}</span> : null}
                  </button>
                  {isOpen
                    ? inMeaningfulOrder(source.values, (field) => unitsOf(tables, source.table, field)).map(
                        (field) => (
                          <div key={field} className={classes.field}>
                            <Checkbox
                              size="xs"
                              label={
                                <>
                                  {field}{' '}
                                  <span className={classes.units}>
                                    {unitsOf(tables, source.table, field)}
                                  </span>
                                </>
                              }
                              checked={chosen.has(lineToText({ ...source, field }))}
                              disabled={isFull && !chosen.has(lineToText({ ...source, field }))}
                              onChange={() => toggle({ table: source.table, source: source.source, field })}
                            />
                            {group.sources.length > 1 ? (
                              <button
                                type="button"
                                className={classes.all}
                                onClick={() => chooseOfAll(source.table, field)}
                                title={t('telemetry.picker.allOf', { field, table: source.table })}
                              >
                                {t('telemetry.picker.all')}
                              </button>
                            ) : null}
                          </div>
                        ),
                      )
                    : null}
                </div>
              );
            })}
          </section>
        ))}
        {groups.length === 0 ? (
          <Text size="sm" c="dimmed" p="xs">
            {t('telemetry.picker.none', { wanted })}
          </Text>
        ) : null}
      </div>
    </div>
  );
}

/** A text cannot be drawn as a line. */
function onlyNumbers(source: LatestSource): LatestSource[] {
  const values = Object.entries(source.values).filter(([, value]) => typeof value !== 'string');
  return values.length > 0 ? [{ ...source, values: Object.fromEntries(values) }] : [];
}
