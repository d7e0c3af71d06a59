import { Checkbox } from '@mantine/core';
import { IconChevronRight, IconCube, IconFolder } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type DragEvent,
  Fragment,
  type KeyboardEvent,
  type MouseEvent,
  useEffect,
  useId,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';
import classes from './entities.module.css';
import { LabelChip } from './label-chip.tsx';
import type { TreeRow } from './tree-rows.ts';

export type TreeMode = 'look' | 'reorganise' | 'bulk';
/** What is not saved yet of an entity: its place, or something else. */
export type Unsaved = 'moved' | 'changed';

interface EntityTreeProps {
  rows: readonly TreeRow[];
  mode: TreeMode;
  /** Id of the entity that is looked at. */
  active: string | null;
  /** Ids of those that are chosen together, in the modes that have it. */
  chosen: ReadonlySet<string>;
  /** By id. */
  unsaved: ReadonlyMap<string, Unsaved>;
  wanted: string;
  onActive: (id: string, isKey: boolean) => void;
  onChoose: (ids: ReadonlySet<string>) => void;
  onTurn: (id: string, isOpen: boolean) => void;
  /** Whether all that is dragged may be dropped there; null is the top of the tree. */
  canDrop: (ids: readonly string[], to: string | null) => boolean;
  onDrop: (ids: readonly string[], to: string | null) => void;
}

const ROW_PX = 34;
const NARROW_ROW_PX = 44;
const INDENT_PX = 20;

