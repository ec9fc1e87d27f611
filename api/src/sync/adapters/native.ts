import type { Adapter, RawMessage } from './adapter.ts'

/** Reads the portal's own format, `{"messages": […]}`. */
export const native: Adapter = {
  fits: (body) => Array.isArray(body.messages),
  messages: (body) => body.messages as RawMessage[],
}
