import '@xyflow/react/dist/base.css';
import type { SettingsOf } from '@albedo/contract/boards/widgets/widgets';
import { ActionIcon } from '@mantine/core';
import { IconTable } from '@tabler/icons-react';
import { ConnectionMode, ReactFlow, ReactFlowProvider } from '@xyflow/react';
import { useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { askCsv } from '../../../../ui/csv/csv-ask.ts';
import type { WidgetProps } from '../../widget.ts';
import { WidgetNote } from '../../widget-error.tsx';
import listClasses from '../list.module.css';
import { SaveButton } from '../save-button.tsx';
import { boundsOf, hasPlaces, placesOf } from './arrange.ts';
import classes from './diagram.module.css';
import { EDGE_TYPES, lineEdge, NODE_TYPES, type PartFacts, partNode } from './flow-parts.tsx';
import { useDrawnValues } from './use-drawn-values.ts';

/** Smaller than this nobody reads it: then it scrolls. Larger would only look coarse. */
const [SMALLEST, LARGEST] = [0.62, 1.35];
/** Room around it, px. */
const AROUND = 10;
/** Narrower than this a drawing without places goes down, px. */
const NARROW = 480;

/** Parts with their newest values, and between them what flows, and where to. */
export function DiagramView({
  settings: { drawing },
  title,
  width,
  height,
}: WidgetProps<SettingsOf<'diagram'>>) {
  const { t } = useTranslation();
  const [isTable, setTable] = useState(false);
  const isDown = drawing.direction === 'down' || (width < NARROW && !hasPlaces(drawing.nodes));
  const places = useMemo(() => placesOf(drawing, isDown), [drawing, isDown]);
  const { parts, lines, words, figures } = useDrawnValues(drawing);
  const nodes = useMemo(
    () =>
      drawing.nodes.map(({ id }, at) =>
        partNode(id, places.get(id) ?? { x: 0, y: 0 }, { ...(parts[at] as PartFacts), isDown }),
      ),
    [drawing, places, parts, isDown],
  );
  const edges = useMemo(
    () =>
      drawing.edges.map((one, at) =>
        lineEdge(one.id, one, places, lines[at] ?? { text: '', way: 'unknown' }),
      ),
    [drawing, places, lines],
  );
  const id = useId();
  if (drawing.nodes.length === 0) return <WidgetNote text={t('boards.diagram.none')} />;
  const save = () => {
    const columns = [
      { title: t('boards.diagram.part') },
      { title: t('boards.last.value') },
      { title: t('boards.last.unit') },
    ];
    askCsv({ title, table: () => ({ columns, rows: figures }) });
  };
  const bounds = boundsOf(places);
  const room = { width: width + 24 - 2 * AROUND, height: height + 12 - 2 * AROUND };
  const fits = Math.min(LARGEST, room.width / bounds.width, room.height / bounds.height);
  const zoom = Math.max(SMALLEST, fits);
  const size = { width: bounds.width * zoom + 2 * AROUND, height: bounds.height * zoom + 2 * AROUND };
  // In the middle where there is more room than it takes.
  const beside = (has: number, takes: number) => Math.max(AROUND, (has - takes) / 2 + AROUND);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
    <div className={`${classes.frame} ${listClasses.scroll}`} tabIndex={0}>
      <SaveButton title={title} onSave={save} />
      <ActionIcon
        className={listClasses.save}
        style={{ right: 30 }}
        variant="subtle"
        color="gray"
        size="sm"
        aria-pressed={isTable}
        aria-label={t('boards.asTable', { title })}
        onClick={() => setTable(!isTable)}
      >
        <IconTable size={16} />
      </ActionIcon>
      {isTable ? (
        <table className={listClasses.table}>
          <thead>
            <tr>
              <th scope="col">{t('boards.diagram.part')}</th>
              <th scope="col">{t('boards.last.value')}</th>
            </tr>
          </thead>
          <tbody>
            {words.map(([name, value], at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: names may be the same.
              <tr key={at}>
                <th scope="row">{name}</th>
                <td>{value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : (
        <div
          className={classes.canvas}
          style={{ ...size, minWidth: '100%', minHeight: '100%' }}
          role="img"
          aria-label={words.map((one) => one.filter((part) => part !== '').join(' ')).join(', ')}
        >
          <ReactFlowProvider>
            <ReactFlow
              id={id}
              nodes={nodes}
              edges={edges}
              nodeTypes={NODE_TYPES}
              edgeTypes={EDGE_TYPES}
              connectionMode={ConnectionMode.Loose}
              viewport={{
                x: beside(room.width, bounds.width * zoom) - bounds.x * zoom,
                y: beside(room.height, bounds.height * zoom) - bounds.y * zoom,
                zoom,
              }}
              minZoom={SMALLEST}
              maxZoom={LARGEST}
              proOptions={{ hideAttribution: true }}
              {...STANDS}
            />
          </ReactFlowProvider>
        </div>
      )}
    </div>
  );
}

/** On a board nothing of it moves; the board scrolls. */
const STANDS = {
  nodesDraggable: false,
  nodesConnectable: false,
  nodesFocusable: false,
  edgesFocusable: false,
  elementsSelectable: false,
  panOnDrag: false,
  panOnScroll: false,
  zoomOnScroll: false,
  zoomOnPinch: false,
  zoomOnDoubleClick: false,
  preventScrolling: false,
  disableKeyboardA11y: true,
} as const;
