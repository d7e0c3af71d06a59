import type { Commissioning, CommissioningStep } from '@albedo/contract/commissioning/commissioning.schema';
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useWorkgroup } from '../../app/session.ts';
import { useAttempt } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import classes from './commissioning.module.css';
import { saveCommissioning } from './commissioning.queries.ts';

interface StepButtonsProps {
  setup: Commissioning;
  /** Where Back leads; the first step has none. */
  back?: Exclude<CommissioningStep, 'done'>;
  /** What the main button does, and its words. */
  next: { label: string; isDisabled?: boolean; go: () => Promise<unknown> };
  children?: ReactNode;
}

/** How every step ends: back, and on. What fails is said above. */
export function StepButtons({ setup, back, next, children }: StepButtonsProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { attempt, isWorking, failure } = useAttempt();
  const run = (task: () => Promise<unknown>) =>
    void attempt(async () => {
      await task();
    });
  return (
    <>
      <Failure text={failure} />
      <div className={classes.buttons}>
        {back ? (
          <Button
            variant="default"
            disabled={isWorking}
            onClick={() => run(() => saveCommissioning(wg, setup.id, { step: back, plan: setup.plan }))}
          >
            {t('commissioning.back')}
          </Button>
        ) : null}
        {children}
        <Button loading={isWorking} disabled={next.isDisabled ?? false} onClick={() => run(next.go)}>
          {next.label}
        </Button>
      </div>
    </>
  );
}
