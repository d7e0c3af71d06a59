/** What the menu of a device in the list does. */
export type DeviceAction = 'install' | 'rename' | 'quarantine' | 'release' | 'delete';
