import {
  DIAGRAM_SYMBOLS,
  type DiagramEdge,
  type DiagramNode,
  type DiagramSymbol,
  type Drawing,
} from '@albedo/contract/boards/widgets/diagram';
import { Button, Checkbox, NumberInput, Select, Stack, TextInput } from '@mantine/core';
import { IconArrowLeft, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { KnownWorld } from '../../../../app/entity-world-query.ts';
import { DiagramSymbolView } from '../../widgets/diagram/symbol.tsx';
import { ThresholdsField } from '../fields/thresholds-field.tsx';
import { StreamField } from '../stream-field.tsx';
import classes from './diagram-editor.module.css';
import { type Chosen, changedLine, changedPart, withLine } from './drawing-changes.ts';

interface PanelProps {
  value: Drawing;
  chosen: Chosen;
  world: KnownWorld;
  onChange: (value: Drawing) => void;
  onChoose: (chosen: Chosen) => void;
  onRemove: (gone: NonNullable<Chosen>) => void;
}

const FIRST = { over: 'descendants', role: 'acPower', combine: 'sum' } as const;

/** What is chosen on the sheet; with nothing chosen, a list of all there is. */
export function DiagramPanel(props: PanelProps) {
  const { t } = useTranslation();
  const { value, chosen, onChoose, onRemove } = props;
  const part = chosen?.kind === 'part' ? value.nodes.find(({ id }) => id === chosen.id) : undefined;
  const line = chosen?.kind === 'line' ? value.edges.find(({ id }) => id === chosen.id) : undefined;
  if (!chosen || !(part || line)) return <Everything {...props} />;
  return (
    <Stack gap="sm">
      <Button
        size="compact-sm"
        variant="subtle"
        leftSection={<IconArrowLeft size={14} />}
        onClick={() => onChoose(null)}
        className={classes.back}
      >
        {t('boards.diagram.all')}
      </Button>
      {part ? <PartForm key={part.id} part={part} {...props} /> : null}
      {line ? <LineForm key={line.id} line={line} {...props} /> : null}
      <Button
        variant="default"
        leftSection={<IconTrash size={15} />}
        className={classes.back}
        onClick={() => onRemove(chosen)}
      >
        {t(part ? 'boards.diagram.removePart' : 'boards.diagram.removeLine')}
      </Button>
    </Stack>
  );
}

function usePartName() {
  const { t } = useTranslation();
  return ({ name, symbol }: DiagramNode) => name || t(`boards.diagram.symbols.${symbol}`);
}

function useLineName({ nodes }: Drawing) {
  const { t } = useTranslation();
  const partName = usePartName();
  const nameOf = (id: string) => {
    const part = nodes.find((one) => one.id === id);
    return part ? partName(part) : id;
  };
  return ({ from, to }: DiagramEdge) => t('boards.diagram.fromTo', { from: nameOf(from), to: nameOf(to) });
}

function Everything({ value, onChoose }: PanelProps) {
  const { t } = useTranslation();
  const partName = usePartName();
  const lineName = useLineName(value);
  if (value.nodes.length === 0) return <p className={classes.hint}>{t('boards.diagram.empty')}</p>;
  return (
    <>
      <h3>{t('boards.diagram.parts')}</h3>
      <ul className={classes.list}>
        {value.nodes.map((one) => (
          <li key={one.id}>
            <button type="button" onClick={() => onChoose({ kind: 'part', id: one.id })}>
              <DiagramSymbolView of={one.symbol} size={20} />
              {partName(one)}
            </button>
          </li>
        ))}
      </ul>
      <h3>{t('boards.diagram.lines')}</h3>
      <ul className={classes.list}>
        {value.edges.map((one) => (
          <li key={one.id}>
            <button type="button" onClick={() => onChoose({ kind: 'line', id: one.id })}>
              {lineName(one)}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

function PartForm({ part, value, world, onChange, onChoose }: PanelProps & { part: DiagramNode }) {
  const { t } = useTranslation();
  const partName = usePartName();
  const set = (change: Partial<DiagramNode>) => onChange(changedPart(value, part.id, change));
  return (
    <>
      <Select
        label={t('boards.diagram.symbol')}
        data={DIAGRAM_SYMBOLS.map((one) => ({ value: one, label: t(`boards.diagram.symbols.${one}`) }))}
        value={part.symbol}
        allowDeselect={false}
        searchable
        onChange={(next) => next && set({ symbol: next as DiagramSymbol })}
      />
      <TextInput
        label={t('boards.name')}
        placeholder={t(`boards.diagram.symbols.${part.symbol}`)}
        value={part.name}
        maxLength={120}
        onChange={({ currentTarget }) => set({ name: currentTarget.value })}
      />
      <Select
        label={t('boards.diagram.lineTo')}
        placeholder={t('boards.diagram.choosePart')}
        data={value.nodes.flatMap((one) =>
          one.id === part.id ? [] : [{ value: one.id, label: partName(one) }],
        )}
        value={null}
        searchable
        onChange={(to) => {
          if (!to) return;
          const [next, id] = withLine(value, part.id, to);
          onChange(next);
          onChoose({ kind: 'line', id });
        }}
      />
      <Checkbox
        label={t('boards.diagram.hasValue')}
        checked={part.stream !== undefined}
        onChange={({ currentTarget }) => set({ stream: currentTarget.checked ? { ...FIRST } : undefined })}
      />
      {part.stream ? (
        <>
          <StreamField value={part.stream} world={world} onChange={(stream) => set({ stream })} />
          <TextInput
            label={t('boards.fields.unit')}
            value={part.unit ?? ''}
            maxLength={20}
            onChange={({ currentTarget }) => set({ unit: currentTarget.value || undefined })}
          />
          <NumberInput
            label={t('boards.fields.decimals')}
            min={0}
            max={6}
            value={part.decimals ?? ''}
            onChange={(next) => set({ decimals: typeof next === 'number' ? next : undefined })}
          />
          <ThresholdsField value={part.thresholds} onChange={(thresholds) => set({ thresholds })} />
        </>
      ) : null}
    </>
  );
}

function LineForm({ line, value, world, onChange }: PanelProps & { line: DiagramEdge }) {
  const { t } = useTranslation();
  const lineName = useLineName(value);
  const set = (change: Partial<DiagramEdge>) => onChange(changedLine(value, line.id, change));
  return (
    <>
      <h3>{lineName(line)}</h3>
      <Checkbox
        label={t('boards.diagram.hasFlow')}
        checked={line.stream !== undefined}
        onChange={({ currentTarget }) => set({ stream: currentTarget.checked ? { ...FIRST } : undefined })}
      />
      {line.stream ? (
        <>
          <StreamField value={line.stream} world={world} onChange={(stream) => set({ stream })} />
          <Checkbox
            label={t('boards.diagram.isReversed')}
            checked={line.isReversed ?? false}
            onChange={({ currentTarget }) => set({ isReversed: currentTarget.checked || undefined })}
          />
          <NumberInput
            label={t('boards.diagram.idle')}
            description={t('boards.diagram.idleHelp')}
            min={0}
            value={line.idle}
            onChange={(next) => set({ idle: typeof next === 'number' ? next : 0 })}
          />
        </>
      ) : null}
    </>
  );
}
