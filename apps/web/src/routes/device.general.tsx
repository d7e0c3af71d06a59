import type { Device } from '@albedo/contract/devices/devices.schema';
import { CompletenessCard } from '../features/completeness/completeness-card.tsx';
import { BlackBoxCard } from '../features/devices/black-box-card.tsx';
import { DeviceFactsCard } from '../features/devices/device-facts-card.tsx';
import { DeviceInfoCard } from '../features/devices/device-info-card.tsx';
import { DeviceMapCard } from '../features/devices/device-map-card.tsx';
import { SourcesCard } from '../features/telemetry/sources-card.tsx';
import classes from './device.module.css';

/** What the device says of itself at the left, what people know of it at the right. */
export function DeviceGeneral({ device }: { device: Device }) {
  return (
    <div className={classes.general}>
      <div className={classes.column}>
        <BlackBoxCard device={device} />
        <SourcesCard device={device} />
        <CompletenessCard device={device} />
      </div>
      <div className={classes.column}>
        <DeviceInfoCard device={device} />
        <DeviceMapCard device={device} />
        <DeviceFactsCard device={device} />
      </div>
    </div>
  );
}
