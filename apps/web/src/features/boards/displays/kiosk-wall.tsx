import type { Entity } from '@albedo/contract/entities/entities.schema';
import { ActionIcon, Select, Tooltip } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconMinimize } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../../app/now.ts';
import { formatInstant } from '../../../ui/time-range/zoned-time.ts';
import { useBoard } from '../board-context.ts';
import classes from './displays.module.css';
import { useTurn } from './use-turn.ts';
import { useWall } from './use-wall.ts';

/** Seconds that each entity is shown; 0 stays with the chosen one. */
const TURNS = [0, 10, 30, 60, 300] as const;

export interface KioskProps {
  name: string;
  /** The entities that it can cycle through. */
  choices: readonly Entity[];
  onEntity: (id: string) => void;
  children: ReactNode;
}

/** The board with its name and the time, covering the whole window. */
export function KioskWall({ name, choices, onEntity, children }: KioskProps) {
  const { t } = useTranslation();
  const { byId, entityId, zone } = useBoard();
  const navigate = useNavigate();
  const { turn } = useSearch({ strict: false }) as { turn?: unknown };
  const intervalS = TURNS.find((seconds) => seconds === turn) ?? 0;
  const now = useNow(10_000);
  useWall();
  const search = (parts: object) =>
    void navigate({
      to: '.',
      search: ((old: object) => ({ ...old, ...parts })) as never,
      resetScroll: false,
    });
  const leave = () => {
    if (document.fullscreenElement) void document.exitFullscreen();
    search({ kiosk: undefined, turn: undefined });
  };
  useHotkeys([['Escape', leave]]);
  const [at] = useTurn(choices.length, { intervalS });
  const shown = useRef(at);
  useEffect(() => {
    const next = choices[at];
    if (shown.current === at || !next) return;
    shown.current = at;
    onEntity(next._id);
  }, [at, choices, onEntity]);
  const subject = byId.get(entityId)?.name;
  return (
    <div className={`${classes.wall} ${classes.kiosk}`} data-fills role="dialog" aria-label={name}>
      <header className={classes.bar}>
        <h1>{name}</h1>
        {subject && subject !== name ? <p className={classes.subject}>{subject}</p> : null}
        <span className={classes.space} />
        {choices.length > 1 ? (
          <Select
            aria-label={t('boards.display.turn')}
            w={170}
            allowDeselect={false}
            data={TURNS.map((seconds) => ({
              value: String(seconds),
              label:
                seconds === 0
                  ? t('boards.display.turnOff')
                  : t('boards.display.turnEvery', { count: seconds }),
            }))}
            value={String(intervalS)}
            onChange={(value) => search({ turn: Number(value) || undefined })}
          />
        ) : null}
        <time className={classes.clock}>{formatInstant(now, zone, false)}</time>
        <Tooltip label={t('boards.display.leave')}>
          <ActionIcon variant="default" size={36} aria-label={t('boards.display.leave')} onClick={leave}>
            <IconMinimize size={18} />
          </ActionIcon>
        </Tooltip>
      </header>
      {children}
    </div>
  );
}
