import { useRights } from '../../app/permissions.ts';

/** Whether the user acknowledges and shelves incidents. */
export function useMayAnswer(): boolean {
  const has = useRights();
  return has('coordinate') || has('controlDevices');
}
