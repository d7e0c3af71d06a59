import { isBound } from '@albedo/contract/access/access';
import { scopeIn } from '@albedo/contract/access/permissions';
import type { AuditRow } from '@albedo/contract/audit/audit.schema';
import { ActionIcon, Tooltip } from '@mantine/core';
import { IconCertificate, IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyDone, notifyFailure } from '../../app/notify.ts';
import { useSignedIn } from '../../app/session.ts';
import { askCsv } from '../../ui/csv/csv-ask.ts';
import type { Column } from '../../ui/data-table/column.ts';
import { saveFile, tableOf } from '../../ui/data-table/csv.ts';
import { type AuditAsked, allEntries, MOST_EXPORTED, signedLog } from './audit.queries.ts';

interface AuditExportProps {
  wg: string | null;
  ask: () => AuditAsked;
  columns: readonly Column<AuditRow>[];
  /** With the signed file, which always has the whole log. */
  hasSigned: boolean;
}

/** The file of all that is found, also of what other pages show. */
export function AuditExport({ wg, ask, columns, hasSigned }: AuditExportProps) {
  const { t } = useTranslation();
  const [isExporting, setExporting] = useState(false);

  async function exportCsv() {
    setExporting(true);
    try {
      const { before: _before, ...asked } = ask();
      const entries = await allEntries(wg, asked);
      askCsv({ title: 'audit', table: () => tableOf(columns, entries) });
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
    <>
      {hasSigned ? <SignedLog wg={wg} /> : null}
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
    </>
  );
}

/** The whole log, as a file that proves that nothing in it was changed; members of a device group cannot have it. */
function SignedLog({ wg }: { wg: string | null }) {
  const { t } = useTranslation();
  const { user, workgroup } = useSignedIn();
  const [isLoading, setLoading] = useState(false);
  if (wg !== null && isBound(scopeIn(user, workgroup))) return null;

  async function save() {
    setLoading(true);
    try {
      const { blob, name } = await signedLog(wg);
      saveFile(name ?? 'audit.ndjson', blob);
      notifyDone(t('audit.signedSaved'));
    } catch (error) {
      notifyFailure(t('audit.exportFailed'), error);
    }
    setLoading(false);
  }

  return (
    <Tooltip label={t('audit.signed')}>
      <ActionIcon
        variant="default"
        size={32}
        aria-label={t('audit.signed')}
        loading={isLoading}
        onClick={() => void save()}
      >
        <IconCertificate size={17} />
      </ActionIcon>
    </Tooltip>
  );
}
