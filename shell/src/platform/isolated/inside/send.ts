import type { FromFrame } from '../protocol.ts'

/** Sends a message to the portal. */
export type Send = (message: FromFrame) => void

/** Sends by a port what the portal understands, and counts the steps by which the frame leads the portal. */
export function sendBy(port: Pick<MessagePort, 'postMessage'>) {
  let steps = 0
  let aborts = false
  const send: Send = (message) => {
    if (message.kind === 'abort' && !aborts) return
    port.postMessage(message.kind === 'go' ? { ...message, step: ++steps } : message)
  }
  return {
    send,
    /** The portal ends calls that nobody waits for. */
    mayAbort() {
      aborts = true
    },
    /** Whether the portal did not yet know the frame's last step. An older portal does not say what it knows. */
    isAhead: (heard = steps) => heard < steps,
  }
}
