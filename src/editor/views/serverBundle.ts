/** Loaded together, to show MCP servers. */
export { ServerPages } from '../pages/serverPages.ts';
export { ServersTree } from './serversTree.ts';
export { ServiceServersRows } from './serviceServersRows.ts';
