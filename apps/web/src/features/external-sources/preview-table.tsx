import type { ExternalPreview } from '@albedo/contract/external-sources/external-sources.schema';
import { Badge, Table } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import { formatWhole } from '../../ui/units/numbers.ts';
import classes from './external-sources.module.css';
import { FaultList } from './fault-list.tsx';

/** How many events and files are shown. */
const SHOWN = 6;

interface PreviewTableProps {
  preview: ExternalPreview;
  timezone: string;
  isCsv: boolean;
  /** Nothing is mapped yet, so nothing would be stored. */
  isFirst: boolean;
}

/** The data, what would be stored of it, and what would be refused. */
export function PreviewTable({ preview, timezone, isCsv, isFirst }: PreviewTableProps) {
  const { t } = useTranslation();
  const { rows, files, faults, records } = preview;
  return (
    <section aria-label={t('externalSources.preview')} className={classes.preview}>
      {files.length > 0 ? <FoundFiles files={files} shown={preview.file} /> : null}
      {rows.length > 0 ? <FirstRows preview={preview} /> : null}
      {records === 0 ? (
        <p className={classes.note}>{t('externalSources.nothingFound')}</p>
      ) : isFirst ? (
        <p className={classes.note}>{t('externalSources.chooseColumns')}</p>
      ) : (
        <>
          {preview.lookup ? (
            <LookupSample lookup={preview.lookup} />
          ) : (
            <EventSample preview={preview} timezone={timezone} />
          )}
          <FaultList faults={faults} isCsv={isCsv} />
        </>
      )}
    </section>
  );
}

function FoundFiles({ files, shown }: { files: ExternalPreview['files']; shown: string | null }) {
  const { t } = useTranslation();
  return (
    <div>
      <h3 className={classes.heading}>{t('externalSources.foundFiles')}</h3>
      <ul className={classes.files}>
        {files.slice(0, SHOWN).map(({ name, at, state }) => (
          <li key={`${name} ${at}`}>
            {name}
            {state === 'new' ? null : (
              <Badge size="xs" variant="light" ml={6}>
                {t(`externalSources.fileStates.${state}`)}
              </Badge>
            )}
            {shown !== null && (shown === name || shown.startsWith(`${name}/`)) ? (
              <Badge size="xs" variant="outline" ml={6}>
                {t('externalSources.shownFile')}
              </Badge>
            ) : null}
          </li>
        ))}
        {files.length > SHOWN ? (
          <li>{t('externalSources.moreFiles', { count: files.length - SHOWN })}</li>
        ) : null}
      </ul>
    </div>
  );
}

/** The records as received, each column with its likely type. */
function FirstRows({ preview: { columns, rows, profiles } }: { preview: ExternalPreview }) {
  const { t } = useTranslation();
  const kindOf = (column: string) => profiles.find(({ name }) => name === column)?.kind;
  return (
    <div>
      <h3 className={classes.heading}>{t('externalSources.firstRows')}</h3>
      <Table.ScrollContainer minWidth={0}>
        <Table withTableBorder>
          <Table.Thead>
            <Table.Tr>
              {columns.map((column) => {
                const kind = kindOf(column);
                return (
                  <Table.Th key={column}>
                    {column}
                    {kind ? (
                      <div className={classes.kind}>{t(`externalSources.columnKinds.${kind}`)}</div>
                    ) : null}
                  </Table.Th>
                );
              })}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: records may be alike, and none moves.
              <Table.Tr key={i}>
                {columns.map((column, at) => (
                  <Table.Td key={column}>{row[at] ?? ''}</Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </div>
  );
}

function EventSample({ preview, timezone }: { preview: ExternalPreview; timezone: string }) {
  const { t } = useTranslation();
  const sample = preview.sample.slice(0, SHOWN);
  // Messages of a broker do not have the same fields each.
  const names = [...new Set(sample.flatMap(({ values }) => Object.keys(values)))];
  return (
    <div>
      <h3 className={classes.heading}>{t('externalSources.wouldStore')}</h3>
      <p className={classes.note}>
        {t('externalSources.found', {
          count: preview.events,
          events: formatWhole(preview.events),
          records: formatWhole(preview.records),
        })}
      </p>
      {sample.length > 0 ? (
        <Table.ScrollContainer minWidth={0}>
          <Table withTableBorder>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('externalSources.time')}</Table.Th>
                <Table.Th>{t('externalSources.source')}</Table.Th>
                {names.map((name) => (
                  <Table.Th key={name}>{name}</Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {sample.map(({ at, source, values }, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: records may be alike, and none moves.
                <Table.Tr key={i}>
                  <Table.Td>{formatInstant(at, timezone)}</Table.Td>
                  <Table.Td>{source}</Table.Td>
                  {names.map((name) => (
                    <Table.Td key={name}>{String(values[name] ?? '')}</Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      ) : null}
    </div>
  );
}

function LookupSample({ lookup }: { lookup: NonNullable<ExternalPreview['lookup']> }) {
  const { t } = useTranslation();
  const { values, added, changed, removed, sample } = lookup;
  const codes = [...new Set(sample.flatMap(({ fields }) => Object.keys(fields)))];
  return (
    <div>
      <h3 className={classes.heading}>{t('externalSources.wouldStore')}</h3>
      <p className={classes.note}>
        {t('externalSources.lookupChanges', {
          count: values,
          values: formatWhole(values),
          added: formatWhole(added),
          changed: formatWhole(changed),
          removed: formatWhole(removed),
        })}
      </p>
      <Table.ScrollContainer minWidth={0}>
        <Table withTableBorder>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('externalSources.value')}</Table.Th>
              <Table.Th>{t('externalSources.field')}</Table.Th>
              {codes.map((code) => (
                <Table.Th key={code}>{code}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {sample.map(({ value, field, fields }) => (
              <Table.Tr key={`${field} ${value}`}>
                <Table.Td>{value}</Table.Td>
                <Table.Td>{field ?? ''}</Table.Td>
                {codes.map((code) => (
                  <Table.Td key={code}>{Object.hasOwn(fields, code) ? fields[code] : ''}</Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </div>
  );
}
