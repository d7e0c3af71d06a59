import type { SettingsOf } from '@albedo/contract/boards/widgets/widgets';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { levelOf, textOf } from '../../levels.ts';
import { useFigures } from '../../use-figures.ts';
import type { WidgetProps } from '../../widget.ts';
import { WidgetNote } from '../../widget-error.tsx';
import { useLineOfEach } from '../use-lines.ts';
import classes from './image.module.css';

/** A picture with newest values where they belong. */
export function ImageView({ settings: { picture, alt, marks } }: WidgetProps<SettingsOf<'image'>>) {
  const { t } = useTranslation();
  const streams = useMemo(() => marks.map(({ stream }) => stream), [marks]);
  const byMark = useLineOfEach(streams);
  const lines = useMemo(() => byMark.filter((line) => line !== null), [byMark]);
  const { figures } = useFigures({ lines, fn: 'latest' });
  if (picture === '') return <WidgetNote text={t('boards.noPicture')} />;
  const byKey = new Map(figures.map((one) => [one.line.key, one]));
  return (
    <div className={classes.frame}>
      <div className={classes.picture}>
        <img src={picture} alt={alt} />
        {marks.map((mark, at) => {
          const figure = byKey.get(byMark[at]?.key ?? '');
          const value = figure?.value ?? null;
          const name = mark.stream.name;
          return (
            <span
              // biome-ignore lint/suspicious/noArrayIndexKey: marks have no names of their own.
              key={at}
              className={classes.mark}
              style={{ left: `${mark.x}%`, top: `${mark.y}%` }}
              data-level={levelOf(value, mark.thresholds) ?? undefined}
              data-stale={figure?.isStale}
            >
              {name ? <small>{name}</small> : null}
              {textOf(value, figure?.line.units ?? null, mark)}
            </span>
          );
        })}
      </div>
    </div>
  );
}
