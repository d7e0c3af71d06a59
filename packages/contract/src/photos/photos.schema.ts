import { z } from 'zod';
import { onDevice } from '../devices/devices.schema.ts';
import { PHOTO_TYPES } from './photo-type.ts';

export const PHOTO_LIMITS = {
  /** Bytes of one photo; agents leave larger ones on the device. */
  bytes: 16 * 1024 * 1024,
  /** Photos that a device tells of at once. */
  told: 50,
  /** Photos of one answer, and frames of one slideshow. */
  page: 200,
  frames: 2000,
  /** What workgroups keep where they say nothing else. */
  days: 365,
  gigabytes: 10,
} as const;

/** A photo that waits on a device. Its id follows from file, time and content, so that the same photo has the same one. */
export const waitingPhoto = z.object({
  id: z.uuid(),
  table: z.string().min(1).max(200),
  source: z.string().min(1).max(400),
  /** Name of the file, without its folders. */
  file: z.string().min(1).max(255),
  /** Epoch ms of the device's clock: when the file was written. */
  takenAt: z.number(),
  size: z.number().int().min(1).max(PHOTO_LIMITS.bytes),
  /** Hexadecimal. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type WaitingPhoto = z.infer<typeof waitingPhoto>;

/** What of photos waits on a device, and how many it had to drop since it was set up. */
export const photosWaiting = z.object({
  count: z.number().int().min(0),
  bytes: z.number().int().min(0),
  dropped: z.number().int().min(0),
});
export type PhotosWaiting = z.infer<typeof photosWaiting>;

/** Epoch ms. */
const instant = z.number();

export const photo = z.object({
  id: z.uuid(),
  deviceId: z.uuid(),
  /** The camera: source of the scenario that captured it, and its table. */
  source: z.string(),
  table: z.string(),
  file: z.string(),
  takenAt: instant,
  /** When the cloud had it. */
  storedAt: instant,
  type: z.enum(PHOTO_TYPES),
  /** Bytes. */
  size: z.number(),
  /** Pixels. */
  width: z.number(),
  height: z.number(),
  /** Hexadecimal. */
  sha256: z.string(),
});
export type Photo = z.infer<typeof photo>;

const time = z.coerce.number().int().min(0).max(8.64e15);

/** From `startTime` up to and without `endTime`, epoch ms; both may be left out. */
export const photoRange = z.object({ startTime: time.optional(), endTime: time.optional() });

export const photoQuery = photoRange.extend({
  /** One camera. */
  identifier: z.string().max(400).optional(),
  /** Where the page before ended. */
  after: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(PHOTO_LIMITS.page).default(100),
});

export const workgroupPhotoQuery = photoQuery.extend({ device: z.uuid().optional() });
export type PhotoQuery = z.output<typeof workgroupPhotoQuery>;

export const photoPage = z.object({
  /** Newest first. */
  photos: z.array(photo),
  /** Where the next page goes on; null at the end. */
  after: z.string().nullable(),
});
export type PhotoPage = z.infer<typeof photoPage>;

export const slideshowQuery = z.object({
  /** The camera: a source of the device. */
  identifier: z.string().min(1).max(400),
  startTime: time,
  endTime: time,
});

export const slideshow = z.object({
  /** Oldest first. */
  frames: z.array(photo),
  /** Photos of the range; where that is more than the frames, these are spread evenly over it. */
  total: z.number(),
});
export type Slideshow = z.infer<typeof slideshow>;

/** A source of a device that has photos. */
export const camera = z.object({
  deviceId: z.uuid(),
  source: z.string(),
  photos: z.number(),
  bytes: z.number(),
  firstAt: instant,
  lastAt: instant,
});
export type Camera = z.infer<typeof camera>;

export const onPhoto = onDevice.extend({ photo: z.uuid() });
