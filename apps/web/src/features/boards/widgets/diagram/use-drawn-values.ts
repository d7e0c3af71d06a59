import type { Drawing } from '@albedo/contract/boards/widgets/diagram';
import type { CsvValue } from '@albedo/contract/csv/csv-writer';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useBoard } from '../../board-context.ts';
import { levelOf, textOf } from '../../levels.ts';
import { type Figure, useFigures } from '../../use-figures.ts';
import { useStateOf } from '../states.ts';
import { useLineOfEach } from '../use-lines.ts';
import type { LineData, PartFacts, Way } from './flow-parts.tsx';

interface Drawn {
  parts: PartFacts[];
  lines: LineData[];
  /** All of it in words: name and value. */
  words: [name: string, value: string][];
  /** The same as it is: name, value and unit. */
  figures: CsvValue[][];
}

/** What parts and lines of a drawing are now. */
export function useDrawnValues({ nodes, edges }: Drawing): Drawn {
  const { t } = useTranslation();
  const { world } = useBoard();
  const stateOf = useStateOf();
  const streams = useMemo(() => [...nodes, ...edges].map(({ stream }) => stream), [nodes, edges]);
  const each = useLineOfEach(streams);
  const lines = useMemo(() => each.filter((line) => line !== null), [each]);
  const { figures } = useFigures({ lines, fn: 'latest' });
  return useMemo(() => {
    const byKey = new Map(figures.map((one) => [one.line.key, one]));
    const figureAt = (at: number) => byKey.get(each[at]?.key ?? '');
    const parts = nodes.map((node, at) => {
      const figure = figureAt(at);
      const value = figure?.value ?? null;
      const name = node.name || t(`boards.diagram.symbols.${node.symbol}`);
      const [stream] = figure?.line.streams ?? [];
      const entity = stream && world.entity(stream.entity);
      const states = entity ? world.machineOf(entity)?.states : undefined;
      const isState = node.stream?.role === 'state' && value !== null;
      const state = isState ? stateOf(stream?.field ?? '', value, node.thresholds, states) : null;
      const text = state?.word ?? textOf(value, figure?.line.units ?? null, node);
      return {
        ...{ symbol: node.symbol, name, value: node.stream ? text : '', isStale: figure?.isStale ?? false },
        level: state?.level ?? levelOf(value, node.thresholds),
        isOff: value === 0,
        share: typeof value === 'number' ? value / 100 : null,
      };
    });
    const named = new Map(nodes.map(({ id }, at) => [id, parts[at]?.name ?? id]));
    const flows = edges.map((edge, at) => {
      const figure = figureAt(nodes.length + at);
      const way = edge.stream ? wayOf(figure, edge) : 'still';
      const value = figure?.value ?? null;
      return {
        edge,
        figure,
        way,
        text: typeof value === 'number' ? textOf(Math.abs(value), figure?.line.units ?? null) : '',
      };
    });
    const words: Drawn['words'] = [
      ...parts.map(({ name, value }): [string, string] => [name, value]),
      ...flows.flatMap(({ edge, way, text }): [string, string][] => {
        if (!edge.stream) return [];
        const [from, to] = way === 'backwards' ? [edge.to, edge.from] : [edge.from, edge.to];
        const ends = t('boards.diagram.fromTo', { from: named.get(from), to: named.get(to) });
        return [[ends, way === 'still' ? t('boards.diagram.still') : text || '–']];
      }),
    ];
    // The part beside it often says the same; a line says only what no part at its ends says.
    const said = new Map(nodes.map(({ id, stream }) => [id, JSON.stringify(stream)]));
    const drawn = flows.map(({ edge, way, text }) => {
      const own = JSON.stringify(edge.stream);
      const isSaid = said.get(edge.from) === own || said.get(edge.to) === own;
      return { way, text: isSaid || way === 'still' ? '' : text };
    });
    const told = words.map(([name], at) => {
      const figure =
        at < nodes.length ? figureAt(at) : flows.filter(({ edge }) => edge.stream)[at - nodes.length]?.figure;
      return [name, figure?.value ?? null, figure?.line.units ?? null];
    });
    return { parts, lines: drawn, words, figures: told };
  }, [nodes, edges, figures, each, world, stateOf, t]);
}

/** Where it flows to; unknown where nothing is measured, or was measured long ago. */
function wayOf(
  figure: Figure | undefined,
  { isReversed, idle }: { isReversed?: boolean | undefined; idle: number },
): Way {
  if (!figure || figure.isStale || typeof figure.value !== 'number') return 'unknown';
  if (Math.abs(figure.value) <= idle) return 'still';
  return figure.value > 0 === (isReversed ?? false) ? 'backwards' : 'forwards';
}
