import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { Outlet } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useSession } from '../../app/session.ts';
import { connectSocket, disconnectSocket } from '../../app/socket.ts';
import { followDevices } from '../devices/devices.queries.ts';

export function Shell() {
  const session = useSession();
  if (!session) return null;
  return <SignedIn key={session.workgroup} token={session.token} workgroup={session.workgroup} />;
}

function SignedIn({ token, workgroup }: { token: string; workgroup: string }) {
  useEffect(() => {
    connectSocket(token, workgroup);
    const stopFollowing = followDevices(workgroup);
    return () => {
      stopFollowing();
      disconnectSocket();
    };
  }, [token, workgroup]);
  return (
    <ModalsProvider>
      <Notifications position="bottom-center" autoClose={5000} />
      <Outlet />
    </ModalsProvider>
  );
}
