import type {
  FindingState,
  SecurityFinding,
  SecurityResult,
  SecurityScan,
  SecurityTask,
} from '@albedo/contract/security-services/security-services.schema';
import { Anchor, Button, Drawer } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../app/now.ts';
import { useWorkgroup } from '../../app/session.ts';
import { ErrorState, TableSkeleton } from '../../ui/states.tsx';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import { agoText } from '../../ui/units/durations.ts';
import { AcceptDialog } from './accept-dialog.tsx';
import { FindingList } from './finding-list.tsx';
import { State } from './scan-columns.tsx';
import { startScan, Weekly } from './scan-controls.tsx';
import { isBusy, outcomeText } from './scan-texts.ts';
import classes from './security-services.module.css';
import { type ScanRow, scanResultQuery } from './security-services.queries.ts';

interface ScanDrawerProps {
  task: SecurityTask;
  row: ScanRow;
  onClose: () => void;
}

/** What the scans of one device found, and what can be done about it. */
export function ScanDrawer({ task, row, onClose }: ScanDrawerProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const busy = isBusy(row);
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="min(100vw, 640px)"
      title={`${row.name} · ${t(`securityServices.kinds.${task}`)}`}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <div className={classes.drawer}>
        <p className={classes.intro}>{t(`securityServices.intros.${task}`)}</p>
        <div className={classes.controls}>
          <Button
            leftSection={<IconPlayerPlay size={16} />}
            disabled={busy}
            onClick={() => void startScan(t, wg, task, row)}
          >
            {t('securityServices.runThis')}
          </Button>
          <Weekly wg={wg} task={task} row={row} hasLabel />
          <Anchor
            size="sm"
            renderRoot={(rest) => <Link {...rest} to="/devices/$deviceId" params={{ deviceId: row._id }} />}
          >
            {t('securityServices.toDevice')}
          </Anchor>
        </div>
        <Newest row={row} />
        {row.job ? <Result row={row} job={row.job} /> : null}
      </div>
    </Drawer>
  );
}

/** How it stands with the scan: as in the list, and why it did not see everything. */
function Newest({ row }: { row: ScanRow }) {
  const { t } = useTranslation();
  const now = useNow(10_000);
  const last = row.job?.lastScan;
  return (
    <div className={classes.words}>
      <span className={classes.newest}>
        <State row={row} />
        {last && !isBusy(row) ? <span className={classes.second}>{agoText(last.endedAt, now)}</span> : null}
      </span>
      {last?.reason ? (
        <span className={classes.second}>{t(`securityServices.explained.${last.reason}`)}</span>
      ) : null}
    </div>
  );
}

function Result({ job, row }: { job: NonNullable<ScanRow['job']>; row: ScanRow }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data, error, refetch } = useQuery(scanResultQuery(wg, job));
  if (error && !data)
    return (
      <ErrorState title={t('securityServices.resultFailed')} error={error} onRetry={() => void refetch()} />
    );
  if (!data) return <TableSkeleton rows={6} />;
  if (data.scans.length === 0) {
    const text = isBusy(row) ? 'securityServices.waits' : 'securityServices.notYet';
    return <p className={classes.intro}>{t(text)}</p>;
  }
  return <Found result={data} />;
}

const GROUPS = ['new', 'changed', 'known', 'gone'] as const satisfies FindingState[];

function Found({ result: { job, findings, scans } }: { result: SecurityResult }) {
  const { t } = useTranslation();
  const [accepting, setAccepting] = useState<readonly SecurityFinding[] | null>(null);
  const open = findings.filter(({ accepted, state }) => accepted === null && state !== 'gone');
  return (
    <>
      {open.length > 1 ? (
        <Button className={classes.all ?? ''} variant="default" onClick={() => setAccepting(open)}>
          {t('securityServices.acceptAll', { count: open.length })}
        </Button>
      ) : null}
      {findings.length === 0 && scans.some(({ outcome }) => outcome !== 'failed') ? (
        <p className={classes.intro}>{t(`securityServices.nothing.${job.task}`)}</p>
      ) : null}
      {GROUPS.map((state) => (
        <FindingList
          key={state}
          job={job}
          state={state}
          findings={findings.filter((one) => one.state === state)}
          onAccept={(finding) => setAccepting([finding])}
        />
      ))}
      <History scans={scans} />
      {accepting ? <AcceptDialog job={job} findings={accepting} onClose={() => setAccepting(null)} /> : null}
    </>
  );
}

function History({ scans }: { scans: readonly SecurityScan[] }) {
  const { t } = useTranslation();
  return (
    <section aria-label={t('securityServices.history')}>
      <h3 className={classes.group}>{t('securityServices.history')}</h3>
      <ul className={classes.list}>
        {scans.map((scan) => (
          <li key={scan._id} className={classes.scan}>
            <span className={classes.first}>{formatInstant(scan.endedAt, userZone(), false)}</span>
            <span>
              {[
                outcomeText(t, scan),
                scan.new > 0 ? t('securityServices.newCount', { count: scan.new }) : null,
                scan.changed > 0 ? t('securityServices.changedCount', { count: scan.changed }) : null,
                scan.gone > 0 ? t('securityServices.goneCount', { count: scan.gone }) : null,
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
            <span className={classes.second}>
              {[scan.target, scan.by ?? t('securityServices.weekly')].filter(Boolean).join(' · ')}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
