import type { Device } from '@albedo/contract/devices/devices.schema';
import { announced } from '../../app/inside.ts';
import { BlackBoxCard } from './black-box-card.tsx';
import { DeviceFactsCard } from './device-facts-card.tsx';
import { DeviceInfoCard } from './device-info-card.tsx';
import { DeviceMapCard } from './device-map-card.tsx';
import classes from './device-page.module.css';

/** What the device says of itself at the left, what people know of it at the right. */
export function DeviceGeneral({ device }: { device: Device }) {
  return (
    <div className={classes.general}>
      <div className={classes.column}>
        <BlackBoxCard device={device} />
        {announced('deviceMain').map(({ at, Content }) => (
          <Content key={at} device={device} />
        ))}
      </div>
      <div className={classes.column}>
        <DeviceInfoCard device={device} />
        <DeviceMapCard device={device} />
        <DeviceFactsCard device={device} />
        {announced('deviceAside').map(({ at, Content }) => (
          <Content key={at} device={device} />
        ))}
      </div>
    </div>
  );
}
