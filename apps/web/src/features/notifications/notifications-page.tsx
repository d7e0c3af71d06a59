import { Stack } from '@mantine/core';
import { Channels } from './channels-section.tsx';
import { Deliveries } from './deliveries-section.tsx';
import { Escalations } from './escalations-section.tsx';
import { HeartbeatSection } from './heartbeat-section.tsx';
import { Rotas } from './rotas-section.tsx';

/** Who is told what of incidents, a tab of Admin > Workgroup. Who is on call comes first. */
export function NotificationsPage() {
  return (
    <Stack gap="md">
      <Rotas />
      <Escalations />
      <Channels />
      <Deliveries />
      <HeartbeatSection />
    </Stack>
  );
}
