/** Something a person gave is wrong: an argument, a file, a row. The message says what and where. */
export class InputError extends Error {
  override name = 'InputError';
}
