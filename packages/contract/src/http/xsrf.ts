/** Cookie that carries the anti-forgery token from the server, readable by scripts of the web app. */
export const XSRF_COOKIE = 'XSRF-TOKEN';

/** Request header that repeats the cookie's value on every request that changes something. */
export const XSRF_HEADER = 'x-xsrf-token';
