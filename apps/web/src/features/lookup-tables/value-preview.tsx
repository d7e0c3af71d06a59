import type { LookupTable } from '@albedo/contract/lookup-tables/lookup-tables.schema';
import { Table } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatWhole } from '../../ui/units/numbers.ts';
import classes from './lookup-tables.module.css';
import { textIn } from './words.ts';

/** As many rows as show what is in the table. */
const SHOWN = 8;

/** The first values of a table, and how many there are. */
export function ValuePreview({ fields, values }: Pick<LookupTable, 'fields' | 'values'>) {
  const { t } = useTranslation();
  const homeless = values.filter(({ field }) => field === null).length;
  return (
    <figure className={classes.preview}>
      <figcaption className={classes.note}>
        {t('lookupTables.preview', { count: values.length, number: formatWhole(values.length) })}
      </figcaption>
      <Table.ScrollContainer minWidth={0}>
        <Table withTableBorder>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('lookupTables.value')}</Table.Th>
              <Table.Th>{t('lookupTables.field')}</Table.Th>
              {fields.map(({ code, name }) => (
                <Table.Th key={code}>{name}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {values.slice(0, SHOWN).map((one) => (
              <Table.Tr key={JSON.stringify([one.field, one.value])}>
                <Table.Td>{one.value}</Table.Td>
                <Table.Td>{one.field ?? ''}</Table.Td>
                {fields.map(({ code }) => (
                  <Table.Td key={code}>{textIn(one, code)}</Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {homeless > 0 ? (
        <p className={classes.homeless}>{t('lookupTables.homeless', { count: homeless })}</p>
      ) : null}
      {values.length > SHOWN ? (
        <p className={classes.note}>{t('lookupTables.more', { count: values.length - SHOWN })}</p>
      ) : null}
    </figure>
  );
}
