/** The shortest new password that the service accepts, in characters. */
export const MIN_PASSWORD_LENGTH = 10;
