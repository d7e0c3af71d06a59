import { PRODUCT } from '../product.ts';

/**
 * MQTT topics of the device link: `albedo/1/<shard>/<device id>/<channel>`.
 *
 * The certificate's common name is the device id. A device may publish to its own upward channels and subscribe to
 * its own downward ones, and to nothing else; a broker that takes the common name as user name can enforce the same
 * with patterns. Everything is QoS 1 except `live`.
 */
export const UP_CHANNELS = ['batch', 'state', 'status', 'meta', 'live', 'reply', 'answer'] as const;
export const DOWN_CHANNELS = ['ack', 'request', 'ask'] as const;

export type UpChannel = (typeof UP_CHANNELS)[number];
export type DownChannel = (typeof DOWN_CHANNELS)[number];

/** All shards, two hexadecimal digits each. A process of the cloud takes devices over by the shard. */
export const SHARDS: readonly string[] = Array.from({ length: 256 }, (_, at) =>
  at.toString(16).padStart(2, '0'),
);

/** The shard of a device: the last two digits of its id, which are random in every kind of UUID that we make. */
export const shardOf = (device: string): string => device.slice(-2);

const PREFIX = `${PRODUCT}/1`;
const CHANNELS: ReadonlySet<string> = new Set([...UP_CHANNELS, ...DOWN_CHANNELS]);

export const topicOf = (device: string, channel: UpChannel | DownChannel): string =>
  `${PREFIX}/${shardOf(device)}/${device}/${channel}`;

/** Subscriptions of the cloud to the upward channels of all devices of a shard. */
export const topicFilters = (shard: string): string[] =>
  UP_CHANNELS.map((channel) => `${PREFIX}/${shard}/+/${channel}`);

/** Subscription to what agents say that do not know shards yet. */
export const UNSHARDED_FILTER = `${PREFIX}/+/state`;

/** True for topics of agents that do not know shards yet: `albedo/1/<device id>/<channel>`. */
export function isUnsharded(topic: string): boolean {
  const [product, version, device, channel, ...rest] = topic.split('/');
  return `${product}/${version}` === PREFIX && Boolean(device) && CHANNELS.has(channel ?? '') && !rest.length;
}

/** Device and channel of a topic; null when it is not ours, or the device's shard is another one. */
export function parseTopic(topic: string): { device: string; channel: UpChannel | DownChannel } | null {
  const [product, version, shard, device, channel, ...rest] = topic.split('/');
  if (`${product}/${version}` !== PREFIX || !device || rest.length > 0) return null;
  if (!channel || !CHANNELS.has(channel) || shard !== shardOf(device)) return null;
  return { device, channel: channel as UpChannel | DownChannel };
}
