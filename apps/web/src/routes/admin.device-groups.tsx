import { GroupList } from '../features/device-groups/group-list.tsx';

/** The device groups of the workgroup, a tab of Admin > Workgroup. */
export function DeviceGroupsPage() {
  return <GroupList />;
}
