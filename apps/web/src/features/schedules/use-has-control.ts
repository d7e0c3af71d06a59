import { useSignedIn } from '../../app/session.ts';

/** Whether the workgroup has the addon, without which nothing of this shows. */
export function useHasControl(): boolean {
  const { workgroup, workgroups } = useSignedIn();
  const addons = workgroups?.find(({ name }) => name === workgroup)?.addons ?? [];
  return addons.some(({ id }) => id === 'schedules');
}
