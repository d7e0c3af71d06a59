import type { Rota, Shift } from '@albedo/contract/notifications/notifications.schema';
import { useTranslation } from 'react-i18next';
import { useWorkgroup } from '../../app/session.ts';
import rows from '../../ui/row-list.module.css';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import classes from './notifications.module.css';
import { removeRota, rotasQuery } from './notifications.queries.ts';
import { RotaDialog } from './rota-dialog.tsx';
import { SetupList } from './setup-list.tsx';

const timeOf = (at: number): string => formatInstant(at, userZone(), false);

/** Who is on call now and next, and when nobody is. */
export function Rotas() {
  const wg = useWorkgroup();
  return (
    <SetupList
      kind="rotas"
      query={rotasQuery(wg)}
      row={(rota) => <RotaRow rota={rota} />}
      dialog={(rota, close) => <RotaDialog rota={rota} onClose={close} />}
      remove={({ _id }) => removeRota(wg, _id)}
    />
  );
}

function RotaRow({ rota }: { rota: Rota }) {
  const { t } = useTranslation();
  const { now, next, shifts } = rota;
  const gaps = shifts.filter(({ user }) => user === null);
  const [gap] = gaps;
  return (
    <>
      <div className={rows.name}>{rota.name}</div>
      <div className={now ? classes.onCall : classes.failed}>
        {now
          ? t('notifications.rotas.now', { name: now.name, time: timeOf(now.to) })
          : t('notifications.rotas.nobodyNow')}
      </div>
      <div className={rows.words}>
        {next ? t('notifications.rotas.next', { name: next.name, time: timeOf(next.from) }) : null}
      </div>
      <Shifts shifts={shifts} label={t('notifications.rotas.shifts', { name: rota.name })} />
      {gap ? (
        <div className={classes.failed}>
          {t('notifications.rotas.gaps', {
            count: gaps.length,
            from: timeOf(gap.from),
            to: timeOf(gap.to),
          })}
        </div>
      ) : null}
    </>
  );
}

/** Four weeks as a strip; what it shows can be read by everybody as a list. */
function Shifts({ shifts, label }: { shifts: readonly Shift[]; label: string }) {
  const { t } = useTranslation();
  const names = [...new Set(shifts.map(({ user }) => user))];
  return (
    <ol className={classes.shifts} aria-label={label} style={{ padding: 0, listStyle: 'none' }}>
      {shifts.map(({ user, name, from, to }) => {
        const text = name ?? t('notifications.rotas.gap');
        const tone = user === null ? classes.gap : names.indexOf(user) % 2 === 1 ? classes.odd : '';
        return (
          <li
            key={from}
            className={`${classes.shift} ${tone}`}
            style={{ flex: `${to - from} 1 0` }}
            title={`${text}: ${timeOf(from)} – ${timeOf(to)}`}
          >
            {text}
          </li>
        );
      })}
    </ol>
  );
}
