import { Skeleton } from '@mantine/core';
import { Suspense } from 'react';
import { announced } from '../../app/inside.ts';
import classes from './workgroups.module.css';

/** What holds for everybody in the workgroup. */
export function WorkgroupSettingsPage() {
  return (
    <div className={classes.sections}>
      <Suspense fallback={<Skeleton height={420} />}>
        {announced('workgroupSettings').map(({ at, Content }) => (
          <Content key={at} />
        ))}
      </Suspense>
    </div>
  );
}
