import { Button, Skeleton } from '@mantine/core';
import { IconAlertTriangle, IconMoodEmpty } from '@tabler/icons-react';
import { Component, createContext, type ReactNode, useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { useFilling } from '../../app/filling.ts';
import { messageOf } from '../../ui/message-of.ts';
import classes from './boards.module.css';
import { NoLine } from './lines.ts';

/** The head of a widget whose chart has its own; shown by what stands in place of the chart. */
export const HeadOfNote = createContext<ReactNode>(null);

/** What a widget says in place of what it would show. */
export function WidgetNote({
  text,
  isBad = false,
  onRetry,
}: {
  text: string;
  isBad?: boolean;
  onRetry?: () => void;
}) {
  const { t } = useTranslation();
  const head = useContext(HeadOfNote);
  const Icon = isBad ? IconAlertTriangle : IconMoodEmpty;
  const note = (
    <div className={classes.note} role={isBad ? 'alert' : undefined} data-bad={isBad}>
      <Icon size={20} stroke={1.6} aria-hidden />
      <p>{text}</p>
      {onRetry ? (
        <Button size="compact-xs" variant="default" onClick={onRetry}>
          {t('actions.tryAgain')}
        </Button>
      ) : null}
    </div>
  );
  if (!head) return note;
  return (
    <div className={classes.headed}>
      {head}
      {note}
    </div>
  );
}

/** A failure of one widget, in words. */
export function WidgetFailure({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { t } = useTranslation();
  const isFilling = useFilling() !== null;
  if (error instanceof NoLine && error.reason === 'missing' && isFilling)
    return <WidgetNote text={t('demo.arriving')} />;
  if (error instanceof NoLine)
    return (
      <WidgetNote text={t(`boards.noLine.${error.reason}`, error.facts)} isBad={error.reason === 'units'} />
    );
  return <WidgetNote text={messageOf(error)} isBad {...(onRetry ? { onRetry } : {})} />;
}

interface BoundaryState {
  error: unknown;
  of: readonly unknown[];
}

/** One broken widget harms no other. `of` is what it shows: where any of it is another one, it is tried again. */
export class WidgetBoundary extends Component<
  { of: readonly unknown[]; children: ReactNode },
  BoundaryState
> {
  override state: BoundaryState = { error: null, of: this.props.of };
  static getDerivedStateFromError(error: unknown) {
    return { error };
  }
  static getDerivedStateFromProps({ of }: { of: readonly unknown[] }, state: BoundaryState) {
    return of.every((one, at) => one === state.of[at]) ? null : { error: null, of };
  }
  override render() {
    return this.state.error === null ? this.props.children : <WidgetFailure error={this.state.error} />;
  }
}

/** Stands where a widget is not there yet; quiet where nobody has looked. */
export function WidgetSkeleton({ isQuiet = false }) {
  const head = useContext(HeadOfNote);
  const skeleton = <Skeleton height="100%" radius={6} mih={24} animate={!isQuiet} />;
  if (!head) return skeleton;
  return (
    <div className={classes.headed}>
      {head}
      {skeleton}
    </div>
  );
}
