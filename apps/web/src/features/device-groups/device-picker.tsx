import type { DeviceSummary } from '@albedo/contract/devices/devices.schema';
import { Button, Checkbox, Switch, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useDeferredValue, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useWorkgroup } from '../../app/session.ts';
import { ErrorState, TableSkeleton } from '../../ui/states.tsx';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';
import { deviceListQuery } from '../devices/devices.queries.ts';
import classes from './device-groups.module.css';

interface DevicePickerProps {
  label: string;
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
  /** Stands at the end of the row of a device that is chosen. */
  detail?: (device: DeviceSummary) => ReactNode;
}

const ROW_PX = 36;
/** Under a thumb, with a button in it. */
const NARROW_ROW_PX = 48;

/** Any number of devices with a tick for each; only those in sight are drawn. */
export function DevicePicker({ label, chosen, onChange, detail }: DevicePickerProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data: devices, error, refetch } = useQuery(deviceListQuery(wg));
  const rowPx = useIsNarrow() ? NARROW_ROW_PX : ROW_PX;
  const [text, setText] = useState('');
  const [isChosenOnly, setChosenOnly] = useState(false);
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  const wanted = useDeferredValue(text.trim().toLowerCase());
  const shown = useMemo(
    () =>
      (devices ?? []).filter(
        ({ id, name }) =>
          (!isChosenOnly || chosen.has(id)) && (name.toLowerCase().includes(wanted) || id === wanted),
      ),
    [devices, wanted, isChosenOnly, chosen],
  );
  const virtualizer = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller,
    estimateSize: () => rowPx,
    overscan: 8,
  });
  const isAllShown = shown.length > 0 && shown.every(({ id }) => chosen.has(id));

  function toggle(ids: readonly string[], isOn: boolean) {
    const next = new Set(chosen);
    for (const id of ids) {
      if (isOn) next.add(id);
      else next.delete(id);
    }
    onChange(next);
  }

  if (error) return <ErrorState title={t('devices.failed')} error={error} onRetry={() => void refetch()} />;
  if (!devices) return <TableSkeleton rows={5} />;
  return (
    <fieldset className={classes.picker}>
      <legend className={classes.label}>{label}</legend>
      <div className={classes.pickerHead}>
        <TextInput
          className={classes.pickerSearch ?? ''}
          aria-label={t('deviceGroups.find')}
          placeholder={t('deviceGroups.find')}
          leftSection={<IconSearch size={16} />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button
          variant="default"
          disabled={shown.length === 0}
          onClick={() =>
            toggle(
              shown.map(({ id }) => id),
              !isAllShown,
            )
          }
        >
          {t(isAllShown ? 'deviceGroups.untickShown' : 'deviceGroups.tickShown', { count: shown.length })}
        </Button>
      </div>
      <section ref={setScroller} className={classes.rows} aria-label={label}>
        <div style={{ height: virtualizer.getTotalSize(), position: 'relative' }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const device = shown[index];
            if (!device) return null;
            const isChosen = chosen.has(device.id);
            return (
              <div
                key={device.id}
                className={classes.row}
                style={{ height: rowPx, transform: `translateY(${start}px)` }}
              >
                <Checkbox
                  className={classes.rowBox ?? ''}
                  checked={isChosen}
                  label={device.name}
                  onChange={(event) => toggle([device.id], event.currentTarget.checked)}
                />
                {isChosen ? detail?.(device) : null}
              </div>
            );
          })}
        </div>
        {shown.length === 0 ? <p className={classes.nothing}>{t('deviceGroups.nothingFound')}</p> : null}
      </section>
      <div className={classes.pickerFoot}>
        <span aria-live="polite">
          {t('deviceGroups.chosen', { count: chosen.size, total: devices.length })}
        </span>
        <Switch
          size="xs"
          label={t('deviceGroups.chosenOnly')}
          checked={isChosenOnly}
          onChange={(event) => setChosenOnly(event.currentTarget.checked)}
        />
      </div>
    </fieldset>
  );
}
