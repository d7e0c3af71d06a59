import type { TableInfo } from '@albedo/contract/telemetry/telemetry.schema';
import { Checkbox } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type ChartLine, lineToText } from './chart-lines.ts';
import { fieldName } from './field-name.ts';
import { inMeaningfulOrder } from './field-order.ts';
import { Opener } from './picker-frame.tsx';
import { type LabelNames, type SourceGroup, unitsOf } from './source-groups.ts';
import classes from './source-list.module.css';
import type { Opened } from './use-opened.ts';

interface SourceListProps {
  groups: readonly SourceGroup[];
  tables: ReadonlyMap<string, TableInfo>;
  /** Lines that are ticked, as texts. */
  chosen: ReadonlySet<string>;
  /** No further line can be ticked. */
  isFull: boolean;
  /** Sources show their fields by themselves. */
  areOpen: boolean;
  opened: Opened;
  /** Names of the labels of a source, shown beside its own name. */
  labelsOf: LabelNames;
  onToggle: (line: ChartLine) => void;
  onChooseAll: (table: string, field: string) => void;
}

/** Sources by table, with their fields to tick. */
export function SourceList(props: SourceListProps) {
  const { groups, tables, chosen, isFull, areOpen, opened, labelsOf, onToggle, onChooseAll } = props;
  const { t } = useTranslation();
  return groups.map((group) => (
    <section key={group.table} aria-label={group.table}>
      <h2 className={classes.table}>{fieldName(group.table)}</h2>
      {group.sources.map((source) => {
        const key = `${source.table}\n${source.source}`;
        const ticked = Object.keys(source.values).filter((field) =>
          chosen.has(lineToText({ ...source, field })),
        ).length;
        const isOpen = opened.isOpen(key, areOpen);
        return (
          <div key={key}>
            <Opener
              isOpen={isOpen}
              onToggle={() => opened.set([key], !isOpen)}
              count={ticked}
              notes={labelsOf(source)}
            >
              {source.source}
            </Opener>
            {isOpen
              ? inMeaningfulOrder(source.values, (field) => unitsOf(tables, source.table, field)).map(
                  (field) => (
                    <div key={field} className={classes.field}>
                      <Checkbox
                        size="xs"
                        label={
                          <>
                            <span title={field}>{fieldName(field)}</span>{' '}
                            <span className={classes.units}>{unitsOf(tables, source.table, field)}</span>
                          </>
                        }
                        checked={chosen.has(lineToText({ ...source, field }))}
                        disabled={isFull && !chosen.has(lineToText({ ...source, field }))}
                        onChange={() => onToggle({ table: source.table, source: source.source, field })}
                      />
                      {group.sources.length > 1 ? (
                        <button
                          type="button"
                          className={classes.all}
                          onClick={() => onChooseAll(source.table, field)}
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
  ));
}
