import type { Client } from '@portal/client/client'
import { useSessionStore } from './session.ts'

/** Reads again what the person may do: it follows what was just changed. */
export async function refreshSession(client: Client): Promise<void> {
  const { session: calls } = await import(/* webpackChunkName: "session" */ '@portal/contracts/session')
  const session = await client.call(calls.read).catch(() => null)
  if (session?.user) useSessionStore.getState().begin(session)
}
