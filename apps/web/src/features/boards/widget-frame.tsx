import { isLink } from '@albedo/contract/boards/addresses';
import type { BoardItem } from '@albedo/contract/boards/board-items';
import { IconArrowUpRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { lazy, memo, type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ChartTools } from '../../ui/time-series-chart/chart-tools.ts';
import { BoardRoom, InSight, useBoard } from './board-context.ts';
import classes from './boards.module.css';
import { type Origin, ShownOrigins } from './origins.ts';
import { useIsPrinting } from './print/printing.ts';
import { useItemRoom } from './use-bindings.ts';
import { useContentSize } from './use-content-size.ts';
import { useOwnRangeName } from './use-figures.ts';
import { ShownData, type WidgetData } from './widget-data.ts';
import { HeadOfNote, WidgetBoundary, WidgetNote, WidgetSkeleton } from './widget-error.tsx';

/** Loaded where something can be chosen: most widgets have no variables. */
const VariableBar = lazy(async () => ({ default: (await import('./variable-bar.tsx')).VariableBar }));
/** Comes after what it stands beside. */
const WidgetTools = lazy(async () => ({ default: (await import('./widget-tools.tsx')).WidgetTools }));
const WidgetOrigins = lazy(async () => ({ default: (await import('./widget-tools.tsx')).WidgetOrigins }));

/** Widgets begin this far before they come into sight, px. */
const AHEAD_PX = 300;

/** One widget in its card: its title, its states, and nothing at all while it is out of sight. */
export const WidgetFrame = memo(DrawWidgetFrame);

function DrawWidgetFrame({ item: given, tools }: { item: BoardItem; tools?: ReactNode }) {
  const { t } = useTranslation();
  const { isEditing, isDisplay, widgetOf, settingsOf } = useBoard();
  const { item, room } = useItemRoom(given);
  const { ref, width, height } = useContentSize();
  const [card, setCard] = useState<HTMLElement | null>(null);
  const data = useRef<WidgetData | null>(null);
  const [origins] = useState(() => new Set<Origin>());
  const isPrinting = useIsPrinting();
  const isSeen = useInSight(card);
  const isInSight = isSeen || isPrinting;
  const [wasInSight, setWasInSight] = useState(false);
  if (isInSight && !wasInSight) setWasInSight(true);
  const widget = widgetOf(item.kind);
  const settings = useMemo(() => settingsOf(item), [settingsOf, item]);
  const title = item.title ?? (widget ? t(`boards.widgets.${item.kind}`) : item.kind);
  const { link, range } = (settings ?? {}) as { link?: string; range?: string };
  // A widget with a range of its own shows it.
  const rangeName = useOwnRangeName(range);
  const isTitled = !widget?.isBare && item.title !== '';
  const hasHead = isTitled && !widget?.hasOwnHead;
  const follow = link && isLink(link) && !isEditing ? <WidgetLink to={link} title={title} /> : null;
  const canAsk = !isEditing && !isDisplay && wasInSight;
  const head = (
    <header className={classes.widgetHead}>
      <h2>{title}</h2>
      {rangeName && !isSaid(title, rangeName) ? (
        <span className={classes.widgetRange}>{rangeName}</span>
      ) : null}
      {follow}
      {widget?.canSave && canAsk ? (
        <Suspense fallback={null}>
          <WidgetTools title={title} data={data} origins={origins} card={card} />
        </Suspense>
      ) : null}
    </header>
  );
  const ofChart =
    widget?.hasOwnHead && (follow || canAsk) ? (
      <>
        {follow}
        {canAsk ? (
          <Suspense fallback={null}>
            <WidgetOrigins title={title} origins={origins} />
          </Suspense>
        ) : null}
      </>
    ) : null;
  return (
    // No landmark: boards have many of them, and copies have the same name.
    <article
      ref={setCard}
      className={classes.widget}
      data-bare={widget?.isBare}
      data-kind={item.kind}
      aria-label={title}
    >
      {tools}
      {hasHead ? head : null}
      {given.variables && given.variables.length > 0 ? (
        <Suspense>
          <VariableBar variables={given.variables} scope={`${given.id}.`} isSmall />
        </Suspense>
      ) : null}
      <div ref={ref} className={classes.widgetBody} data-headless={!hasHead}>
        <ChartTools value={ofChart}>
          <HeadOfNote value={isTitled && widget?.hasOwnHead ? head : null}>
            {!widget || settings === null ? (
              <WidgetNote text={t('boards.unknownWidget', { kind: item.kind })} isBad />
            ) : wasInSight && width > 0 ? (
              <InSight value={isInSight}>
                <BoardRoom value={room}>
                  <WidgetBoundary of={[settings, room.entityId, room.byId]}>
                    <Suspense fallback={<WidgetSkeleton />}>
                      <ShownData value={data}>
                        <ShownOrigins value={origins}>
                          <widget.View
                            item={item}
                            settings={settings as never}
                            title={title}
                            width={width}
                            height={height}
                          />
                        </ShownOrigins>
                      </ShownData>
                    </Suspense>
                  </WidgetBoundary>
                </BoardRoom>
              </InSight>
            ) : (
              <WidgetSkeleton isQuiet />
            )}
          </HeadOfNote>
        </ChartTools>
      </div>
    </article>
  );
}

/** Whether a title already names the range: "PR, 30 days" is of the last 30 days. */
const isSaid = (title: string, range: string): boolean =>
  title.toLowerCase().includes(range.toLowerCase().split(' ').slice(-2).join(' '));

function WidgetLink({ to, title }: { to: string; title: string }) {
  const { t } = useTranslation();
  const label = t('boards.follow', { title });
  if (!to.startsWith('/'))
    return (
      <a
        href={to}
        target="_blank"
        rel="noopener noreferrer"
        aria-label={label}
        className={classes.widgetLink}
      >
        <IconArrowUpRight size={16} aria-hidden />
      </a>
    );
  return (
    <Link to={to} aria-label={label} className={classes.widgetLink}>
      <IconArrowUpRight size={16} aria-hidden />
    </Link>
  );
}

function useInSight(element: HTMLElement | null): boolean {
  const [isInSight, setInSight] = useState(typeof IntersectionObserver === 'undefined');
  useEffect(() => {
    if (!element || typeof IntersectionObserver === 'undefined') return;
    const observer = new IntersectionObserver(
      (entries) => setInSight(entries.some((one) => one.isIntersecting)),
      { rootMargin: `${AHEAD_PX}px` },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return isInSight;
}
