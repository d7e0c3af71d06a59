import type { CodePlan } from '@albedo/contract/as-code/as-code.schema';
import { Button, Checkbox, FileButton, Group, Skeleton } from '@mantine/core';
import { IconDownload, IconFileImport, IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../app/call.ts';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useAttempt } from '../../app/use-submit.ts';
import { saveFile } from '../../ui/data-table/csv.ts';
import { Failure } from '../../ui/failure.tsx';
import { messageOf } from '../../ui/message-of.ts';
import { Section } from '../../ui/section.tsx';
import { LinesSkeleton } from '../../ui/skeletons.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import classes from './as-code.module.css';
import { applyCode, changesQuery, exportCode, planCode, undoChange } from './as-code.queries.ts';
import { PlanList } from './plan-list.tsx';

const CodeEditor = lazy(async () => ({
  default: (await import('../../ui/code-editor/code-editor.tsx')).CodeEditor,
}));

/** The workgroup as YAML: written, tried, applied; and what changed several things at once, undone. */
export function AsCodePage() {
  const wg = useWorkgroup();
  return (
    <div className={classes.columns}>
      <Code key={wg} wg={wg} />
    </div>
  );
}

/** What a line of the server is about, where it names one. */
const lineOf = (error: unknown): number | null => {
  const line = error instanceof ApiError ? error.issues[0]?.facts?.line : undefined;
  return line === undefined ? null : Number(line);
};

function Code({ wg }: { wg: string }) {
  const { t } = useTranslation();
  const [given, setGiven] = useState('');
  const [text, setText] = useState('');
  const [prune, setPrune] = useState(false);
  const [plan, setPlan] = useState<CodePlan | null>(null);
  const [fault, setFault] = useState<{ line: number; message: string } | null>(null);
  const { attempt, isWorking, failure, forget } = useAttempt((error) => {
    const line = lineOf(error);
    const message = messageOf(error);
    setFault(line === null || message === null ? null : { line, message });
    return message;
  });
  const marks = useMemo(() => (fault ? [{ ...fault, isFatal: true }] : []), [fault]);
  const put = (next: string) => {
    setGiven(next);
    change(next);
  };
  const change = (next: string) => {
    setText(next);
    setPlan(null);
    setFault(null);
    forget();
  };
  const isEmpty = text.trim() === '';
  return (
    <>
      <Section
        title={t('asCode.file')}
        context={t('asCode.fileHelp')}
        actions={
          <Group gap="xs">
            <Button
              size="xs"
              variant="default"
              leftSection={<IconFileImport size={14} />}
              loading={isWorking}
              onClick={() => void attempt(async () => put((await exportCode(wg)).text))}
            >
              {t('asCode.load')}
            </Button>
            <FileButton
              accept=".yaml,.yml"
              onChange={(file) => file && void attempt(async () => put(await file.text()))}
            >
              {(props) => (
                <Button {...props} size="xs" variant="default" leftSection={<IconUpload size={14} />}>
                  {t('asCode.open')}
                </Button>
              )}
            </FileButton>
            <Button
              size="xs"
              variant="default"
              leftSection={<IconDownload size={14} />}
              onClick={() =>
                void attempt(async () => {
                  const { name, text: all } = await exportCode(wg);
                  saveFile(name, new Blob([all], { type: 'application/yaml' }));
                })
              }
            >
              {t('asCode.download')}
            </Button>
          </Group>
        }
      >
        <div className={classes.editor}>
          <Suspense fallback={<LinesSkeleton lines={16} />}>
            <CodeEditor text={given} label={t('asCode.file')} marks={marks} goTo={fault} onChange={change} />
          </Suspense>
        </div>
      </Section>
      <div className={classes.side}>
        <Section
          title={t('asCode.plan')}
          context={t('asCode.planHelp')}
          actions={
            <Group gap="xs">
              <Button
                size="xs"
                variant="default"
                loading={isWorking}
                disabled={isEmpty}
                onClick={() => void attempt(async () => setPlan(await planCode(wg, { yaml: text, prune })))}
              >
                {t('asCode.try')}
              </Button>
              <Button
                size="xs"
                loading={isWorking}
                disabled={plan === null || plan.things.length === 0}
                onClick={() =>
                  void attempt(async () => {
                    const { things } = await applyCode(wg, { yaml: text, prune });
                    setPlan(null);
                    notifyDone(t('asCode.applied', { count: things.length }));
                  })
                }
              >
                {t('asCode.apply')}
              </Button>
            </Group>
          }
        >
          <Checkbox
            label={t('asCode.prune')}
            description={t('asCode.pruneHelp')}
            checked={prune}
            onChange={(event) => {
              setPrune(event.currentTarget.checked);
              setPlan(null);
            }}
          />
          <Failure text={failure} />
          {plan ? <PlanList plan={plan} /> : null}
        </Section>
        <Changes wg={wg} />
      </div>
    </>
  );
}

function Changes({ wg }: { wg: string }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(changesQuery(wg));
  const { attempt, isWorking, failure } = useAttempt();
  return (
    <Section title={t('asCode.changes')} context={t('asCode.changesHelp')} isFlush>
      <Failure text={failure} />
      {error && !data ? (
        <ErrorState title={t('asCode.changesFailed')} error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton height={120} m="md" />
      ) : data.length === 0 ? (
        <EmptyState title={t('asCode.noChanges')} text={t('asCode.noChangesText')} />
      ) : (
        data.map(({ id, at, by, count, names }) => (
          <div key={id} className={classes.change}>
            <div>
              <p>
                {count > names.length
                  ? t('asCode.andMore', { names: names.join(', '), count: count - names.length })
                  : names.join(', ')}
              </p>
              <p className={classes.note}>
                {formatInstant(at, userZone(), false)} · {by}
              </p>
            </div>
            <Button
              size="xs"
              variant="default"
              loading={isWorking}
              aria-label={t('asCode.undoOne', { names: names.join(', ') })}
              onClick={() =>
                void attempt(async () => {
                  await undoChange(wg, id);
                  notifyDone(t('asCode.undone', { count }));
                })
              }
            >
              {t('asCode.undo')}
            </Button>
          </div>
        ))
      )}
    </Section>
  );
}
