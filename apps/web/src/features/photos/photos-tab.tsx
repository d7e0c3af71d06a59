import type { Device } from '@albedo/contract/devices/devices.schema';
import { PhotoBrowser } from './photo-browser.tsx';
import classes from './photos.module.css';

/** Photos of one device. */
export function PhotosTab({ device }: { device: Device }) {
  return (
    <div className={classes.tab}>
      <PhotoBrowser device={device} />
    </div>
  );
}
