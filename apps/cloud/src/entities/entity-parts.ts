import {
  type Entity,
  type EntityChange,
  refsIn,
  type Signals,
  splitRef,
} from '@albedo/contract/entities/entities.schema';
import { newUnknownZone } from '@albedo/contract/time/zone-facts';
import { AppError } from '../errors/app-error.ts';
import { invalid } from '../errors/request-issues.ts';
import type { Editor } from '../history/history.service.ts';
import type { Machines } from '../machines/machines.service.ts';

/**
 * What is new among devices and machines has to be there, and a new zone one that clocks know; what an entity had already may
 * be gone. Throws
 * `request.invalid` with the place of what is missing.
 */
export async function demandParts(
  machines: Pick<Machines, 'ids'>,
  editor: Editor,
  { wanted, known, place }: { wanted: EntityChange; known?: Entity | undefined; place: string },
): Promise<void> {
  const { machine, signals, meta } = wanted;
  if (machine && machine !== known?.machine) {
    const ids = await machines.ids(editor.workgroup);
    if (!ids.has(machine)) throw invalid('issue.machine_unknown', { id: machine }, `${place}machine`);
  }
  const odd = meta && newUnknownZone(meta, known?.meta);
  if (odd) throw invalid('issue.zone_unknown', { zone: odd.zone }, `${place}meta.${odd.path}`);
  const had = new Set(
    [...devicesOf(known?.signals), ...devicesOf(undefined, known?.meta)].map(({ id }) => id),
  );
  for (const { id, path, isRef } of devicesOf(signals, meta)) {
    if (had.has(id)) continue;
    had.add(id);
    if (await exists(editor, id)) continue;
    throw invalid(isRef ? 'issue.ref_dangling' : 'issue.device_unknown', { id }, place + path);
  }
}

/** The devices that an entity names, each with where. */
function devicesOf(
  signals: Signals | undefined,
  meta?: Entity['meta'],
): { id: string; path: string; isRef: boolean }[] {
  const named = (['sources', 'fields'] as const).flatMap((kind) =>
    (signals?.[kind] ?? []).map(({ deviceId }, at) => ({
      id: deviceId,
      path: `signals.${kind}.${at}.deviceId`,
      isRef: false,
    })),
  );
  const refs = refsIn(meta).flatMap(({ path, ref }) => {
    const place = splitRef(ref);
    return place ? [{ id: place.deviceId, path: ['meta', ...path].join('.'), isRef: true }] : [];
  });
  return [...named, ...refs];
}

async function exists(editor: Editor, device: string): Promise<boolean> {
  try {
    await editor.demandDevice(device);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.error === 'device.not_found') return false;
    throw error;
  }
}
