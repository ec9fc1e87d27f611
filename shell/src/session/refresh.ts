import { client } from './client.ts'
import { useSessionStore } from './session.ts'

/** Reads again what the person may do: it follows what was just changed. */
export async function refreshSession(): Promise<void> {
  const { session: calls } = await import(/* webpackChunkName: "session" */ '@portal/contracts/session')
  const session = await client.call(calls.read).catch(() => null)
  if (session?.user) useSessionStore.getState().begin(session)
}
