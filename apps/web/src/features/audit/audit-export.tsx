import type { AuditRow } from '@albedo/contract/audit/audit.schema';
import { ActionIcon, Tooltip } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyDone, notifyFailure } from '../../app/notify.ts';
import type { Column } from '../../ui/data-table/column.ts';
import { saveFile, toCsv } from '../../ui/data-table/csv.ts';
import { type AuditAsked, allEntries, MOST_EXPORTED } from './audit.queries.ts';

interface AuditExportProps {
  wg: string | null;
  ask: () => AuditAsked;
  columns: readonly Column<AuditRow>[];
}

/** The file of all that is found, also of what other pages show. */
export function AuditExport({ wg, ask, columns }: AuditExportProps) {
  const { t } = useTranslation();
  const [isExporting, setExporting] = useState(false);

  async function exportCsv() {
    setExporting(true);
    try {
      const { before: _before, ...asked } = ask();
      const entries = await allEntries(wg, asked);
      saveFile('audit.csv', toCsv(columns, entries));
      notifyDone(
        t(entries.length >= MOST_EXPORTED ? 'audit.exportedMost' : 'audit.exported', {
          count: entries.length,
        }),
      );
    } catch (error) {
      notifyFailure(t('audit.exportFailed'), error);
    }
    setExporting(false);
  }

  return (
    <Tooltip label={t('audit.export')}>
      <ActionIcon
        variant="default"
        size={32}
        aria-label={t('audit.export')}
        loading={isExporting}
        onClick={() => void exportCsv()}
      >
        <IconDownload size={17} />
      </ActionIcon>
    </Tooltip>
  );
}