/** The tree of entities; only the lines in sight are drawn. Keys: those of any tree, and Alt with arrows to move. */
export function EntityTree(props: EntityTreeProps) {
  const { rows, mode, active, chosen, unsaved, wanted, onActive, onChoose, onTurn } = props;
  const { t } = useTranslation();
  const id = useId();
  const rowPx = useIsNarrow() ? NARROW_ROW_PX : ROW_PX;
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  const [anchor, setAnchor] = useState<string | null>(null);
  const [target, setTarget] = useState<string | null>(null);
  const [dragged, setDragged] = useState<readonly string[]>([]);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller,
    estimateSize: () => rowPx,
    overscan: 12,
  });
  const at = rows.findIndex(({ entity }) => entity._id === active);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it follows the line that is looked at, not every drawing.
  useEffect(() => {
    if (at >= 0) virtualizer.scrollToIndex(at, { align: 'auto' });
  }, [active, at]);

  /** Ticks one, or with shift everything between it and the last one. */
  function choose(one: string, isRange: boolean, isMore: boolean): void {
    const [from, to] = [rows.findIndex(({ entity }) => entity._id === anchor), indexOf(one)];
    if (isRange && from >= 0) {
      const [low, high] = [Math.min(from, to), Math.max(from, to)];
      const between = rows.slice(low, high + 1).map(({ entity }) => entity._id);
      onChoose(new Set([...chosen, ...between]));
      return;
    }
    setAnchor(one);
    const next = new Set(isMore ? chosen : []);
    if (isMore && chosen.has(one)) next.delete(one);
    else next.add(one);
    onChoose(next);
  }

  const indexOf = (one: string) => rows.findIndex(({ entity }) => entity._id === one);

  function handleClick(event: MouseEvent, one: string): void {
    onActive(one, mode !== 'look');
    if (mode !== 'look') choose(one, event.shiftKey, mode === 'bulk' || event.ctrlKey || event.metaKey);
  }

  function handleKey(event: KeyboardEvent): void {
    const row = rows[at];
    const go = (to: number) => {
      const next = rows[Math.max(0, Math.min(rows.length - 1, to))];
      if (next) onActive(next.entity._id, true);
    };
    const page = Math.max(1, Math.floor((scroller?.clientHeight ?? 0) / rowPx) - 1);
    if (event.altKey && row && mode === 'reorganise') {
      if (event.key === 'ArrowRight') moveIn(row);
      else if (event.key === 'ArrowLeft') moveOut(row);
      else return;
      event.preventDefault();
      return;
    }
    switch (event.key) {
      case 'ArrowDown':
        go(at + 1);
        break;
      case 'ArrowUp':
        go(at < 0 ? 0 : at - 1);
        break;
      case 'PageDown':
        go(at + page);
        break;
      case 'PageUp':
        go(at - page);
        break;
      case 'Home':
        go(0);
        break;
      case 'End':
        go(rows.length - 1);
        break;
      case 'ArrowRight':
        if (row?.hasChildren && !row.isOpen) onTurn(row.entity._id, true);
        else if (row?.isOpen) go(at + 1);
        break;
      case 'ArrowLeft':
        if (row?.isOpen && wanted === '') onTurn(row.entity._id, false);
        else if (row) go(parentIndex(at));
        break;
      case ' ':
        if (row && mode !== 'look') choose(row.entity._id, event.shiftKey, true);
        break;
      case 'Enter':
        if (row) onActive(row.entity._id, false);
        break;
      default:
        return;
    }
    event.preventDefault();
  }

  const parentIndex = (from: number): number => {
    const depth = rows[from]?.depth ?? 0;
    for (let one = from - 1; one >= 0; one--) if ((rows[one]?.depth ?? 0) < depth) return one;
    return from;
  };

  const together = (one: string): readonly string[] => (chosen.has(one) ? [...chosen] : [one]);

  /** Below the one above it on the same level. */
  function moveIn({ entity, depth }: TreeRow): void {
    for (let one = at - 1; one >= 0; one--) {
      const above = rows[one];
      if (!above || above.depth < depth) return;
      if (above.depth === depth && !chosen.has(above.entity._id)) {
        drop(together(entity._id), above.entity._id);
        return;
      }
    }
  }

  /** Beside the one that it stands below. */
  function moveOut({ entity, depth }: TreeRow): void {
    if (depth === 0) return;
    const parent = rows[parentIndex(at)];
    const above = parent && parent.depth > 0 ? rows[parentIndex(rows.indexOf(parent))] : null;
    drop(together(entity._id), above ? above.entity._id : null);
  }

  function drop(ids: readonly string[], to: string | null): void {
    if (ids.length > 0 && props.canDrop(ids, to)) props.onDrop(ids, to);
  }

  function handleDragOver(event: DragEvent, over: string | null): void {
    if (dragged.length === 0 || !props.canDrop(dragged, over)) return;
    event.preventDefault();
    event.stopPropagation();
    setTarget(over ?? '');
  }

  function handleDrop(event: DragEvent, over: string | null): void {
    event.preventDefault();
    event.stopPropagation();
    drop(dragged, over);
    setDragged([]);
    setTarget(null);
  }

  return (
    <div
      ref={setScroller}
      className={classes.tree}
      data-mode={mode}
      role="tree"
      tabIndex={0}
      aria-label={t('entities.tree')}
      aria-multiselectable={mode !== 'look'}
      aria-activedescendant={at >= 0 ? `${id}-${at}` : undefined}
      onKeyDown={handleKey}
      onDragOver={(event) => handleDragOver(event, null)}
      onDrop={(event) => handleDrop(event, null)}
    >
      <div
        style={{ height: virtualizer.getTotalSize(), position: 'relative', minHeight: '100%' }}
        role="none"
      >
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          if (!row) return null;
          const { entity, depth, hasChildren, isOpen, isMatch } = row;
          const { _id, name, labels } = entity;
          const tag = unsaved.get(_id);
          const isChosen = mode !== 'look' && chosen.has(_id);
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the tree around it has the keys.
            // biome-ignore lint/a11y/useFocusableInteractive: the tree keeps the focus and says which line is meant.
            <div
              key={_id}
              id={`${id}-${index}`}
              role="treeitem"
              className={classes.row}
              style={{
                height: rowPx,
                transform: `translateY(${start}px)`,
                paddingLeft: 8 + depth * INDENT_PX,
              }}
              aria-level={depth + 1}
              aria-selected={mode === 'look' ? _id === active : isChosen}
              {...(hasChildren ? { 'aria-expanded': isOpen } : {})}
              data-active={_id === active}
              data-chosen={isChosen || (mode === 'look' && _id === active)}
              data-target={target === _id}
              draggable={mode === 'reorganise'}
              onClick={(event) => handleClick(event, _id)}
              onDragStart={(event) => {
                event.dataTransfer.effectAllowed = 'move';
                event.dataTransfer.setData('text/plain', _id);
                setDragged(together(_id));
              }}
              onDragEnd={() => {
                setDragged([]);
                setTarget(null);
              }}
              onDragOver={(event) => handleDragOver(event, _id)}
              onDrop={(event) => handleDrop(event, _id)}
            >
              <button
                type="button"
                className={classes.turn}
                tabIndex={-1}
                aria-hidden
                data-open={isOpen}
                style={hasChildren ? undefined : { visibility: 'hidden' }}
                onClick={(event) => {
                  event.stopPropagation();
                  onTurn(_id, !isOpen);
                }}
              >
                <IconChevronRight size={16} />
              </button>
              {mode === 'bulk' ? (
                <Checkbox
                  size="xs"
                  checked={isChosen}
                  readOnly
                  tabIndex={-1}
                  aria-hidden
                  style={{ pointerEvents: 'none' }}
                />
              ) : null}
              {hasChildren ? (
                <IconFolder size={16} className={classes.icon ?? ''} aria-hidden />
              ) : (
                <IconCube size={16} className={classes.icon ?? ''} aria-hidden />
              )}
              <span className={classes.name} data-dimmed={wanted !== '' && !isMatch}>
                <Marked text={name} wanted={wanted} />
              </span>
              {/* All that the line shows is its name; without the spaces it would be one word. */}{' '}
              {tag === undefined ? null : <span className={classes.moved}>{t(`entities.${tag}`)}</span>}{' '}
              <span className={classes.labels}>
                {labels.map((label) => (
                  <Fragment key={label}>
                    <LabelChip id={label} />{' '}
                  </Fragment>
                ))}
              </span>
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** A name with the part that was looked for. */
function Marked({ text, wanted }: { text: string; wanted: string }) {
  const at = wanted === '' ? -1 : text.toLowerCase().indexOf(wanted);
  if (at < 0) return text;
  const end = at + wanted.length;
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, end)}</mark>
      {text.slice(end)}
    </>
  );
}
