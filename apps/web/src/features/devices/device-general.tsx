import type { Device } from '@albedo/contract/devices/devices.schema';
import { useQuery } from '@tanstack/react-query';
import { announced } from '../../app/inside.ts';
import { plantQuery } from '../../app/plant-query.ts';
import { useWorkgroup } from '../../app/session.ts';
import { BlackBoxCard } from './black-box-card.tsx';
import { DeviceFactsCard } from './device-facts-card.tsx';
import { DeviceInfoCard } from './device-info-card.tsx';
import { DeviceMapCard } from './device-map-card.tsx';
import classes from './device-page.module.css';
import { MachineStrip } from './machine-strip.tsx';

/**
 * Across the top what the device watches; below it what it says of itself at the left, what people know of it at the
 * right. The machine is what counts where there is no plant.
 */
export function DeviceGeneral({ device }: { device: Device }) {
  const { data: plant, isPending } = useQuery(plantQuery(useWorkgroup(), device.id));
  const isPlant = plant?.kind === 'plant';
  return (
    <div className={classes.general}>
      <div className={classes.across}>
        {announced('deviceHead').map(({ at, Content }) => (
          <Content key={at} device={device} />
        ))}
        {isPlant ? <MachineStrip device={device} /> : null}
      </div>
      <div className={classes.column}>
        {isPlant || isPending ? null : <BlackBoxCard device={device} />}
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
