import type { KnownWorld } from '../../../../app/entity-world-query.ts';
import '@xyflow/react/dist/base.css';
import { DIAGRAM_LIMITS, DIAGRAM_SYMBOLS, type Drawing } from '@albedo/contract/boards/widgets/diagram';
import { Button, Menu, SegmentedControl } from '@mantine/core';
import { IconPlus, IconSitemap } from '@tabler/icons-react';
import {
  Background,
  ConnectionMode,
  type EdgeChange,
  type NodeChange,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
} from '@xyflow/react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { nameOf } from '../../lines.ts';
import { type At, hasPlaces, placesOf } from '../../widgets/diagram/arrange.ts';
import {
  EDGE_TYPES,
  type LineEdge,
  lineEdge,
  NODE_TYPES,
  type PartNode,
  partNode,
} from '../../widgets/diagram/flow-parts.tsx';
import { DiagramSymbolView } from '../../widgets/diagram/symbol.tsx';
import classes from './diagram-editor.module.css';
import { DiagramPanel } from './diagram-panel.tsx';
import { type Chosen, inOrder, movedPart, withLine, without, withPart } from './drawing-changes.ts';

interface DiagramEditorProps {
  value: Drawing;
  world: KnownWorld;
  onChange: (value: Drawing) => void;
}

/** The sheet: parts are dragged or moved by arrow keys, and connected from side to side or from the panel. */
export function DiagramEditor(props: DiagramEditorProps) {
  return (
    <ReactFlowProvider>
      <Sheet {...props} />
    </ReactFlowProvider>
  );
}

function Sheet({ value, world, onChange }: DiagramEditorProps) {
  const { t } = useTranslation();
  const flow = useReactFlow();
  const [chosen, setChosen] = useState<Chosen>(null);
  /** Where a part is while it is dragged. */
  const [dragged, setDragged] = useState<{ id: string; at: At } | null>(null);
  const isDown = value.direction === 'down';
  const places = useMemo(() => {
    const all = placesOf(value);
    if (dragged) all.set(dragged.id, dragged.at);
    return all;
  }, [value, dragged]);
  const nodes = useMemo(
    () =>
      value.nodes.map((one): PartNode => {
        const name = one.name || t(`boards.diagram.symbols.${one.symbol}`);
        const shown = one.stream ? nameOf(one.stream) : '';
        const data = { symbol: one.symbol, name, value: shown, level: null, isStale: true, isOff: false };
        return {
          ...partNode(one.id, places.get(one.id) ?? { x: 0, y: 0 }, { ...data, share: null, isDown }),
          selected: chosen?.kind === 'part' && chosen.id === one.id,
          ariaLabel: name,
        };
      }),
    [value.nodes, places, chosen, isDown, t],
  );
  const edges = useMemo(
    () =>
      value.edges.map((one): LineEdge => {
        const way = one.stream ? (one.isReversed ? 'backwards' : 'forwards') : 'still';
        return {
          ...lineEdge(one.id, one, places, { text: '', way }),
          selected: chosen?.kind === 'line' && chosen.id === one.id,
        };
      }),
    [value.edges, places, chosen],
  );
  const remove = (gone: NonNullable<Chosen>) => {
    onChange(without(value, gone));
    setChosen(null);
  };
  const handleNodes = (changes: NodeChange<PartNode>[]) => {
    for (const change of changes) {
      if (change.type === 'remove') remove({ kind: 'part', id: change.id });
      if (change.type === 'select') choose({ kind: 'part', id: change.id }, change.selected);
      if (change.type !== 'position' || !change.position) continue;
      if (change.dragging) setDragged({ id: change.id, at: change.position });
      else {
        setDragged(null);
        // A click on a part ends a drag that went nowhere.
        const was = placesOf(value).get(change.id);
        const { x, y } = change.position;
        if (was && (Math.abs(was.x - x) >= 1 || Math.abs(was.y - y) >= 1))
          onChange(movedPart(value, change.id, change.position));
      }
    }
  };
  const handleEdges = (changes: EdgeChange<LineEdge>[]) => {
    for (const change of changes) {
      if (change.type === 'remove') remove({ kind: 'line', id: change.id });
      if (change.type === 'select') choose({ kind: 'line', id: change.id }, change.selected);
    }
  };
  const choose = (one: NonNullable<Chosen>, isChosen: boolean) =>
    setChosen((now) => (isChosen ? one : now?.id === one.id && now.kind === one.kind ? null : now));
  const isFull = value.nodes.length >= DIAGRAM_LIMITS.nodes;
  return (
    <div className={classes.sheet}>
      <div className={classes.bar}>
        <Menu position="bottom-start" width={240}>
          <Menu.Target>
            <Button leftSection={<IconPlus size={16} />} disabled={isFull}>
              {t('boards.diagram.add')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown className={classes.symbols}>
            {DIAGRAM_SYMBOLS.map((symbol) => (
              <Menu.Item
                key={symbol}
                leftSection={<DiagramSymbolView of={symbol} size={22} />}
                onClick={() => {
                  const [next, id] = withPart(value, symbol, chosen?.kind === 'part' ? chosen.id : null);
                  onChange(next);
                  setChosen({ kind: 'part', id });
                  requestAnimationFrame(() => void flow.fitView({ padding: 0.15, maxZoom: 1.3 }));
                }}
              >
                {t(`boards.diagram.symbols.${symbol}`)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
        <Button
          variant="default"
          leftSection={<IconSitemap size={16} />}
          disabled={hasPlaces(value.nodes) === false || value.nodes.length === 0}
          onClick={() => {
            onChange(inOrder(value));
            requestAnimationFrame(() => void flow.fitView({ padding: 0.15, maxZoom: 1.3 }));
          }}
        >
          {t('boards.diagram.arrange')}
        </Button>
        <SegmentedControl
          aria-label={t('boards.diagram.direction')}
          value={value.direction}
          data={(['right', 'down'] as const).map((one) => ({
            value: one,
            label: t(`boards.diagram.directions.${one}`),
          }))}
          onChange={(direction) => {
            onChange({ ...value, direction: direction as Drawing['direction'] });
            requestAnimationFrame(() => void flow.fitView({ padding: 0.15, maxZoom: 1.3 }));
          }}
        />
        <p className={classes.hint}>{t('boards.diagram.hint')}</p>
      </div>
      <div className={classes.canvas}>
        <ReactFlow<PartNode, LineEdge>
          nodes={nodes}
          edges={edges}
          nodeTypes={NODE_TYPES}
          edgeTypes={EDGE_TYPES}
          connectionMode={ConnectionMode.Loose}
          connectionRadius={30}
          onNodesChange={handleNodes}
          onEdgesChange={handleEdges}
          onConnect={({ source, target }) => {
            const [next, id] = withLine(value, source, target);
            onChange(next);
            if (id) setChosen({ kind: 'line', id });
          }}
          onPaneClick={() => setChosen(null)}
          deleteKeyCode={['Delete', 'Backspace']}
          multiSelectionKeyCode={null}
          selectionKeyCode={null}
          snapToGrid
          snapGrid={[4, 4]}
          fitView
          fitViewOptions={{ padding: 0.15, maxZoom: 1.3 }}
          minZoom={0.2}
          maxZoom={2}
          proOptions={{ hideAttribution: true }}
        >
          <Background gap={20} />
        </ReactFlow>
      </div>
      <aside className={classes.panel} aria-label={t('boards.diagram.panel')}>
        <DiagramPanel
          value={value}
          chosen={chosen}
          world={world}
          onChange={onChange}
          onChoose={setChosen}
          onRemove={remove}
        />
      </aside>
    </div>
  );
}
