import { ActionIcon, Checkbox, Select } from '@mantine/core';
import { IconGripVertical, IconIndentDecrease, IconIndentIncrease, IconX } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type KeyboardEvent, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../ui/states.tsx';
import classes from './labelling.module.css';
import {
  type LabellingView,
  mayStandBelow,
  rowsOf,
  type SourceRow,
  sourceAfter,
  stepIn,
  stepOut,
  withLabel,
  withSource,
} from './labelling-draft.ts';

/** The sources of one device: their labels, and which stand below others. */
export function SourcesView({ labels, sources, kept, draft, change }: LabellingView) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as Record<string, unknown>;
  const devices = useMemo(() => {
    const names = new Map(sources.map(({ device, name }) => [device, name]));
    return [...names].map(([value, label]) => ({ value, label }));
  }, [sources]);
  const device = devices.find(({ value }) => value === search.device)?.value ?? devices[0]?.value;
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  if (device === undefined)
    return <EmptyState title={t('labelling.noSources')} text={t('labelling.noSourcesText')} />;

  const own = sources.filter((one) => one.device === device).map(({ source }) => source);
  const rows = rowsOf(device, own, (of) => sourceAfter(kept, draft, of));
  const chosen = rows.filter(({ source }) => ticked.has(source)).map(({ source }) => ({ device, source }));
  const place = (source: string, parent: string | null) =>
    change(withSource(kept, draft, { device, source }, { parent }));
  const label = (id: string, isOn: boolean, of = chosen) =>
    change(withLabel(kept, draft, of, { label: id, isOn }));
  const tick = (names: readonly string[], isOn: boolean) => {
    const next = new Set(ticked);
    for (const name of names) {
      if (isOn) next.add(name);
      else next.delete(name);
    }
    setTicked(next);
  };
  const onSome = new Set(rows.filter(({ source }) => ticked.has(source)).flatMap((row) => row.labels));
  return (
    <>
      <div className={classes.tools}>
        <Select
          label={t('labelling.device')}
          data={devices}
          value={device}
          searchable
          allowDeselect={false}
          onChange={(next) => {
            setTicked(new Set());
            void navigate({
              to: '.',
              replace: true,
              search: ((old: Record<string, unknown>) => ({ ...old, device: next ?? undefined })) as never,
            });
          }}
        />
        <Select
          label={t('labelling.addLabel')}
          placeholder={t('labelling.chooseLabel')}
          data={labels.map(({ id, name }) => ({ value: id, label: name }))}
          value={null}
          disabled={chosen.length === 0}
          onChange={(id) => id !== null && label(id, true)}
        />
        <Select
          label={t('labelling.takeLabel')}
          placeholder={t('labelling.chooseLabel')}
          data={[...onSome].map((id) => ({ value: id, label: nameOf(labels, id) }))}
          value={null}
          disabled={onSome.size === 0}
          onChange={(id) => id !== null && label(id, false)}
        />
      </div>
      <Checkbox
        label={t('labelling.chosen', { count: chosen.length, all: rows.length })}
        checked={chosen.length === rows.length}
        indeterminate={chosen.length > 0 && chosen.length < rows.length}
        onChange={(event) => tick(own, event.currentTarget.checked)}
      />
      <p className={classes.note}>{t('labelling.order')}</p>
      <Tree
        rows={rows}
        ticked={ticked}
        nameOf={(id) => nameOf(labels, id)}
        colorOf={(id) => labels.find((one) => one.id === id)?.color ?? ''}
        onTick={(source, isOn) => tick([source], isOn)}
        onTake={(source, id) => label(id, false, [{ device, source }])}
        onPlace={place}
      />
    </>
  );
}

const nameOf = (labels: LabellingView['labels'], id: string): string =>
  labels.find((one) => one.id === id)?.name ?? id;

interface TreeProps {
  rows: readonly SourceRow[];
  ticked: ReadonlySet<string>;
  nameOf: (label: string) => string;
  colorOf: (label: string) => string;
  onTick: (source: string, isOn: boolean) => void;
  onTake: (source: string, label: string) => void;
  onPlace: (source: string, parent: string | null) => void;
}

function Tree({ rows, ticked, nameOf: labelName, colorOf, onTick, onTake, onPlace }: TreeProps) {
  const { t } = useTranslation();
  const [dragged, setDragged] = useState<string | null>(null);
  const [over, setOver] = useState<string | null>(null);
  const end = () => {
    setDragged(null);
    setOver(null);
  };
  const stepRight = (source: string) => {
    const parent = stepIn(rows, source);
    if (parent !== null) onPlace(source, parent);
  };
  const stepLeft = (source: string) => {
    const parent = stepOut(rows, source);
    if (parent !== undefined) onPlace(source, parent);
  };
  const onKey = (event: KeyboardEvent, source: string) => {
    if (!event.altKey || !['ArrowRight', 'ArrowLeft'].includes(event.key)) return;
    event.preventDefault();
    if (event.key === 'ArrowRight') stepRight(source);
    else stepLeft(source);
  };
  const isTarget = (source: string) => dragged !== null && mayStandBelow(rows, dragged, source);
  return (
    <ul className={classes.rows}>
      {rows.map(({ source, depth, labels, parent }) => (
        <li
          key={source}
          className={classes.row}
          style={{ paddingInlineStart: 8 + Math.min(depth, 6) * 24 }}
          data-over={over === source || undefined}
          data-dragged={dragged === source || undefined}
          onDragOver={(event) => {
            if (!isTarget(source)) return;
            event.preventDefault();
            setOver(source);
          }}
          onDragLeave={() => setOver(null)}
          onDrop={(event) => {
            event.preventDefault();
            if (dragged !== null && isTarget(source)) onPlace(dragged, source);
            end();
          }}
        >
          {/* biome-ignore lint/a11y/noStaticElementInteractions: the buttons beside it do the same by keyboard. */}
          <span
            className={classes.handle}
            draggable
            onDragStart={() => setDragged(source)}
            onDragEnd={end}
            title={t('labelling.drag')}
          >
            <IconGripVertical size={16} aria-hidden="true" />
          </span>
          <Checkbox
            className={classes.name ?? ''}
            label={source}
            description={parent === null ? null : t('labelling.below', { name: parent })}
            checked={ticked.has(source)}
            onKeyDown={(event) => onKey(event, source)}
            onChange={(event) => onTick(source, event.currentTarget.checked)}
          />
          <span className={classes.chips}>
            {labels.map((id) => (
              <span key={id} className={classes.chip}>
                <span
                  className={classes.dot}
                  style={colorOf(id) ? { background: colorOf(id) } : undefined}
                  aria-hidden
                />
                {labelName(id)}
                <ActionIcon
                  variant="transparent"
                  color="gray"
                  size={24}
                  aria-label={t('labelling.takeOff', { label: labelName(id), name: source })}
                  onClick={() => onTake(source, id)}
                >
                  <IconX size={12} />
                </ActionIcon>
              </span>
            ))}
          </span>
          <span className={classes.steps}>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={36}
              disabled={stepOut(rows, source) === undefined}
              aria-label={t('labelling.out', { name: source })}
              onClick={() => stepLeft(source)}
            >
              <IconIndentDecrease size={16} />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={36}
              disabled={stepIn(rows, source) === null}
              aria-label={t('labelling.in', { name: source })}
              onClick={() => stepRight(source)}
            >
              <IconIndentIncrease size={16} />
            </ActionIcon>
          </span>
        </li>
      ))}
    </ul>
  );
}
