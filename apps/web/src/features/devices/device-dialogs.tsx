import type { DeviceSummary } from '@albedo/contract/devices/devices.schema';
import { DeleteDeviceDialog } from './delete-device-dialog.tsx';
import type { DeviceAction } from './device-action.ts';
import { InstallDialog } from './install-dialog.tsx';
import { QuarantineDialog, ReleaseDialog } from './quarantine-dialogs.tsx';
import { RenameDeviceDialog } from './rename-device-dialog.tsx';

interface DeviceDialogsProps {
  open: { action: DeviceAction; device: DeviceSummary } | null;
  onClose: () => void;
}

/** The dialog of the action that was chosen. It outlives the row: a filter may take that away meanwhile. */
export function DeviceDialogs({ open, onClose }: DeviceDialogsProps) {
  if (open?.action === 'install') return <InstallDialog device={open.device} onClose={onClose} />;
  if (open?.action === 'rename') return <RenameDeviceDialog device={open.device} onClose={onClose} />;
  if (open?.action === 'quarantine') return <QuarantineDialog device={open.device} onClose={onClose} />;
  if (open?.action === 'release') return <ReleaseDialog device={open.device} onClose={onClose} />;
  if (open?.action === 'delete') return <DeleteDeviceDialog device={open.device} onClose={onClose} />;
  return null;
}
