/** What is used of the official client. It is large, so this is imported when a probe begins; the build makes it a file of its own. */
export {
  Client,
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- many servers have nothing newer
  SSEClientTransport,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
