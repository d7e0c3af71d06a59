import { useTranslation } from 'react-i18next';
import { useSession } from '../../app/session.ts';
import { TableSkeleton } from '../../ui/states.tsx';
import classes from './shell.module.css';

/** In place of every screen while another workgroup is opened. */
export function OpeningWorkgroup({ name }: { name: string }) {
  const { t } = useTranslation();
  const title = useSession()?.workgroups?.find((one) => one.name === name)?.displayName ?? name;
  return (
    <div className={classes.opening}>
      <p role="status">{t('menu.switching', { name: title })}</p>
      <TableSkeleton />
    </div>
  );
}
