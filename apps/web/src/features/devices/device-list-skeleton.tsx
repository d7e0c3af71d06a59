import { Skeleton } from '@mantine/core';
import { TableSkeleton } from '../../ui/states.tsx';
import classes from './devices.module.css';

/** Where the list will be, with its search and filters: nothing moves when they come. */
export function DeviceListSkeleton() {
  return (
    <div className={classes.list}>
      <div className={classes.tools}>
        <Skeleton />
        <Skeleton />
      </div>
      <TableSkeleton />
    </div>
  );
}
