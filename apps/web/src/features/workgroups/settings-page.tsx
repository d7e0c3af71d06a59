import { Suspense } from 'react';
import { announced } from '../../app/inside.ts';
import { FormSkeleton } from '../../ui/skeletons.tsx';
import classes from './workgroups.module.css';

/** What holds for everybody in the workgroup. */
export function WorkgroupSettingsPage() {
  return (
    <div className={classes.sections}>
      <Suspense fallback={<FormSkeleton fields={6} />}>
        {announced('workgroupSettings').map(({ at, Content }) => (
          <Content key={at} />
        ))}
      </Suspense>
    </div>
  );
}
