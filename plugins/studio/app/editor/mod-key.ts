/** Whether shortcuts use the keys of Apple keyboards. */
export const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

/** The name of the key with which shortcuts begin. */
export const MOD = isApple ? '⌘' : 'Ctrl';
