import type { BoardItem, Place } from '@albedo/contract/boards/board-items';
import { BOARD_COLUMNS } from '@albedo/contract/boards/board-items';
import { ActionIcon, Tooltip } from '@mantine/core';
import { useMergedRef } from '@mantine/hooks';
import { IconCopy, IconGripVertical, IconLogin2, IconPencil, IconTrash } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react';
import { GridLayout, type Layout } from 'react-grid-layout';
import { useTranslation } from 'react-i18next';
import { GAP_PX, placesOf, ROW_PX } from '../layout.ts';
import { useContentSize } from '../use-content-size.ts';
import { WidgetFrame } from '../widget-frame.tsx';
import { sizeOf, widgetOf } from '../widgets/widgets.ts';
import { copyItem, withNewIds } from './clipboard.ts';
import classes from './editor.module.css';
import { moved, toLayout, toPlaces } from './grid-moves.ts';

/** The grid is edited as it is designed: it scrolls on screens that are narrower, px. */
const LEAST_WIDTH = 960;

interface EditorGridProps {
  items: readonly BoardItem[];
  chosen: string | null;
  onChoose: (id: string) => void;
  /** Opens the form. */
  onOpen: (id: string) => void;
  /** Goes into a group. */
  onEnter: (id: string) => void;
  onPlaces: (places: ReadonlyMap<string, Place>, kind?: string) => void;
  onAdd: (item: BoardItem) => void;
  onRemove: (id: string) => void;
}

const ARROWS: Readonly<Record<string, Partial<Place>>> = {
  ArrowLeft: { x: -1 },
  ArrowRight: { x: 1 },
  ArrowUp: { y: -1 },
  ArrowDown: { y: 1 },
};
const SIZES: Readonly<Record<string, Partial<Place>>> = {
  ArrowLeft: { w: -1 },
  ArrowRight: { w: 1 },
  ArrowUp: { h: -1 },
  ArrowDown: { h: 1 },
};

