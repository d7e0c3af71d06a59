import {
  type AskedLayout,
  DELIMITERS,
  type Delimiter,
  ENCODINGS,
  type Encoding,
  type HistoryLayout,
  type HistoryPreview,
} from '@albedo/contract/history-imports/history-imports.schema';
import { Button, NumberInput, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatWhole } from '../../ui/units/numbers.ts';
import classes from './history-imports.module.css';

const SIGNS = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'bar' } as const;
const NAMES: Readonly<Record<Encoding, string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
  'windows-1252': 'Windows-1252',
};

interface LayoutSectionProps {
  beginning: HistoryPreview;
  isSheet: boolean;
  /** The lines stand open, since something has to be chosen there. */
  isOpen: boolean;
  onChange: (layout: AskedLayout) => void;
}

/** How the file seems to be written, in one line, and the ways to say it otherwise. */
export function LayoutSection({ beginning, isSheet, isOpen, onChange }: LayoutSectionProps) {
  const { t } = useTranslation();
  const [isChanging, setChanging] = useState(isOpen);
  const { layout, looked, isWhole } = beginning;
  const parts = layout ? layoutParts(layout) : [];
  const records = isWhole
    ? t('historyImports.layout.records', { count: looked, records: formatWhole(looked) })
    : t('historyImports.layout.recordsSoFar', { records: formatWhole(looked) });

  function layoutParts({ encoding, delimiter, sheet, headers, units }: HistoryLayout): string[] {
    return [
      ...(isSheet
        ? [sheet ?? '']
        : [NAMES[encoding], t(`historyImports.layout.delimiters.${SIGNS[delimiter]}`)]),
      headers.length > 0
        ? t('historyImports.layout.namesIn', { lines: headers.join(', ') })
        : t('historyImports.layout.noNames'),
      ...(units === null ? [] : [t('historyImports.layout.unitsIn', { line: units })]),
    ];
  }

  return (
    <section aria-label={t('historyImports.layout.title')} className={classes.layout}>
      <div className={classes.layoutLine}>
        <span>{[...parts, records].filter(Boolean).join(' · ')}</span>
        {layout ? (
          <Button
            size="compact-xs"
            variant="subtle"
            aria-expanded={isChanging}
            onClick={() => setChanging(!isChanging)}
          >
            {t('historyImports.layout.change')}
          </Button>
        ) : null}
      </div>
      {layout && isChanging ? (
        <LayoutFields beginning={beginning} layout={layout} isSheet={isSheet} onChange={onChange} />
      ) : null}
    </section>
  );
}

interface LayoutFieldsProps extends Omit<LayoutSectionProps, 'isOpen'> {
  layout: HistoryLayout;
}

function LayoutFields({ beginning, layout, isSheet, onChange }: LayoutFieldsProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState<string | null>(null);
  const change = (part: Partial<HistoryLayout>) => onChange({ ...layout, ...part });
  /** Read in another way the file has other lines, which are looked for again. */
  const readAs = (part: Partial<Pick<HistoryLayout, 'sheet' | 'encoding' | 'delimiter'>>) =>
    onChange({ ...layout, ...part, headers: [], units: null, firstRecord: null });
  const lines = (text: string): number[] => [
    ...new Set((text.match(/\d+/g) ?? []).map(Number).filter((line) => line > 0)),
  ];
  return (
    <>
      <div className={classes.layoutFields}>
        {isSheet ? (
          <Select
            label={t('historyImports.layout.sheet')}
            allowDeselect={false}
            data={beginning.sheets}
            value={layout.sheet}
            onChange={(sheet) => readAs({ sheet })}
          />
        ) : (
          <>
            <Select
              label={t('historyImports.layout.encoding')}
              allowDeselect={false}
              data={ENCODINGS.map((value) => ({ value, label: NAMES[value] }))}
              value={layout.encoding}
              onChange={(encoding) => readAs({ encoding: encoding as Encoding })}
            />
            <Select
              label={t('historyImports.layout.delimiter')}
              allowDeselect={false}
              data={DELIMITERS.map((value) => ({
                value,
                label: t(`historyImports.layout.delimiters.${SIGNS[value]}`),
              }))}
              value={layout.delimiter}
              onChange={(delimiter) => readAs({ delimiter: delimiter as Delimiter })}
            />
          </>
        )}
        <TextInput
          label={t('historyImports.layout.names')}
          value={typed ?? layout.headers.join(', ')}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onBlur={() => {
            if (typed === null) return;
            setTyped(null);
            const headers = lines(typed);
            const firstRecord = Math.max(layout.firstRecord, ...headers.map((line) => line + 1));
            if (headers.join() !== layout.headers.join()) change({ headers, firstRecord });
          }}
        />
        <NumberInput
          label={t('historyImports.layout.units')}
          min={1}
          max={10_000}
          allowDecimal={false}
          value={layout.units ?? ''}
          onChange={(line) => change({ units: Number(line) || null })}
        />
        <NumberInput
          label={t('historyImports.layout.firstRecord')}
          min={1}
          max={10_000}
          allowDecimal={false}
          value={layout.firstRecord}
          onChange={(line) => {
            if (Number(line) >= 1) change({ firstRecord: Number(line) });
          }}
        />
      </div>
      {beginning.head.length > 0 ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls inside itself.
        <section className={classes.head} aria-label={t('historyImports.layout.head')} tabIndex={0}>
          <pre>
            {beginning.head.map(({ line, text }) => `${String(line).padStart(3)}  ${text}`).join('\n')}
          </pre>
        </section>
      ) : null}
    </>
  );
}
