import { FINDING_DAYS, type FindingKind } from '@albedo/contract/diagnostics/diagnostics.names';
import type { Finding } from '@albedo/contract/diagnostics/diagnostics.schema';
import { Skeleton } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { FindingWords } from '../../app/feature.ts';
import { useNow } from '../../app/now.ts';
import { useWorkgroup } from '../../app/session.ts';
import { ErrorState } from '../../ui/states.tsx';
import { LevelIcon } from '../../ui/status/level-icon.tsx';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import { agoText } from '../../ui/units/durations.ts';
import { formatWhole } from '../../ui/units/numbers.ts';
import { type Words, wordsQuery } from './finding-words.ts';
import classes from './findings.module.css';
import { findingsQuery } from './findings.ts';

/** What needs attention in the workgroup: nothing, in the best case. */
export function FindingsPage() {
  const { t } = useTranslation();
  const { data, error, refetch, dataUpdatedAt } = useQuery(findingsQuery(useWorkgroup()));
  const words = useQuery(wordsQuery).data;
  const now = useNow(10_000);
  if (error && !data)
    return (
      <ErrorState title={t('diagnostics.findingsFailed')} error={error} onRetry={() => void refetch()} />
    );
  if (!data || !words)
    return (
      <div className={classes.page} role="status" aria-label={t('diagnostics.looking')}>
        {[0, 1, 2].map((at) => (
          <Skeleton key={at} height={112} radius={8} />
        ))}
      </div>
    );
  const { findings, looked, unknown } = data;
  const kinds = new Set(findings.map(({ kind }) => kind));
  const calm = looked.filter((kind) => !kinds.has(kind) && !unknown.includes(kind));
  return (
    <div className={classes.page}>
      <p className={classes.verdict}>
        <LevelIcon mark={verdictOf(findings)} size={18} />
        <b>
          {findings.length === 0
            ? t('diagnostics.allWell')
            : t('diagnostics.found', { count: findings.length })}
        </b>
        <span className={classes.dim}>
          {t('diagnostics.lookedAt', { ago: agoText(dataUpdatedAt, Math.max(now, dataUpdatedAt)) })}
        </span>
      </p>
      {findings.map((finding) => (
        <Found key={finding.kind} finding={finding} words={words.get(finding.kind)} />
      ))}
      {unknown.length > 0 ? (
        <p className={classes.unknown} role="alert">
          <LevelIcon mark="unknown" />
          {t('diagnostics.unknown', { names: namesOf(unknown, words, t) })}
        </p>
      ) : null}
      {calm.length > 0 ? (
        <section className={classes.calm} aria-label={t('diagnostics.inOrder')}>
          <h2>{t('diagnostics.inOrder')}</h2>
          <ul>
            {calm.map((kind) => (
              <li key={kind}>
                <LevelIcon mark="ok" />
                {t(words.get(kind)?.name ?? '')}
              </li>
            ))}
          </ul>
          <p className={classes.dim}>{t('diagnostics.within', { count: FINDING_DAYS })}</p>
        </section>
      ) : null}
    </div>
  );
}

function verdictOf(findings: readonly Finding[]): 'ok' | 'warning' | 'danger' {
  if (findings.length === 0) return 'ok';
  return findings.some(({ level }) => level === 'danger') ? 'danger' : 'warning';
}

const namesOf = (kinds: readonly FindingKind[], words: Words, t: (key: string) => string): string =>
  kinds.map((kind) => t(words.get(kind)?.name ?? '')).join(', ');

/** One kind of finding: how many, what to do, the newest examples, and a link. */
interface FoundProps {
  finding: Finding;
  words: FindingWords | undefined;
}

function Found({ finding: { count, level, examples }, words }: FoundProps) {
  const { t } = useTranslation();
  if (!words) return null;
  const title = t(words.title, { count, number: formatWhole(count) });
  return (
    <section className={classes.found} aria-label={title}>
      <header className={classes.head}>
        <LevelIcon mark={level} size={16} />
        <h2>{title}</h2>
        {words.to && words.go ? (
          <Link to={words.to} className={classes.go}>
            {t(words.go)}
            <IconArrowRight size={15} aria-hidden="true" />
          </Link>
        ) : null}
      </header>
      <p className={classes.advice}>{t(words.advice)}</p>
      <ul className={classes.examples}>
        {examples.map((example) => (
          <Example key={`${example.device} ${example.name} ${example.at}`} example={example} words={words} />
        ))}
      </ul>
      {count > examples.length ? (
        <p className={classes.dim}>
          {t('diagnostics.more', {
            count: count - examples.length,
            number: formatWhole(count - examples.length),
          })}
        </p>
      ) : null}
    </section>
  );
}

function Example({ example, words }: { example: Finding['examples'][number]; words: FindingWords }) {
  const { t } = useTranslation();
  const { name, device, text, amount, at } = example;
  return (
    <li>
      {device === null ? (
        <span className={classes.name}>{name}</span>
      ) : (
        <Link
          to="/devices/$deviceId/$tab"
          params={{ deviceId: device, tab: words.tab ?? 'general' }}
          className={classes.name}
        >
          {name}
        </Link>
      )}
      <span className={classes.why}>
        {text}
        {amount !== null && words.amount
          ? t(words.amount, { count: amount, number: formatWhole(amount) })
          : null}
      </span>
      {at === null ? null : (
        <time dateTime={new Date(at).toISOString()}>{formatInstant(at, userZone(), false)}</time>
      )}
    </li>
  );
}
