import type { BrowserErrorDetail } from '@albedo/contract/diagnostics/diagnostics.schema';
import { Button, CopyButton, Drawer, Skeleton } from '@mantine/core';
import { IconArrowBackUp, IconCheck, IconCopy } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../app/call.ts';
import { useAttempt } from '../../app/use-submit.ts';
import { DayBars } from '../../ui/day-bars.tsx';
import { Failure } from '../../ui/failure.tsx';
import { EmptyState, ErrorState as LoadFailed } from '../../ui/states.tsx';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import { formatWhole } from '../../ui/units/numbers.ts';
import { browserErrorQuery, setResolved } from './browser-errors.ts';
import classes from './diagnostics.module.css';
import { ErrorState } from './error-state.tsx';

const timeText = (at: number): string => formatInstant(at, userZone(), false);

/** All details of one error: how often, where, and the stack. Its texts come from strangers and are drawn as plain text. */
export function BrowserErrorDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(browserErrorQuery(id));
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="min(100vw, 760px)"
      title={t('diagnostics.one')}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      {data ? (
        <Detail error={data} />
      ) : error instanceof ApiError && error.code === 404 ? (
        <EmptyState title={t('diagnostics.gone')} text={t('diagnostics.goneText')} />
      ) : error ? (
        <LoadFailed title={t('diagnostics.oneFailed')} error={error} onRetry={() => void refetch()} />
      ) : (
        <div role="status" aria-label={t('diagnostics.one')}>
          <Skeleton height={26} width="80%" mb={12} />
          <Skeleton height={36} width={220} mb={16} />
          <Skeleton height={240} />
        </div>
      )}
    </Drawer>
  );
}

function Detail({ error }: { error: BrowserErrorDetail }) {
  const { t } = useTranslation();
  const { message, place, source, stack, days, count, firstAt, lastAt, firstVersion, lastVersion } = error;
  const facts = [
    ['count', formatWhole(count)],
    ['firstAt', t('diagnostics.inVersion', { at: timeText(firstAt), version: firstVersion })],
    ['lastAt', t('diagnostics.inVersion', { at: timeText(lastAt), version: lastVersion })],
    ['place', place],
    ['source', source],
  ] as const;
  return (
    <article className={classes.detail} aria-label={t('diagnostics.one')}>
      <h2 className={classes.headline}>{message}</h2>
      <Resolving error={error} />
      <DayBars
        days={days}
        height={64}
        label={t('diagnostics.bars', {
          count: days.length,
          sum: formatWhole(days.reduce((sum, count) => sum + count, 0)),
          today: formatWhole(days.at(-1)),
        })}
      />
      <p className={classes.axis} aria-hidden="true">
        <span>{t('diagnostics.daysAgo', { count: days.length })}</span>
        <span>{t('diagnostics.today')}</span>
      </p>
      <dl className={classes.facts}>
        {facts.map(([name, value]) =>
          value === '' ? null : (
            <div key={name} className={classes.fact}>
              <dt>{t(`diagnostics.${name}`)}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
      <div className={classes.shares}>
        <Shares title={t('diagnostics.versions')} rows={error.byVersion} />
        <Shares title={t('diagnostics.workgroups')} rows={error.byWorkgroup} />
        <Shares title={t('diagnostics.browsers')} rows={error.byBrowser} />
      </div>
      <Part
        title={t('diagnostics.stack')}
        action={
          stack === '' ? null : (
            <CopyButton value={`${message}\n${stack}`}>
              {({ copied, copy }) => (
                <Button
                  size="compact-sm"
                  variant="subtle"
                  leftSection={copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
                  onClick={copy}
                >
                  {t(copied ? 'diagnostics.copied' : 'diagnostics.copy')}
                </Button>
              )}
            </CopyButton>
          )
        }
      >
        {stack === '' ? (
          <p className={classes.dim}>{t('diagnostics.noStack')}</p>
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and keys have to reach it.
          <pre className={classes.stack} tabIndex={0}>
            {stack}
          </pre>
        )}
      </Part>
      <Part title={t('diagnostics.addresses')}>
        <ul className={classes.addresses}>
          {error.places.map(({ workgroup, location, count: times, lastAt: at }) => (
            <li key={`${workgroup}\n${location}`}>
              <code>{location}</code>
              <span className={classes.dim}>
                {workgroup} · {formatWhole(times)} · {timeText(at)}
              </span>
            </li>
          ))}
        </ul>
      </Part>
    </article>
  );
}

function Resolving({ error }: { error: BrowserErrorDetail }) {
  const { t } = useTranslation();
  const { attempt, isWorking, failure } = useAttempt();
  const isResolved = error.state === 'resolved';
  return (
    <>
      <div className={classes.resolving}>
        <ErrorState error={error} />
        {isResolved && error.resolvedAt !== null ? (
          <span className={classes.dim}>
            {t('diagnostics.resolvedBy', { by: error.resolvedBy, at: timeText(error.resolvedAt) })}
          </span>
        ) : null}
        <Button
          size="compact-md"
          variant={isResolved ? 'default' : 'filled'}
          loading={isWorking}
          leftSection={isResolved ? <IconArrowBackUp size={16} /> : <IconCheck size={16} />}
          onClick={() => void attempt(() => setResolved(error.id, !isResolved))}
        >
          {t(isResolved ? 'diagnostics.reopen' : 'diagnostics.resolve')}
        </Button>
      </div>
      {isResolved ? <p className={classes.dim}>{t('diagnostics.untilBack')}</p> : null}
      <Failure text={failure} />
    </>
  );
}

function Shares({ title, rows }: { title: string; rows: readonly { name: string; count: number }[] }) {
  if (rows.length === 0) return null;
  return (
    <Part title={title}>
      <ul className={classes.share}>
        {rows.map(({ name, count }) => (
          <li key={name}>
            <span>{name}</span>
            <span>{formatWhole(count)}</span>
          </li>
        ))}
      </ul>
    </Part>
  );
}

function Part({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  return (
    <section className={classes.part} aria-label={title}>
      <div className={classes.partHead}>
        <h3>{title}</h3>
        {action}
      </div>
      {children}
    </section>
  );
}
