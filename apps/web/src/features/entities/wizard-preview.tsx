import type { Machine } from '@albedo/contract/machines/machines.schema';
import { Checkbox, Select } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './entities.module.css';
import { keyOf, type PlannedChild, type PlannedSite } from './wizard-plan.ts';

/** About the height of a line, px; what wraps is measured. */
const LINE_PX = 36;

interface WizardPreviewProps {
  sites: readonly PlannedSite[];
  machines: readonly Machine[];
  isTicked: (deviceId: string, child: PlannedChild) => boolean;
  onTick: (deviceId: string, child: PlannedChild) => void;
  /** Id of the machine that the entity gets; null for none. */
  machineOf: (deviceId: string, child: PlannedChild) => string | null;
  onMachine: (deviceId: string, child: PlannedChild, machine: string | null) => void;
}

/** What the wizard would make, to be ticked off and corrected; draws the lines that are in sight, since there may be thousands. */
export function WizardPreview(props: WizardPreviewProps) {
  const { sites, machines, isTicked, onTick, machineOf, onMachine } = props;
  const { t } = useTranslation();
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  const lines = useMemo(
    () =>
      sites.flatMap((site) => [
        { site, child: null },
        ...site.children.map((child) => ({ site, child: child as PlannedChild | null })),
      ]),
    [sites],
  );
  const choices = useMemo(() => machines.map(({ _id, name }) => ({ value: _id, label: name })), [machines]);
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller,
    estimateSize: () => LINE_PX,
    getItemKey: (at) => {
      const { site, child } = lines[at] ?? {};
      return keyOf(site?.deviceId ?? '', child?.source ?? '');
    },
    overscan: 6,
  });
  return (
    <div ref={setScroller} className={classes.list}>
      <ul
        className={classes.lines}
        style={{ height: virtualizer.getTotalSize() }}
        aria-label={t('entities.preview')}
      >
        {virtualizer.getVirtualItems().map(({ key, index, start }) => {
          const { site, child } = lines[index] ?? {};
          if (!site) return null;
          const { deviceId, name, children } = site;
          return (
            <li
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              style={{ transform: `translateY(${start}px)` }}
            >
              {child ? (
                <div className={classes.planned}>
                  <Checkbox
                    size="xs"
                    label={child.source}
                    checked={isTicked(deviceId, child)}
                    onChange={() => onTick(deviceId, child)}
                  />
                  {choices.length > 0 ? (
                    <Select
                      size="xs"
                      aria-label={t('entities.machineOf', { name: child.source })}
                      placeholder={t('entities.noMachine')}
                      searchable
                      clearable
                      data={choices}
                      value={machineOf(deviceId, child)}
                      onChange={(id) => onMachine(deviceId, child, id)}
                    />
                  ) : null}
                </div>
              ) : (
                <>
                  <strong>{name}</strong>
                  {children.length === 0 ? ` · ${t('entities.noSources')}` : ''}
                </>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
