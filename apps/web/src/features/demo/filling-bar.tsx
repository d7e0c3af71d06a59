import type { Filling } from '@albedo/contract/demo/demo.schema';
import { CloseButton } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFilling } from '../../app/filling.ts';
import { useWorkgroup } from '../../app/session.ts';
import { followFilling } from './demo.queries.ts';
import classes from './filling-bar.module.css';

const MONTH_DAYS = 30.4;
const MINUTE_MS = 60_000;

/** Says on every screen that the demo's history is being filled in, and how long that takes; disappears when it is complete. */
export function FillingBar() {
  const wg = useWorkgroup();
  const filling = useFilling();
  const [isHidden, setHidden] = useState(false);
  useEffect(() => followFilling(wg), [wg]);
  return filling && !isHidden ? <Bar filling={filling} onHide={() => setHidden(true)} /> : null;
}

function Bar({ filling, onHide }: { filling: Filling; onHide: () => void }) {
  const { t } = useTranslation();
  const { days, share, msLeft } = filling;
  const what = t('demo.filling', { count: Math.round(days / MONTH_DAYS) });
  const left = leftOf(msLeft, t);
  const percent = Math.floor(share * 100);
  return (
    <section className={classes.bar} aria-label={what}>
      <span className={classes.text}>{left === null ? what : `${what}, ${left}`}</span>
      <span
        className={classes.track}
        role="progressbar"
        aria-label={what}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={[`${percent} %`, left].filter(Boolean).join(', ')}
      >
        <span style={{ transform: `scaleX(${share})` }} />
      </span>
      <CloseButton size="sm" aria-label={t('demo.hide')} onClick={onHide} />
    </section>
  );
}

/** Only an estimate, so without seconds. */
function leftOf(msLeft: number | null, t: ReturnType<typeof useTranslation>['t']): string | null {
  if (msLeft === null) return null;
  if (msLeft < MINUTE_MS) return t('demo.leftSoon');
  return t('demo.left', { time: `${Math.round(msLeft / MINUTE_MS)} min` });
}
