import { kindOfPath } from '@albedo/contract/schedules/schedules.names';
import { useEffect, useEffectEvent } from 'react';
import { StepEditor } from './step-editor.tsx';
import type { Step } from './steps.ts';
import { sortedSteps, useDraft } from './use-draft.ts';

interface PathEditorProps {
  path: string;
  steps: readonly Step[];
  zone: string;
  name: string;
  isReadOnly: boolean;
  onChange: (steps: Step[]) => void;
}

/** The steps of one setpoint of a shared schedule, whose end is an empty last step. */
export function PathEditor({ path, steps, zone, name, isReadOnly, onChange }: PathEditorProps) {
  const draft = useDraft({ steps, end: null });
  const tell = useEffectEvent(() => onChange(sortedSteps(draft).map(({ at, value }) => ({ at, value }))));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the steps are what is told.
  useEffect(() => tell(), [draft.steps]);
  return <StepEditor kind={kindOfPath(path)} draft={draft} zone={zone} name={name} isReadOnly={isReadOnly} />;
}
