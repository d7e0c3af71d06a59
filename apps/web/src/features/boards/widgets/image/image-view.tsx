import { isPicture } from '@albedo/contract/boards/addresses';
import type { SettingsOf } from '@albedo/contract/boards/widgets/widgets';
import { type SyntheticEvent, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { namedData } from '../../figure-data.ts';
import { levelOf, textOf } from '../../levels.ts';
import { useFigures } from '../../use-figures.ts';
import type { WidgetProps } from '../../widget.ts';
import { useWidgetData } from '../../widget-data.ts';
import { WidgetNote } from '../../widget-error.tsx';
import { useLineOfEach } from '../use-lines.ts';
import classes from './image.module.css';

/** A picture with newest values where they belong. */
export function ImageView({ settings, width, height }: WidgetProps<SettingsOf<'image'>>) {
  const { picture, alt, marks } = settings;
  const { t } = useTranslation();
  const [seen, setSeen] = useState<{ picture: string; size: Size | null } | null>(null);
  const streams = useMemo(() => marks.map(({ stream }) => stream), [marks]);
  const byMark = useLineOfEach(streams);
  const lines = useMemo(() => byMark.filter((line) => line !== null), [byMark]);
  const { figures } = useFigures({ lines, fn: 'latest' });
  const byKey = new Map(figures.map((one) => [one.line.key, one]));
  useWidgetData(
    namedData(
      marks.map(({ stream }, at) => {
        const figure = byKey.get(byMark[at]?.key ?? '');
        const units = figure?.line.units ?? null;
        return {
          name: stream.name ?? figure?.line.label ?? '',
          value: figure?.value ?? null,
          units,
          at: figure?.at ?? null,
        };
      }),
    ),
  );
  if (picture === '') return <WidgetNote text={t('boards.noPicture')} />;
  const known = seen?.picture === picture ? seen : null;
  if (known?.size === null || !isPicture(picture))
    return <WidgetNote text={t('boards.pictureBroken')} isBad />;
  const handleLoad = ({ currentTarget: { naturalWidth, naturalHeight } }: SyntheticEvent<HTMLImageElement>) =>
    setSeen({ picture, size: { width: naturalWidth, height: naturalHeight } });
  return (
    <div className={classes.frame}>
      {/* Marks stand on the picture, so what holds both is exactly as large as it. */}
      <div
        className={classes.picture}
        style={known?.size ? within(known.size, { width, height }) : undefined}
      >
        <img src={picture} alt={alt} onLoad={handleLoad} onError={() => setSeen({ picture, size: null })} />
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

interface Size {
  width: number;
  height: number;
}

/** As large as there is room, with its own proportions; a drawing may say none. */
function within({ width, height }: Size, room: Size): Size {
  if (width === 0 || height === 0) return room;
  const scale = Math.min(room.width / width, room.height / height);
  return { width: width * scale, height: height * scale };
}
