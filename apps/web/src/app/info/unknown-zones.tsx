import { unknownZones } from '@albedo/contract/time/zone-facts';
import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** Says of metadata that they name a zone that no clock knows: whatever counts days there goes by UTC. */
export function UnknownZones({ facts }: { facts: Readonly<Record<string, unknown>> }) {
  const { t } = useTranslation();
  const zones = [...new Set(unknownZones(facts).map(({ zone }) => zone))];
  if (zones.length === 0) return null;
  return (
    <Alert color="orange" variant="light" role="note" mb="xs">
      {zones.map((zone) => t('metadata.unknownZone', { zone })).join(' ')}
    </Alert>
  );
}
