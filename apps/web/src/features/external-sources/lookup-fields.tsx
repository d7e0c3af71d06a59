import type { newExternalSource } from '@albedo/contract/external-sources/external-sources.schema';
import { ActionIcon, Autocomplete, Select, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { AddButton, ColumnButtons } from '../../app/mapping/column-buttons.tsx';
import { useWorkgroup } from '../../app/session.ts';
import { Failure } from '../../ui/failure.tsx';
import { lookupTablesQuery } from '../lookup-tables/lookup-tables.queries.ts';
import classes from './external-sources.module.css';
import { HELP_BELOW } from './field-order.ts';

export type LookupInput = NonNullable<z.input<typeof newExternalSource>['lookup']>;

export const NO_LOOKUP: LookupInput = {
  table: '',
  valueColumn: '',
  field: null,
  fieldColumn: null,
  texts: [],
};
/** The languages of the app; most texts are in one of them. */
const LANGUAGES = ['en', 'de', 'es'];

interface LookupFieldsProps {
  value: LookupInput;
  /** What is wrong, by the path within it. */
  faults: Record<string, string>;
  /** Columns that a look at the data has shown. */
  columns: readonly string[];
  onChange: (part: Partial<LookupInput>) => void;
}

/** Which lookup table is filled, and which columns have the code, its field and its texts. */
export function LookupFields({ value, faults, columns, onChange }: LookupFieldsProps) {
  const { t } = useTranslation();
  const { data: tables = [] } = useQuery(lookupTablesQuery(useWorkgroup()));
  const { texts } = value;
  const setText = (at: number, part: Partial<LookupInput['texts'][number]>) =>
    onChange({ texts: texts.map((text, i) => (i === at ? { ...text, ...part } : text)) });
  const add = (column: string) => onChange({ texts: [...texts, { column, code: codeIn(column) }] });
  const taken = [value.valueColumn, value.fieldColumn, ...texts.map(({ column }) => column)];
  const unused = columns.filter((column) => !taken.includes(column));
  return (
    <>
      <div className={classes.pair}>
        <Select
          label={t('externalSources.lookupTable')}
          description={tables.length === 0 ? t('externalSources.noLookupTables') : undefined}
          inputWrapperOrder={HELP_BELOW}
          searchable
          data={tables.map(({ _id, name }) => ({ value: _id, label: name }))}
          value={value.table || null}
          error={faults.table ? t('externalSources.noTable') : undefined}
          onChange={(table) => onChange({ table: table ?? '' })}
        />
        <Autocomplete
          label={t('externalSources.valueColumn')}
          data={[...columns]}
          value={value.valueColumn}
          error={faults.valueColumn}
          onChange={(valueColumn) => onChange({ valueColumn })}
        />
        <TextInput
          label={t('externalSources.lookupField')}
          description={t('externalSources.lookupFieldHelp')}
          inputWrapperOrder={HELP_BELOW}
          value={value.field ?? ''}
          error={faults.field}
          onChange={(event) => onChange({ field: event.currentTarget.value || null })}
        />
        <Autocomplete
          label={t('externalSources.fieldColumn')}
          description={t('externalSources.fieldColumnHelp')}
          inputWrapperOrder={HELP_BELOW}
          data={[...columns]}
          value={value.fieldColumn ?? ''}
          error={faults.fieldColumn}
          onChange={(column) => onChange({ fieldColumn: column === '' ? null : column })}
        />
      </div>
      <p className={classes.note}>{t('externalSources.textsHelp')}</p>
      {texts.map((text, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows are told apart by their place, columns may be alike while they are typed.
        <div className={classes.text} key={at}>
          <Autocomplete
            aria-label={t('externalSources.column')}
            placeholder={t('externalSources.column')}
            data={[...columns]}
            value={text.column}
            error={faults[`texts.${at}.column`]}
            onChange={(column) => setText(at, { column })}
          />
          <Autocomplete
            aria-label={t('externalSources.language')}
            placeholder={t('externalSources.language')}
            data={LANGUAGES}
            value={text.code}
            error={faults[`texts.${at}.code`]}
            onChange={(code) => setText(at, { code })}
          />
          <ActionIcon
            variant="subtle"
            size="lg"
            aria-label={t('externalSources.removeField', { name: text.column })}
            onClick={() => onChange({ texts: texts.filter((_text, i) => i !== at) })}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </div>
      ))}
      <Failure
        text={faults.texts && texts.length === 0 ? t('externalSources.noTexts') : (faults.texts ?? null)}
      />
      <ColumnButtons columns={unused} onAdd={add}>
        <AddButton onClick={() => add('')}>{t('externalSources.addText')}</AddButton>
      </ColumnButtons>
    </>
  );
}

/** The language at the end of a name, such as `text_de`; else the name itself. */
function codeIn(column: string): string {
  const last =
    column
      .toLowerCase()
      .split(/[^a-z]/)
      .at(-1) ?? '';
  return LANGUAGES.includes(last) ? last : column;
}
