/**
 * The used parts of the official client. It is large: the build makes this a
 * file of its own, loaded when a probe begins.
 */
export {
  Client,
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- many servers have nothing newer
  SSEClientTransport,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