/** The widgets on the grid, moved and resized by mouse, touch and keys. */
export function EditorGrid(props: EditorGridProps) {
  const { items, chosen, onChoose, onOpen, onEnter, onPlaces, onAdd, onRemove } = props;
  const { t } = useTranslation();
  const { ref, width } = useContentSize();
  const places = useMemo(() => placesOf(items, sizeOf), [items]);
  const scrolled = useScrollTo(chosen === null ? undefined : places.get(chosen), width);
  const layout = useMemo(() => toLayout(places), [places]);
  const settle = (next: Layout) => {
    const after = toPlaces(next);
    const isSame = [...after].every(
      ([id, place]) => JSON.stringify(place) === JSON.stringify(placeOf(places, id)),
    );
    if (!isSame) onPlaces(after);
  };
  const handleKey = (event: KeyboardEvent, item: BoardItem) => {
    if (event.target !== event.currentTarget) return;
    const isCommand = event.ctrlKey || event.metaKey;
    const by = (event.shiftKey ? SIZES : ARROWS)[event.key];
    if (by && !isCommand) {
      event.preventDefault();
      onPlaces(moved(places, item.id, by), `${event.shiftKey ? 'resize' : 'move'} ${item.id}`);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      onOpen(item.id);
    } else if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault();
      // Whoever works by keys goes on at the next one.
      const { nextElementSibling: next, previousElementSibling: last } = event.currentTarget;
      onRemove(item.id);
      ((next ?? last) as HTMLElement | null)?.focus();
    } else if (isCommand && event.key.toLowerCase() === 'c') {
      event.preventDefault();
      copyItem(item);
    } else if (isCommand && event.key.toLowerCase() === 'd') {
      event.preventDefault();
      onAdd(withNewIds(item));
    }
  };
  return (
    <div ref={useMergedRef(ref, scrolled)} className={classes.scroll}>
      {width > 0 ? (
        <GridLayout
          width={Math.max(LEAST_WIDTH, width)}
          layout={layout}
          gridConfig={{
            cols: BOARD_COLUMNS,
            rowHeight: ROW_PX,
            margin: [GAP_PX, GAP_PX],
            containerPadding: [0, 0],
          }}
          dragConfig={{ enabled: true, handle: `.${classes.grip}` }}
          resizeConfig={{ enabled: true, handles: ['se', 'e', 's'] }}
          onDragStop={settle}
          onResizeStop={settle}
          className={classes.grid ?? ''}
        >
          {items.map((item) => {
            const title = item.title || t(`boards.widgets.${item.kind}`);
            const isGroup = item.kind === 'group';
            return (
              // biome-ignore lint/a11y/useSemanticElements: a widget holds buttons of its own.
              <div
                key={item.id}
                className={classes.item}
                data-chosen={item.id === chosen}
                role="group"
                // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move and resize it.
                tabIndex={0}
                aria-label={title}
                aria-describedby="board-editor-keys"
                onFocus={() => onChoose(item.id)}
                onDoubleClick={() => (isGroup ? onEnter(item.id) : onOpen(item.id))}
                onKeyDown={(event) => handleKey(event, item)}
              >
                <div className={classes.inert} inert>
                  {isGroup ? <GroupPreview item={item} title={title} /> : <WidgetFrame item={item} />}
                </div>
                <div className={classes.tools}>
                  <span className={classes.grip} title={t('boards.move')}>
                    <IconGripVertical size={16} aria-hidden />
                    <span>{title}</span>
                  </span>
                  {isGroup ? (
                    <Tool
                      label={t('boards.enter', { title })}
                      Icon={IconLogin2}
                      onClick={() => onEnter(item.id)}
                    />
                  ) : null}
                  <Tool
                    label={t('boards.editWidget', { title })}
                    Icon={IconPencil}
                    onClick={() => onOpen(item.id)}
                  />
                  <Tool
                    label={t('boards.copyWidget', { title })}
                    Icon={IconCopy}
                    onClick={() => copyItem(item)}
                  />
                  <Tool
                    label={t('boards.removeWidget', { title })}
                    Icon={IconTrash}
                    onClick={() => onRemove(item.id)}
                  />
                </div>
              </div>
            );
          })}
        </GridLayout>
      ) : null}
      <p id="board-editor-keys" className={classes.keys}>
        {t('boards.keys')}
      </p>
    </div>
  );
}

/** Scrolls a grid that is wider than its room to what is chosen, also once a form beside it takes room away. */
function useScrollTo(place: Place | undefined, width: number) {
  const ref = useRef<HTMLDivElement>(null);
  const column = Math.max(LEAST_WIDTH, width) / BOARD_COLUMNS;
  const left = (place?.x ?? 0) * column;
  const right = place ? left + place.w * column : 0;
  useEffect(() => {
    const box = ref.current;
    if (!box || right === 0 || width === 0) return;
    box.scrollLeft = Math.min(left, Math.max(box.scrollLeft, right - width));
  }, [left, right, width]);
  return ref;
}

const placeOf = (places: ReadonlyMap<string, Place>, id: string) => places.get(id);

function Tool({ label, Icon, onClick }: { label: string; Icon: typeof IconPencil; onClick: () => void }) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" size="sm" onClick={onClick} aria-label={label}>
        <Icon size={15} />
      </ActionIcon>
    </Tooltip>
  );
}

function GroupPreview({ item, title }: { item: BoardItem; title: string }) {
  const { t } = useTranslation();
  const inside = item.items ?? [];
  return (
    <section className={classes.group}>
      <h2>{title}</h2>
      <p>{t('boards.widgetsOf', { count: inside.length })}</p>
      <ul>
        {inside.map(({ id, kind, title: name }) => {
          const Icon = widgetOf(kind)?.Icon;
          return (
            <li key={id}>
              {Icon ? <Icon size={15} aria-hidden /> : null}
              {name || t(`boards.widgets.${kind}`)}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
