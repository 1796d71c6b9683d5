/** What is used of the official client. It is large, so this is imported when a probe begins; the build makes it a file of its own. */
export {
  Client,
  // Many servers have nothing newer.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  SSEClientTransport,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
