import type { LatestSource } from '@albedo/contract/devices/devices.schema';
import { Button, Checkbox, Text, TextInput } from '@mantine/core';
import { IconChevronRight, IconSearch } from '@tabler/icons-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { type ChartLine, lineToText } from './chart-lines.ts';
import classes from './field-picker.module.css';
import { groupSources, searchSources } from './source-groups.ts';

interface FieldPickerProps {
  sources: readonly LatestSource[];
  unitsOf: (table: string, field: string) => string | null;
  lines: readonly ChartLine[];
  onChange: (lines: ChartLine[]) => void;
  /** Lines that can be drawn at once. */
  most: number;
}

/** The numeric fields of all sources, to tick; one press ticks the same field of every source of its table. */
export function FieldPicker({ sources, unitsOf, lines, onChange, most }: FieldPickerProps) {
  const [search, setSearch] = useState('');
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set());
  const wanted = useDeferredValue(search);
  const groups = useMemo(
    () => groupSources(searchSources(sources.flatMap(onlyNumbers), wanted)),
    [sources, wanted],
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
        placeholder="Search fields"
        aria-label="Search fields"
        leftSection={<IconSearch size={14} />}
        value={search}
        onChange={(event) => {
          setSearch(event.currentTarget.value);
          setTurned(new Set());
        }}
      />
      <div className={classes.chosen}>
        <Text size="xs" c="dimmed">
          {isFull
            ? `${lines.length} lines, no more fit`
            : `${lines.length} ${lines.length === 1 ? 'line' : 'lines'} chosen`}
        </Text>
        {lines.length > 0 ? (
          <Button size="compact-xs" variant="subtle" onClick={() => onChange([])}>
            Clear
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
                    ? Object.keys(source.values).map((field) => (
                        <div key={field} className={classes.field}>
                          <Checkbox
                            size="xs"
                            label={
                              <>
                                {field} <span className={classes.units}>{unitsOf(source.table, field)}</span>
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
                              title={`Draw ${field} of all sources of ${source.table}`}
                            >
                              all
                            </button>
                          ) : null}
                        </div>
                      ))
                    : null}
                </div>
              );
            })}
          </section>
        ))}
        {groups.length === 0 ? (
          <Text size="sm" c="dimmed" p="xs">
            No numeric field is called {wanted}.
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
