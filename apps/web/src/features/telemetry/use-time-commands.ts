import { useLocation, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Command } from '../../app/feature.ts';
import { type PresetName, presetLabel, STANDARD_PRESETS } from '../../ui/time-range/time-range.ts';

const KEYS: Partial<Record<PresetName, string>> = {
  'last-hour': 't h',
  'last-day': 't d',
  today: 't n',
  yesterday: 't y',
  'last-7-days': 't w',
  'last-30-days': 't m',
};

/** Jumps to a time range, where the screen shows one. */
export function useTimeCommands(): readonly Command[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const hasRange = useLocation({ select: ({ pathname }) => /^\/devices\/[^/]+\/data$/.test(pathname) });
  return useMemo(() => {
    if (!hasRange) return [];
    const presets: readonly PresetName[] = ['last-day', ...STANDARD_PRESETS];
    return presets.map(
      (preset): Command => ({
        id: `time ${preset}`,
        title: t('telemetry.showRange', { range: presetLabel(preset) }),
        group: 'do',
        ...(KEYS[preset] ? { keys: KEYS[preset] } : {}),
        run: () =>
          void navigate({
            to: '.',
            resetScroll: false,
            search: ((old: object) => ({ ...old, range: preset, live: undefined })) as never,
          }),
      }),
    );
  }, [hasRange, navigate, t]);
}
