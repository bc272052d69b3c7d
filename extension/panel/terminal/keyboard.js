/** Whether the keyboard has the keys of a Mac. */
export const onMac = () => navigator.platform.startsWith('Mac');
