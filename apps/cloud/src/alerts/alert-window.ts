import type { AlertWindow } from '@albedo/contract/alerts/alerts.schema';
import { wallTime } from '@albedo/contract/time/zoned-time';
import { sunPosition } from '@albedo/energy/sun';

/** Where a device is; null where nobody wrote it down. */
export interface Place {
  latitudeDeg: number | null;
  longitudeDeg: number | null;
}

/** Whether an alert counts at an instant, epoch ms. */
export function isWithin(window: AlertWindow, at: number, { latitudeDeg, longitudeDeg }: Place): boolean {
  if (window.kind === 'always') return true;
  if (window.kind === 'sun') {
    if (latitudeDeg === null || longitudeDeg === null) return true;
    return sunPosition(at, latitudeDeg, longitudeDeg).elevationDeg > 0;
  }
  const { year, month, day, hour, minute } = wallTime(at, window.zone);
  const weekday = new Date(Date.UTC(year, month - 1, day)).getUTCDay() || 7;
  const clock = hour * 60 + minute;
  const [from, to] = [minutesOf(window.from), minutesOf(window.to)];
  const isOn = (of: number) => window.days.includes(of);
  if (from < to) return isOn(weekday) && clock >= from && clock < to;
  // Over midnight: the second part belongs to the day on which it began.
  return (isOn(weekday) && clock >= from) || (isOn(weekday === 1 ? 7 : weekday - 1) && clock < to);
}

function minutesOf(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  return hours * 60 + minutes;
}
