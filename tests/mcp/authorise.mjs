// Adds the server's token to every request. Loaded before the conformance suite, which has no option for a token.
import { createRequire } from 'node:module';

const { getGlobalDispatcher, setGlobalDispatcher } = createRequire(process.argv[1])('undici');
const shown = `Bearer ${process.env.MCP_TOKEN}`;

function authorised(headers) {
  if (Array.isArray(headers)) return [...headers, 'authorization', shown];
  if (headers && typeof headers[Symbol.iterator] === 'function') return [...headers, ['authorization', shown]];
  return { ...headers, authorization: shown };
}

setGlobalDispatcher(
  getGlobalDispatcher().compose((dispatch) => (options, handler) =>
    dispatch({ ...options, headers: authorised(options.headers) }, handler),
  ),
);
