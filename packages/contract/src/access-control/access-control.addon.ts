/** Id of the addon that switches the rules on. */
export const ACCESS_CONTROL_ADDON = 'access-control';
