/** Loaded together, when the demo starts. */
export { startDemo } from './demoService.ts';
export { demoServices } from './world/demoServices.ts';
