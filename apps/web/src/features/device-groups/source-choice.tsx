import type { DeviceSummary } from '@albedo/contract/devices/devices.schema';
import { Button, Checkbox, Popover, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useWorkgroup } from '../../app/session.ts';
import { messageOf } from '../../ui/message-of.ts';
import { LinesSkeleton } from '../../ui/skeletons.tsx';
import { latestQuery } from '../devices/devices.queries.ts';
import classes from './device-groups.module.css';

interface SourceChoiceProps {
  device: DeviceSummary;
  /** Null for all of them. */
  sources: readonly string[] | null;
  onChange: (sources: readonly string[] | null) => void;
}

/** Which sources of a device belong to the group: all, or those that are ticked. */
export function SourceChoice({ device, sources, onChange }: SourceChoiceProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const text =
    sources === null
      ? t('deviceGroups.allSources')
      : t('deviceGroups.someSources', { count: sources.length });
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" width={280} trapFocus withinPortal>
      <Popover.Target>
        <Button
          size="compact-xs"
          variant="default"
          aria-label={t('deviceGroups.sourcesOf', { name: device.name, sources: text })}
          onClick={() => setOpen((was) => !was)}
        >
          {text}
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes.sources ?? ''}>
        {isOpen ? <SourceList id={device.id} sources={sources} onChange={onChange} /> : null}
      </Popover.Dropdown>
    </Popover>
  );
}

function SourceList({ id, sources, onChange }: { id: string } & Omit<SourceChoiceProps, 'device'>) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data, error } = useQuery(latestQuery(wg, id));
  if (error) return <p className={classes.failure}>{messageOf(error)}</p>;
  if (!data) return <LinesSkeleton lines={4} />;
  // One that was chosen and has sent nothing yet is still offered.
  const all = [...new Set([...data.map(({ source }) => source), ...(sources ?? [])])].toSorted();
  return (
    <Stack gap={8}>
      <Checkbox
        label={t('deviceGroups.allSources')}
        checked={sources === null}
        onChange={(event) => onChange(event.currentTarget.checked ? null : all)}
      />
      {all.map((source) => (
        <Checkbox
          key={source}
          label={source}
          disabled={sources === null}
          checked={sources === null || sources.includes(source)}
          onChange={(event) =>
            onChange(
              event.currentTarget.checked
                ? [...(sources ?? []), source]
                : (sources ?? []).filter((one) => one !== source),
            )
          }
        />
      ))}
      {all.length === 0 ? <p className={classes.note}>{t('deviceGroups.noSources')}</p> : null}
    </Stack>
  );
}
