import { setTimeout as sleep } from 'node:timers/promises';
import type { AskResult } from '@albedo/contract/link/link.asks';
import { SCHEDULE_HEADER } from '@albedo/contract/schedules/schedule-file';
import { kindOfPath } from '@albedo/contract/schedules/schedules.names';
import { rehearsalOnDevice } from '@albedo/contract/schedules/schedules.schema';
import { keptSetpoint, type SetpointKind } from '@albedo/contract/schedules/setpoints';
import { AskError } from '../link/ask-error.ts';
import { splitCsv } from '../parsing/csv.ts';
import { runTool } from '../plugins/run-tool.ts';
import type { Root } from '../root.ts';
import { type ControlPlace, controlPlace } from '../schedules/control-place.ts';
import { statusOf, watchFolder } from '../schedules/control-status.ts';
import { readText } from '../schedules/lasting-file.ts';
import type { ScheduleKeeper } from '../schedules/schedule-keeper.ts';
import { verifiedOrder } from '../schedules/signed-order.ts';
import { readTrust, type TrustFiles } from '../trust/signer.ts';
import type { AskHandlers } from './asks.ts';

type SetpointOnDevice = AskResult<'schedules.read'>['setpoints'][number];
type Watched = AskResult<'schedules.watch'>;
type ScheduleAsks = Pick<
  AskHandlers,
  'schedules.read' | 'schedules.rehearse' | 'schedules.order' | 'schedules.watch'
>;

/** Characters of a rehearsal at most. */
const REHEARSAL_LENGTH = 16 * 1024 * 1024;
/** What is followed is looked at so often where the disk says nothing, ms. */
const LOOK_MS = 1000;
/** Power alone, which always changes, is told so often, ms. */
const POWER_MS = 5000;

/** Setpoints of the control plugin, the signed orders that change them, and what inverters make of them. */
export function scheduleAsks(root: Root, keeper: ScheduleKeeper, trust: () => TrustFiles): ScheduleAsks {
  return {
    'schedules.read': async ({ signal }) => {
      const printed = await run(controlPlace(root), 'browse', [], signal);
      const [, ...lines] = printed.split('\n').filter((line) => line !== '');
      return { setpoints: lines.map((line) => setpointOf(line, keeper)) };
    },
    'schedules.rehearse': async ({ input: { path, entries }, signal }) => {
      const lines = entries.map(({ datetime, value }) => `${datetime},${value}`);
      const file = `${[SCHEDULE_HEADER, ...lines].join('\n')}\n`;
      const printed = await run(controlPlace(root), 'rehearse', [path], signal, file);
      return rehearsalOnDevice.parse(JSON.parse(printed));
    },
    'schedules.order': async ({ input: { order } }) => {
      const now = Date.now();
      const verified = await verifiedOrder(order, { ...readTrust(trust()), now });
      // What reaches nobody is not taken; what is to end ends, whatever has become of the plugin.
      if (verified.action === 'schedule' || verified.action === 'override') controlPlace(root);
      return keeper.obey(verified);
    },
    'schedules.watch': async ({ input: { path, version, forMs }, signal, tell }) => {
      const { folder } = controlPlace(root);
      const over = performance.now() + forMs;
      const told = { text: '', at: Number.NEGATIVE_INFINITY };
      const changed = new Bell();
      const watching = new AbortController();
      watchFolder(folder, () => changed.ring(), AbortSignal.any([signal, watching.signal]));
      try {
        for (;;) {
          const found = look(folder, path);
          const leftMs = over - performance.now();
          if (leftMs <= 0 || isSettled(found, version)) return found;
          const text = textOf(found);
          if (text !== told.text || performance.now() - told.at >= POWER_MS) {
            Object.assign(told, { text, at: performance.now() });
            await tell({ inverters: found.inverters });
          }
          await changed.wait(Math.min(LOOK_MS, leftMs), signal);
        }
      } finally {
        watching.abort();
      }
    },
  };

  function look(folder: string, path: string): Watched {
    const status = statusOf(folder, path, Date.now());
    const holds = keeper.holds(path);
    const version = keeper.versionOf(path);
    if (!status) return { value: null, version, inverters: [] };
    const { value, file, inverters } = status;
    // Until the plugin has read what was ordered, it speaks of what was before.
    if (!holds || file === holds.sha256) return { value, version, inverters };
    const unread = { result: 'notTestable' as const, why: 'PV control has not read it yet.' };
    const late = inverters.map((one) => ({ ...one, ...unread, why: one.why === '' ? unread.why : one.why }));
    return { value, version: null, inverters: late };
  }
}

/** Nothing more is to come: each inverter follows the order, or does not. */
const isSettled = ({ version, inverters }: Watched, wanted: number): boolean =>
  version === wanted && inverters.length > 0 && inverters.every(({ result }) => result !== 'notTestable');

/** What counts as a change. */
const textOf = ({ value, version, inverters }: Watched): string =>
  JSON.stringify([value, version, inverters.map(({ at: _, powerW: __, ...one }) => one)]);

async function run(
  { command, configFile, folder }: ControlPlace,
  verb: 'browse' | 'rehearse',
  more: string[],
  signal: AbortSignal,
  input?: string,
): Promise<string> {
  const args = [verb, configFile, ...more, '--folder', folder];
  const { code, printed, said } = await runTool(command, args, signal, {
    ...(input === undefined ? {} : { input }),
    most: REHEARSAL_LENGTH,
  });
  if (code !== 0) throw new AskError('unable', said || `PV control ended with ${code}`, 'plugin');
  return printed;
}

/** A line of `browse`: path, type, enabled, value, file, fault. */
function setpointOf(line: string, keeper: ScheduleKeeper): SetpointOnDevice {
  const [path = '', type, isEnabled, value = '', file = '', fault = ''] = splitCsv(line) ?? [];
  const kind = kindOfPath(path);
  return {
    path,
    kind,
    type: type === 'fixed' ? 'fixed' : 'schedule',
    isEnabled: isEnabled === 'true',
    value: value === '' ? null : value,
    fault: fault === '' ? null : fault.slice(0, 1000),
    entries: type === 'fixed' ? null : entriesIn(file, kind),
    version: type === 'fixed' ? null : keeper.versionOf(path),
    newest: type === 'fixed' ? null : keeper.newestOf(path),
  };
}

function entriesIn(file: string, kind: SetpointKind): SetpointOnDevice['entries'] {
  try {
    const [header, ...lines] = readText(file)?.trim().split(/\r?\n/) ?? [];
    if (header?.trim().toLowerCase() !== SCHEDULE_HEADER) return null;
    return lines.map((line) => {
      const [datetime = '', value = ''] = (splitCsv(line) ?? []).map((cell) => cell.trim());
      return { datetime: new Date(datetime).toISOString(), value: keptSetpoint(kind, value) };
    });
  } catch {
    // The plugin says what is wrong with it.
    return null;
  }
}

/** Wakes who waits, and who is about to. */
class Bell {
  #isRung = false;
  #wake: () => void = () => {};

  ring(): void {
    this.#isRung = true;
    this.#wake();
  }

  async wait(ms: number, signal: AbortSignal): Promise<void> {
    if (!this.#isRung) {
      const timer = new AbortController();
      const rung = new Promise<void>((wake) => {
        this.#wake = wake;
      });
      const time = sleep(ms, undefined, { signal: AbortSignal.any([signal, timer.signal]) }).catch(() => {});
      await Promise.race([rung, time]);
      timer.abort();
    }
    this.#isRung = false;
    signal.throwIfAborted();
  }
}
