import type { AuditRow } from '@albedo/contract/audit/audit.schema';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import { useTableAddress } from '../../ui/data-table/use-table-address.ts';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { resolveRange } from '../../ui/time-range/time-range.ts';
import { TimeRangePicker } from '../../ui/time-range/time-range-picker.tsx';
import { resolveZone } from '../../ui/time-range/time-zone.ts';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';
import classes from './audit.module.css';
import { type AuditAsked, auditQuery } from './audit.queries.ts';
import { auditColumns, NarrowEntry } from './audit-columns.tsx';
import { AuditDetail } from './audit-detail.tsx';
import { AuditExport } from './audit-export.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { type AuditAddress, useAuditAddress } from './use-audit-address.ts';

const ROWS = 500;
const idOf = (row: AuditRow): string => row.id;

/** The audit log of a workgroup, of one of its devices, or (null) of the provider, newest first. */
export function AuditLog({ wg, device }: { wg: string | null; device?: string }) {
  const { t } = useTranslation();
  // Not `useList`: the server filters, searches and gives one page after the other, and the address holds all of that.
  const [address, change] = useAuditAddress();
  // Sorting by another column concerns the page alone.
  const table = useTableAddress('-at');
  const zone = resolveZone(address.time.zone);
  const ask = useCallback((): AuditAsked => ({ ...askedBy(address, zone), device }), [address, zone, device]);
  const { data, error, refetch, isPlaceholderData } = useQuery(auditQuery(wg, [address, zone, device], ask));
  const [open, setOpen] = useState<AuditRow | null>(null);
  const columns = useMemo(() => auditColumns(t, zone), [t, zone]);
  const narrow = useCallback((row: AuditRow) => <NarrowEntry row={row} zone={zone} />, [zone]);

  const isNarrow = useIsNarrow();
  const range = <TimeRangePicker value={address.time} onChange={(time) => change({ time })} />;

  if (error) return <ErrorState title={t('audit.failed')} error={error} onRetry={() => void refetch()} />;
  return (
    <div className={classes.log} data-is-stale={isPlaceholderData}>
      {isNarrow ? <div className={classes.range}>{range}</div> : null}
      <DataTable
        label={t('audit.title')}
        name="audit"
        columns={columns}
        rows={data?.entries}
        rowId={idOf}
        sort={table.sort}
        onSort={table.setSort}
        toolbar={
          <AuditFilters wg={wg} address={address} onChange={change}>
            {isNarrow ? null : range}
          </AuditFilters>
        }
        download={<AuditExport wg={wg} ask={ask} columns={columns} hasSigned={device === undefined} />}
        narrow={narrow}
        onOpen={setOpen}
        empty={
          <EmptyState title={t('audit.none')} text={t('audit.noneText')}>
            {address.q || address.by || address.action || address.controller ? (
              <Button
                variant="default"
                onClick={() => change({ q: '', by: '', action: null, controller: null })}
              >
                {t('audit.clear')}
              </Button>
            ) : null}
          </EmptyState>
        }
      />
      <div className={classes.pages}>
        <Button
          size="xs"
          variant="default"
          disabled={address.before === null}
          onClick={() => change({ before: null })}
        >
          {t('audit.newest')}
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={!data?.next || isPlaceholderData}
          onClick={() => change({ before: data?.next ?? null })}
        >
          {t('audit.older')}
        </Button>
      </div>
      {open ? <AuditDetail row={open} zone={zone} onClose={() => setOpen(null)} /> : null}
    </div>
  );
}

function askedBy({ time, by, action, controller, q, before }: AuditAddress, zone: string): AuditAsked {
  const { from, to } = resolveRange(time.range, Date.now(), zone);
  return {
    from,
    to,
    rows: ROWS,
    ...(by ? { by } : {}),
    ...(action ? { action } : {}),
    ...(controller ? { controller } : {}),
    ...(q ? { q } : {}),
    ...(before ? { before } : {}),
  };
}
