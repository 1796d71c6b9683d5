/** Loaded together, by the window that looks for all windows. */
export { Notifications } from './notifications.ts';
export { Claim } from './claim.ts';
export { SharedMemory } from './sharedMemory.ts';
