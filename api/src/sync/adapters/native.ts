import type { Adapter, RawMessage } from './adapter.ts'

/** The portal's own batch, `{"messages": […]}`. */
export const native: Adapter = {
  fits: (body) => Array.isArray(body.messages),
  messages: (body) => body.messages as RawMessage[],
}
