import { PRODUCT } from '../product.ts';

/**
 * MQTT topics of the device link: `albedo/1/<device id>/<channel>`.
 *
 * The certificate's common name is the device id. A device may publish to its own upward channels and subscribe to
 * its own downward ones, and to nothing else; a broker that takes the common name as user name can enforce the same
 * with patterns. Everything is QoS 1 except `live`.
 */
export const UP_CHANNELS = ['batch', 'state', 'status', 'meta', 'live', 'reply'] as const;
export const DOWN_CHANNELS = ['ack', 'request'] as const;

export type UpChannel = (typeof UP_CHANNELS)[number];
export type DownChannel = (typeof DOWN_CHANNELS)[number];

const PREFIX = `${PRODUCT}/1`;

export const topicOf = (device: string, channel: UpChannel | DownChannel): string =>
  `${PREFIX}/${device}/${channel}`;

/** Subscription of the cloud to one upward channel of all devices. */
export const topicFilter = (channel: UpChannel): string => `${PREFIX}/+/${channel}`;

/** Device and channel of a topic; null when it is none of ours. */
export function parseTopic(topic: string): { device: string; channel: UpChannel | DownChannel } | null {
  const [product, version, device, channel, ...rest] = topic.split('/');
  if (`${product}/${version}` !== PREFIX || !device || rest.length > 0) return null;
  const known = [...UP_CHANNELS, ...DOWN_CHANNELS].find((one) => one === channel);
  return known ? { device, channel: known } : null;
}
