/** Whether a widget may lead there: a path in this app, or an address of the web. */
export const isLink = (text: string): boolean => /^(\/(?![/\\])|https:\/\/)/.test(text);

/** Whether a widget may show it: a picture inside the board, or one of this server. Nothing is a picture too. */
export const isPicture = (text: string): boolean =>
  text === '' ||
  /^data:image\/(png|jpeg|webp|svg\+xml);base64,[A-Za-z0-9+/=]+$/.test(text) ||
  /^\/(?![/\\])/.test(text);
