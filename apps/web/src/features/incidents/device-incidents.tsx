import type { Device } from '@albedo/contract/devices/devices.schema';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useGlanceOf } from '../../app/glance/glance-query.ts';
import { familiesOf } from '../../app/incidents/gravity.ts';
import { incidentText } from '../../app/incidents/incident-text.ts';
import { useIncidents, useMayOpenIncidents } from '../../app/incidents/incidents-query.ts';
import { SeverityIcon } from '../../ui/status/severity-mark.tsx';
import classes from './incidents.module.css';
import { stateText } from './state-text.tsx';

/** What is wrong with a device and with what it watches; consequences stand behind their cause. */
export function DeviceIncidents({ device }: { device: Device }) {
  const { t } = useTranslation();
  const all = useIncidents().ofDevice(device.id);
  const { plant, isComing } = useGlanceOf(device.id);
  // The head of a plant's page shows these already.
  const inHead = new Set(plant?.causes.map(({ incident }) => incident));
  const incidents = all.filter(({ _id }) => !inHead.has(_id));
  const mayOpen = useMayOpenIncidents();
  // Until the head has loaded, its incidents would appear here and go again.
  if (isComing || incidents.length === 0) return null;
  return (
    <ul className={classes.ofDevice} aria-label={t('incidents.ofDevice')}>
      {familiesOf(incidents).map(({ cause, consequences }) => {
        const text = (
          <>
            {incidentText(t, cause)}
            {consequences.length > 0 ? (
              <small> {t('incidents.consequences', { count: consequences.length })}</small>
            ) : null}
          </>
        );
        return (
          <li key={cause._id}>
            <SeverityIcon severity={cause.severity} />
            {mayOpen ? (
              <Link to="/alerts" search={{ incident: cause._id } as never}>
                {text}
              </Link>
            ) : (
              <span>{text}</span>
            )}
            <span className={classes.dim}>{stateText(t, cause)}</span>
          </li>
        );
      })}
    </ul>
  );
}
