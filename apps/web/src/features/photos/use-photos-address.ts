import { aroundEvent } from '@albedo/contract/photos/event-window';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import {
  anyRangeFromText,
  rangeToText,
  type TimeRange,
  type TimeRangeChoice,
} from '../../ui/time-range/time-range.ts';

export interface CameraName {
  device: string;
  source: string;
}

export interface PhotosAddress {
  time: TimeRangeChoice;
  camera: CameraName | null;
  /** Id of the photo that is looked at. */
  photo: string | null;
}

const FIRST_RANGE: TimeRange = { kind: 'preset', preset: 'last-7-days' };

const textIn = (value: unknown): string => (value === undefined || value === null ? '' : String(value));

/** The time around an event that the address names, such as `event=2026-03-01T12:00Z`; null without one. */
function rangeAround(event: unknown): TimeRange | null {
  const around = aroundEvent(event);
  return around && { kind: 'absolute', ...around };
}

/** What an address says; anything invalid falls back to its default. */
export function readPhotosAddress(search: Record<string, unknown>): PhotosAddress {
  const [device = '', ...source] = textIn(search.camera).split('.');
  return {
    time: {
      range: anyRangeFromText(search.range) ?? rangeAround(search.event) ?? FIRST_RANGE,
      zone: textIn(search.tz),
      isRefreshing: true,
    },
    camera: device && source.length > 0 ? { device, source: source.join('.') } : null,
    photo: textIn(search.photo) || null,
  };
}

function write({ time, camera, photo }: PhotosAddress): Record<string, unknown> {
  const range = rangeToText(time.range);
  return {
    range: range === rangeToText(FIRST_RANGE) ? undefined : range,
    tz: time.zone || undefined,
    camera: camera ? `${camera.device}.${camera.source}` : undefined,
    photo: photo ?? undefined,
    event: undefined,
  };
}

/** What is looked at, kept in the address. */
export function usePhotosAddress(): [PhotosAddress, (change: Partial<PhotosAddress>) => void] {
  const search = useSearch({ strict: false }) as Record<string, unknown>;
  const navigate = useNavigate();
  const address = useMemo(() => readPhotosAddress(search), [search]);
  const change = useCallback(
    (part: Partial<PhotosAddress>) => {
      void navigate({
        to: '.',
        replace: true,
        resetScroll: false,
        search: ((old: Record<string, unknown>) => ({
          ...old,
          ...write({ ...readPhotosAddress(old), ...part }),
        })) as never,
      });
    },
    [navigate],
  );
  return [address, change];
}
