/** What a picture of an announcement may be. */
export const THUMBNAIL = {
  maxBytes: 1_000_000,
  types: ['image/png', 'image/jpeg', 'image/webp', 'image/gif'],
};
