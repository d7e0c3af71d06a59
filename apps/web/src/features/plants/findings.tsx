import type { PlantFinding } from '@albedo/contract/plants/plants.schema';
import { useTranslation } from 'react-i18next';
import { LevelIcon } from '../../ui/status/level-icon.tsx';
import { findingText } from './finding-text.ts';
import classes from './plant.module.css';

interface FindingsProps {
  findings: readonly PlantFinding[];
  plant: string;
  zone: string;
  now: number;
  /** What a source is called. */
  nameOf: (source: string) => string;
}

/** What is wrong with the plant, each in a sentence. */
export function Findings({ findings, plant, zone, now, nameOf }: FindingsProps) {
  const { t } = useTranslation();
  if (findings.length === 0) return null;
  return (
    <ul className={classes.findings} aria-label={t('plants.findings')}>
      {findings.map((finding) => (
        <li key={`${finding.kind} ${finding.source}`} data-mark={markOf(finding)}>
          <LevelIcon mark={markOf(finding)} size={14} />
          <span>
            {findingText(t, finding, { plant, zone, now, nameOf })}
            {finding.by ? <small> {t(`plants.finding.by.${finding.by}`)}</small> : null}
          </span>
        </li>
      ))}
    </ul>
  );
}

const markOf = ({ kind }: PlantFinding) => (kind === 'below' ? 'warning' : 'danger');
