import type {
  FindingState,
  SecurityFinding,
  SecurityJob,
} from '@albedo/contract/security-services/security-services.schema';
import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { notifyFailure } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { LevelIcon } from '../../ui/status/level-icon.tsx';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import { formatWhole } from '../../ui/units/numbers.ts';
import classes from './security-services.module.css';
import { acceptFindings } from './security-services.queries.ts';

interface FindingListProps {
  job: SecurityJob;
  state: FindingState;
  findings: readonly SecurityFinding[];
  onAccept: (finding: SecurityFinding) => void;
}

/** The hosts or ports that are new, changed, known since, or gone. */
export function FindingList({ job, state, findings, onAccept }: FindingListProps) {
  const { t } = useTranslation();
  if (findings.length === 0) return null;
  const title = `${t(`securityServices.states.${state}`)} · ${formatWhole(findings.length)}`;
  return (
    <section aria-label={title}>
      <h3 className={classes.group}>{title}</h3>
      <ul className={classes.list}>
        {findings.map((finding) => (
          <Finding key={finding.key} job={job} finding={finding} onAccept={onAccept} />
        ))}
      </ul>
    </section>
  );
}

interface FindingProps {
  job: SecurityJob;
  finding: SecurityFinding;
  onAccept: (finding: SecurityFinding) => void;
}

function Finding({ job, finding, onAccept }: FindingProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { key, state, addresses, before, description, accepted, goneAt } = finding;
  const at = (instant: number) => formatInstant(instant, userZone(), false);
  const name = job.task === 'external' ? t('securityServices.port', { port: key }) : addresses.join(', ');
  const isOpen = accepted === null && state !== 'gone';
  const withdraw = () =>
    acceptFindings(wg, job, [key], null).catch((error: unknown) =>
      notifyFailure(t('securityServices.notWithdrawn'), error),
    );
  return (
    <li className={classes.finding}>
      <div className={classes.words}>
        <span className={classes.first}>
          {isOpen ? <LevelIcon mark="warning" size={14} /> : null}
          {name || key}
          {description ? <span className={classes.what}>{description}</span> : null}
        </span>
        <span className={classes.second}>
          {[
            job.task === 'internal' ? key : null,
            before ? t('securityServices.before', { addresses: before.join(', ') }) : null,
            t(state === 'new' ? 'securityServices.firstSeen' : 'securityServices.knownSince', {
              at: at(finding.knownSince),
            }),
            goneAt === null ? null : t('securityServices.goneSince', { at: at(goneAt) }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
        {accepted ? (
          <span className={classes.second}>
            {t('securityServices.acceptedBy', { by: accepted.by, at: at(accepted.at) })}
            {': '}
            <q className={classes.note}>{accepted.note}</q>
          </span>
        ) : null}
      </div>
      {accepted ? (
        <Button
          className={classes.answer ?? ''}
          size="compact-sm"
          variant="subtle"
          color="gray"
          onClick={() => void withdraw()}
        >
          {t('securityServices.withdraw')}
        </Button>
      ) : isOpen ? (
        <Button
          className={classes.answer ?? ''}
          size="compact-sm"
          variant="default"
          aria-label={t('securityServices.acceptOne', { key })}
          onClick={() => onAccept(finding)}
        >
          {t('securityServices.accept')}
        </Button>
      ) : null}
    </li>
  );
}
