import { topic } from '../bus/topic.ts';

/**
 * A device may not connect any more, or may again; the registry knows which. It is over when all have heard, and fails where the
 * device could not be cut off.
 */
export const quarantineChanged = topic<{ id: string }>('registry:quarantine', {
  reach: 'process',
  isVital: true,
});
