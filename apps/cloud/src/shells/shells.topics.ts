import { topic } from '../bus/topic.ts';

/** An owner switched remote access off: whatever is open in the workgroup ends at once. */
export const remoteAccessEnded = topic<{ workgroup: string }>('shells:remote-access-ended', {
  isVital: true,
});
